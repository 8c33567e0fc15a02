#include "data/sets/gmt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <utility>

#include "base/text.hpp"
#include "data/arrays/array_place.hpp"
#include "data/file.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Takes the first line off the text, without its end: LF, CR LF or CR.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  text.remove_prefix(text.starts_with("\r\n") ? 2 : std::min<std::size_t>(1, text.size()));
  return line;
}

/// Without blanks, no-break spaces and one pair of double quotes around it.
std::string_view plain_field(std::string_view field) {
  constexpr std::string_view no_break = "\xc2\xa0";
  for (std::size_t before = 0; before != field.size();) {
    before = field.size();
    field = trim(field);
    if (field.starts_with(no_break)) field.remove_prefix(no_break.size());
    if (field.ends_with(no_break)) field.remove_suffix(no_break.size());
  }
  const bool quoted = field.size() > 1 && field.front() == '"' && field.back() == '"';
  return quoted ? plain_field(field.substr(1, field.size() - 2)) : field;
}

/// A line of the file.
struct GmtLine {
  View set;
  std::string description;
};

/// The set of one line with its members.
GmtLine parse_set(std::string_view line, const std::string& at) {
  std::vector<std::string_view> fields = split(line, '\t');
  std::ranges::transform(fields, fields.begin(), plain_field);
  if (fields.size() == 1) {
    throw DataError(
        fmt::format("{}: {} has no tab; a line of a GMT file is NAME, DESCRIPTION and the members "
                    "of the set, separated by tabs",
                    at, in_quotes(line)));
  }
  if (fields.front().empty()) throw DataError(at + ": the set has no name before its first tab");
  View set{std::string(fields.front()), {}};
  for (std::size_t f = 2; f < fields.size(); ++f) {
    if (!fields[f].empty()) set.columns.emplace_back(fields[f]);
  }
  if (!set.columns.empty()) return {std::move(set), std::string(fields[1])};
  throw DataError(fmt::format("{}: the set {} has no members after its name and description", at,
                              in_quotes(set.name)));
}

}  // namespace

ColumnSets parse_gmt(std::string_view text, const std::string& path, const Context& context) {
  const auto names = to_size(std::ranges::count(text, '\t'));
  // Three texts while a set grows, and its place in the table that finds repeated members.
  constexpr std::size_t bytes_of_member = 3 * sizeof(std::string) + 64;
  require_memory_of_bytes(path, text.size() + names * bytes_of_member, context);
  ColumnSets found;
  found.source = path;
  std::unordered_map<std::string, Index> line_of;
  for (Index number = 1; !text.empty(); ++number) {
    stop_reading_if_asked(path, context);
    const std::string_view line = take_line(text);
    if (trim(line).empty()) continue;
    const std::string at = fmt::format("{}:{}", path, number);
    View set = parse_set(line, at).set;
    const auto [first, is_new] = line_of.emplace(set.name, number);
    if (!is_new) {
      throw DataError(fmt::format("{}: the set {} is on line {}, too; names of sets must differ",
                                  at, in_quotes(set.name), first->second));
    }
    found.sets.push_back(std::move(set));
    found.lines.push_back(number);
  }
  if (found.sets.empty()) throw DataError(path + ": has no set, all of its lines are empty");
  return found;
}

std::vector<std::string> descriptions_in(const std::string& file) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(file, unknown)) return {};
  const InputFile input = open_input(file, FileFormat::tsv);
  std::vector<std::string> descriptions;
  for (std::string_view text = input.text; !text.empty();) {
    const std::string_view line = take_line(text);
    if (!trim(line).empty()) descriptions.push_back(parse_set(line, file).description);
  }
  return descriptions;
}

ColumnSets read_sets(const std::string& file, const Context& context) {
  const FilePlace place = file_place(file);
  const InputFile input = open_input(place.file, FileFormat::tsv, context);
  ColumnSets found = parse_gmt(input.text, input.path, context);
  if (place.named) found.part = place.name;
  return found;
}

}  // namespace kernmix
