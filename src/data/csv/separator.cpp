#include "data/csv/separator.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "data/csv/notation.hpp"
#include "data/csv_reader.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

using Records = std::vector<CsvRecord>;

/// Whether `c` stands outside quotes on the first line.
bool occurs_in_first_line(std::string_view text, char c) {
  bool inside = false;
  for (const char at : text) {
    if (at == '"') inside = !inside;
    if (!inside && at == c) return true;
    if (!inside && (at == '\n' || at == '\r')) return false;
  }
  return false;
}

/// The first records, up to ten and about a mebibyte; none if quotes are not closed before a
/// separator.
Records first_records(std::string_view text, char separator) {
  constexpr std::size_t most_bytes = std::size_t{1} << 20;
  CsvReader reader(text, separator, "");
  Records records;
  std::size_t bytes = 0;
  try {
    for (int read = 0; read < 10 && (records.size() < 2 || bytes < most_bytes); ++read) {
      CsvRecord record = read_record(reader);
      if (record.empty()) break;
      for (const CsvField& field : record) bytes += field.text.size() + 1;
      const bool repeated = !records.empty() && have_same_texts(record, records.front());
      if (!repeated) records.push_back(std::move(record));
    }
  } catch (const DataError&) {  // quotes do not fit this separator
    return {};
  }
  return records;
}

/// The number of fields of all records, one more than in the header if it may lack a name; 0 if it
/// is not the same.
std::size_t common_fields(const Records& records, bool may_lack_a_name) {
  if (records.empty()) return 0;
  const std::size_t fields = records.back().size();
  for (std::size_t i = 1; i < records.size(); ++i) {
    if (records[i].size() != fields) return 0;
  }
  const std::size_t names = records.front().size();
  const bool fits = names == fields || (may_lack_a_name && names + 1 == fields && names > 1);
  return fits ? fields : 0;
}

bool is_number(const CsvField& field) {
  return parse_number(field.text).has_value() || !Notations(field.text).empty();
}

/// Whether a column has only numbers below the header.
bool has_column_of_numbers(const Records& records) {
  if (records.size() < 2) return false;
  for (std::size_t j = 0; j < records.back().size(); ++j) {
    const auto numeric = [&](const auto& record) {
      return j < record.size() && is_number(record[j]);
    };
    if (std::all_of(records.begin() + 1, records.end(), numeric)) return true;
  }
  return false;
}

/// Share of numbers in the fields, without those of the first record and the first column, which
/// may be names.
double share_of_numbers(const Records& records) {
  Index numbers = 0;
  Index fields = 0;
  for (std::size_t i = records.size() > 1 ? 1 : 0; i < records.size(); ++i) {
    for (std::size_t j = records[i].size() > 1 ? 1 : 0; j < records[i].size(); ++j) {
      ++fields;
      numbers += is_number(records[i][j]) ? 1 : 0;
    }
  }
  return fields == 0 ? 0.0 : static_cast<double>(numbers) / static_cast<double>(fields);
}

/// Whether the first line has as many fields as the others under some separator.
bool may_be_header(std::string_view text) {
  return std::ranges::any_of(std::string_view(",;\t| "), [&](char separator) {
    return common_fields(first_records(text, separator), false) > 1;
  });
}

}  // namespace

char take_separator_line(InputFile& file) {
  const std::size_t end = std::min(file.text.find_first_of("\r\n"), file.text.size());
  std::string_view line(file.text.data(), end);
  if (line.size() > 2 && line.front() == '"' && line.back() == '"') {
    line = line.substr(1, line.size() - 2);
  }
  if (line.size() != 5 || lowercase(line.substr(0, 4)) != "sep=") return '\0';
  const char separator = line.back();
  if (separator == '"' || separator == '.' || std::isalnum(static_cast<unsigned char>(separator)))
    return '\0';
  file.text.replace(0, end, end, ' ');
  ++file.skipped_lines;
  return separator;
}

Index blank_comments(InputFile& file) {
  std::string& text = file.text;
  Index count = 0;
  std::size_t begin = 0;
  while (text.compare(begin, 1, "#") == 0) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    const std::size_t next = std::min(text.find_first_not_of("\r\n", end), text.size());
    if (next == text.size() || may_be_header(std::string_view(text).substr(begin))) break;
    std::fill(text.begin() + static_cast<Index>(begin), text.begin() + static_cast<Index>(end),
              ' ');
    file.skipped_lines += std::count(text.begin() + static_cast<Index>(begin),
                                     text.begin() + static_cast<Index>(next), '\n');
    ++count;
    begin = next;
  }
  return count;
}

char table_separator(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \r\n"), text.size()));
  char best = '\0';
  std::size_t most = 1;
  for (const char candidate : {'\t', ';'}) {
    if (!occurs_in_first_line(text, candidate)) continue;
    const std::size_t fields = common_fields(first_records(text, candidate), true);
    if (fields <= most) continue;
    most = fields;
    best = candidate;
  }
  if (best != '\0') return best;
  const char other = detect_separator(text, ",;\t");
  if (occurs_in_first_line(text, other)) return other;
  const Records bars = first_records(text, '|');
  if (common_fields(bars, true) > 1) return '|';
  const Records blanks = first_records(text, ' ');
  return common_fields(blanks, true) > 1 && has_column_of_numbers(blanks) ? ' ' : other;
}

char matrix_separator(std::string_view text) {
  char best = '\0';
  double most = -1.0;
  for (const char candidate : {'\t', ';', ',', ' '}) {
    const Records records = first_records(text, candidate);
    if (common_fields(records, true) < 2) continue;
    const double share = share_of_numbers(records);
    if (share <= most) continue;
    most = share;
    best = candidate;
  }
  return best != '\0' ? best : detect_separator(text, ",;\t ");
}

}  // namespace kernmix
