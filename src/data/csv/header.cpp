/// \file
/// The header of CSV and TSV files: separator, names, row names.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "base/text.hpp"
#include "data/csv.hpp"
#include "data/csv/recipe.hpp"
#include "data/csv/separator.hpp"
#include "data/csv_reader.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Whether numbers are plausible column names: counted, as by pandas, or equally spaced, as
/// wavelengths and years. Two numbers are only plausible if they start the count.
bool count_columns(const std::vector<double>& numbers) {
  const std::size_t n = numbers.size();
  if (n == 1) return false;
  const double step = numbers[1] - numbers[0];
  if (n == 2) return step == 1.0 && (numbers[0] == 0.0 || numbers[0] == 1.0);
  if (!(step > 0.0)) return false;
  for (std::size_t j = 2; j < n; ++j) {
    const double expected = numbers[0] + static_cast<double>(j) * step;
    if (std::abs(numbers[j] - expected) > 1e-6 * step) return false;
  }
  return true;
}

/// A header of numbers in the same format as the fields below is a first sample, unless it counts
/// the columns. Where commas do not separate fields, they may be decimal marks.
void require_names(const InputFile& file, Index line, const CsvRecord& names,
                   const CsvRecord& below) {
  const auto parsed = [&](const CsvField& field) {
    const std::optional<double> plain = parse_number(field.text);
    return plain || file.separator == ',' ? plain : parse_number(field.text, NumberFormat{','});
  };
  std::vector<double> numbers;
  std::size_t first = 0;
  for (std::size_t j = 0; j < names.size(); ++j) {
    const std::optional<double> number = parsed(names[j]);
    if (!number) continue;
    const bool known = j < below.size();
    if (known && (names[j].quoted != below[j].quoted || !parsed(below[j]))) continue;
    if (numbers.empty()) first = j;
    numbers.push_back(*number);
  }
  if (numbers.empty() || count_columns(numbers)) return;
  throw DataError(
      fmt::format("{}:{}: the name of column {} is the number {}, so this line looks like a "
                  "sample; use --no-header if it is one, otherwise quote names that are numbers",
                  file.path, line, first + 1, names[first].text));
}

/// What the first samples say of the columns.
struct FirstSamples {
  std::size_t fields = 0;      ///< of each; 0 if they differ
  bool distinct_first = true;  ///< the first fields are distinct words or numbers
  bool empty_last = true;      ///< all last fields are empty
};

FirstSamples look_at(const std::vector<CsvRecord>& samples) {
  FirstSamples seen;
  std::unordered_set<std::string> names;
  for (const CsvRecord& sample : samples) {
    if (seen.fields != 0 && sample.size() != seen.fields) return {0, false, false};
    seen.fields = sample.size();
    const std::string& name = sample.front().text;
    seen.distinct_first = seen.distinct_first && !name.empty() && names.insert(name).second;
    seen.empty_last = seen.empty_last && sample.back().text.empty();
  }
  return seen;
}

/// A header that lacks one name has row names, as R writes them, or the separator at the end of
/// samples is missing in it. \returns whether there are row names
bool complete_header(CsvRecord& names, const FirstSamples& samples) {
  if (samples.fields + 1 == names.size() && names.back().text.empty()) names.pop_back();
  if (samples.fields != names.size() + 1) return false;
  if (samples.empty_last) {
    names.push_back({"", false});
    return false;
  }
  if (!samples.distinct_first) return false;
  names.insert(names.begin(), CsvField{"", true});
  return true;
}

/// Names all columns: of columns with the same name the k-th is called NAME.k, unless another one
/// is called so.
void name_columns(InputFile& file, const CsvRecord& names) {
  file.row_names = names.size() > 1 && names.front().text.empty();
  std::unordered_set<std::string> taken;
  for (const CsvField& name : names) taken.insert(name.text);
  const auto unused = [&](const std::string& stem, std::size_t number) {
    std::string name = fmt::format("{}.{}", stem, number);
    while (!taken.insert(name).second) name = fmt::format("{}.{}", stem, ++number);
    return name;
  };
  std::unordered_map<std::string, std::size_t> count;
  for (std::size_t j = 0; j < names.size(); ++j) {
    const std::string& name = names[j].text;
    const std::size_t before = count[name]++;
    if (j == 0 && file.row_names) {
      file.header.push_back(row_names_column);
      ++count[row_names_column];
    } else if (name.empty()) {
      file.unnamed.push_back(j);
      file.header.push_back(unused("unnamed", j + 1));
    } else {
      file.header.push_back(before == 0 ? name : unused(name, before + 1));
      if (before == 1) file.repeated.emplace_back(name, file.header.back());
    }
  }
}

void note_names(InputFile& file, bool shifted) {
  if (file.row_names) {
    file.notes.push_back(fmt::format(
        "{}: {} row names and is not a feature; --id {} takes them as sample ids", file.path,
        shifted ? "the header has one name less than the lines have fields: the first column has"
                : "the first column has no name: it has",
        row_names_column));
  }
  constexpr std::size_t shown = 3;
  for (std::size_t k = 0; k < std::min(shown, file.repeated.size()); ++k) {
    const auto& [name, second] = file.repeated[k];
    file.notes.push_back(fmt::format("{}: column {} occurs more than once; the second is called {}",
                                     file.path, in_quotes(name), in_quotes(second)));
  }
  if (file.repeated.size() > shown) {
    file.notes.push_back(fmt::format("{}: {} more names occur more than once", file.path,
                                     file.repeated.size() - shown));
  }
}

}  // namespace

void read_csv_header(InputFile& file, bool has_header) {
  const char declared = take_separator_line(file);
  if (const Index comments = declared == '\0' ? blank_comments(file) : 0; comments > 0) {
    file.notes.push_back(fmt::format("{}: {} comment line{} (#) above the header {} skipped",
                                     file.path, comments, comments == 1 ? "" : "s",
                                     comments == 1 ? "is" : "are"));
  }
  file.separator = declared != '\0'                 ? declared
                   : file.format == FileFormat::tsv ? '\t'
                                                    : table_separator(file.text);
  file.declared_separator = declared != '\0';
  if (file.declared_separator) {
    file.notes.push_back(
        fmt::format("{}: the first line sets the separator {}", file.path,
                    declared == '\t' ? "tab" : in_quotes(std::string(1, declared))));
  }
  CsvReader reader(file.text, file.separator, file.path);
  CsvRecord names = read_record(reader);
  if (names.empty()) throw DataError(file.path + ": has only blank lines");
  if (!has_header) {
    file.numbered = true;
    file.header = numbered_columns(length(names));
    return;
  }
  const Index line = reader.line();
  std::vector<CsvRecord> samples;
  constexpr std::size_t most_fields = 100000;  // in all
  for (std::size_t k = 0; k < 20 && (k < 2 || k * names.size() < most_fields); ++k) {
    samples.push_back(read_record(reader));
    if (samples.back().empty()) break;
  }
  if (samples.back().empty()) samples.pop_back();
  std::erase_if(samples, [&](const CsvRecord& own) { return have_same_texts(own, names); });
  const bool shifted = complete_header(names, look_at(samples));
  require_names(file, line, names, samples.empty() ? CsvRecord() : samples.front());
  name_columns(file, names);
  note_names(file, shifted);
}

std::string place_of_name(const InputFile& file, const std::string& name) {
  if ((file.format != FileFormat::csv && file.format != FileFormat::tsv) || file.numbered)
    return "";
  if (std::ranges::count(file.header, "'" + name + "'") > 0) {
    return "; the file has names in single quotes, which are part of the text: write double "
           "quotes, " +
           recipe("header");
  }
  constexpr int looked_at = 30;
  for (const char separator : {',', ';', '\t', '|', ' '}) {
    try {
      CsvReader reader(file.text, separator, file.path);
      for (int k = 0; k < looked_at; ++k) {
        const CsvRecord record = read_record(reader);
        if (record.empty()) break;
        if (k == 0 || std::ranges::count(record, name, &CsvField::text) == 0) continue;
        return fmt::format(
            "; line {} has this name: remove the lines above it, which are no header",
            reader.line());
      }
    } catch (const DataError&) {  // quotes do not fit this separator
    }
  }
  return "";
}

}  // namespace kernmix
