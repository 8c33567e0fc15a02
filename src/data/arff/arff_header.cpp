#include "data/arff/arff_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "base/text.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

using AttributeKind = ArffAttribute::Kind;

/// The name of the relation without quotes around it.
std::string_view relation_name(std::string_view text) {
  const bool quoted = text.size() > 1 && (text.front() == '\'' || text.front() == '"') &&
                      text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

/// n of `-C n` after the colon of the relation's name, as MEKA writes it; 0 without.
Index labels_declared_in(const ArffReader& reader, std::string_view relation) {
  const std::size_t colon = relation.find(':');
  if (colon == std::string_view::npos) return 0;
  std::vector<std::string_view> options;
  for (const std::string_view option : split(relation.substr(colon + 1), ' ')) {
    if (!option.empty()) options.push_back(option);
  }
  const auto found = std::find(options.begin(), options.end(), "-C");
  if (found == options.end()) return 0;
  const std::string_view text = found + 1 == options.end() ? "" : *(found + 1);
  Index count = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), count);
  if (text.empty() || parsed.ptr != text.data() + text.size() || parsed.ec != std::errc()) {
    reader.refuse(fmt::format("-C {} in the name of the relation is not a number of labels",
                              in_quotes(text)));
  }
  return count;
}

void require_line_end(ArffReader& reader, std::string_view after) {
  if (reader.line_ended()) return;
  reader.refuse(fmt::format("{} follows {}; quote names that contain blanks, commas or braces",
                            in_quotes(reader.rest()), after));
}

/// The values between the braces, of which the first has been taken.
std::vector<std::string> read_nominal_values(ArffReader& reader, const std::string& name) {
  std::vector<std::string> values;
  std::unordered_set<std::string> seen;
  do {
    const ArffWord word = reader.word();
    if (word.text.empty() && !word.quoted) {
      reader.refuse(
          fmt::format("the list of values of attribute {} lacks one, or its }}", in_quotes(name)));
    }
    values.emplace_back(word.text);
    if (!seen.insert(values.back()).second) {
      reader.refuse(fmt::format("attribute {} lists the value {} twice", in_quotes(name),
                                in_quotes(values.back())));
    }
  } while (reader.take(','));
  if (!reader.take('}')) {
    reader.refuse(
        fmt::format("the list of values of attribute {} is not closed; write a comma "
                    "between two of them, }} after the last, and quote those with blanks",
                    in_quotes(name)));
  }
  return values;
}

AttributeKind kind_of(const ArffReader& reader, const std::string& name, std::string_view type) {
  const std::string word = lowercase(type);
  if (word == "numeric" || word == "real" || word == "integer") return AttributeKind::number;
  if (word == "string") return AttributeKind::text;
  if (word == "date") return AttributeKind::date;
  if (word == "relational") {
    reader.refuse(
        fmt::format("attribute {} is relational, which kernmix does not read; write one "
                    "sample a line with numbers",
                    in_quotes(name)));
  }
  reader.refuse(
      fmt::format("attribute {} has the type {}; known are numeric, real, integer, string, "
                  "date and {{value, ...}}",
                  in_quotes(name), in_quotes(type)));
}

ArffAttribute read_attribute(ArffReader& reader) {
  ArffAttribute attribute;
  attribute.name = reader.word().text;
  if (attribute.name.empty()) reader.refuse("the attribute has no name");
  if (reader.take('{')) {
    attribute.kind = AttributeKind::nominal;
    attribute.values = read_nominal_values(reader, attribute.name);
  } else {
    attribute.kind = kind_of(reader, attribute.name, reader.word().text);
    if (attribute.kind == AttributeKind::date) reader.rest();  // its format
  }
  require_line_end(reader, "the attribute");
  return attribute;
}

void check_header(const ArffReader& reader, const ArffHeader& header) {
  if (header.attributes.empty()) reader.refuse("@data comes before any @attribute");
  const Index most = length(header.attributes);
  if (header.declared_labels > most || header.declared_labels < -most) {
    reader.refuse(
        fmt::format("the name of the relation declares labels with -C {}, the file has {} "
                    "attributes",
                    header.declared_labels, most));
  }
}

}  // namespace

ArffHeader read_arff_header(ArffReader& reader) {
  ArffHeader header;
  std::unordered_set<std::string> names;
  bool named = false;
  while (reader.next_line()) {
    const std::string keyword = lowercase(reader.word().text);
    if (keyword == "@relation") {
      header.declared_labels = labels_declared_in(reader, relation_name(reader.rest()));
      named = true;
    } else if (!named) {
      reader.refuse("an ARFF file begins with @relation NAME");
    } else if (keyword == "@attribute") {
      header.attributes.push_back(read_attribute(reader));
      const std::string& name = header.attributes.back().name;
      if (!names.insert(name).second) {
        reader.refuse(
            fmt::format("attribute {} occurs twice; rename one of them", in_quotes(name)));
      }
    } else if (keyword == "@data") {
      require_line_end(reader, "@data");
      check_header(reader, header);
      return header;
    } else {
      reader.refuse(in_quotes(keyword) + " is neither @attribute nor @data");
    }
  }
  reader.refuse("the file ends before @data");
}

}  // namespace kernmix
