#include "data/csv/transposed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/text.hpp"
#include "data/csv_reader.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr std::size_t bytes_looked_at = std::size_t{1} << 22;
constexpr std::size_t columns_looked_at = 50;  // ids are among the first ones
constexpr std::size_t fewest_names = 3;

bool is_text(const InputFile& file) {
  return !file.stored && !file.numbered &&
         (file.format == FileFormat::csv || file.format == FileFormat::tsv);
}

/// The different words at the beginning of each of the first columns; none of a column with a
/// number, whose values may be counted as columns are.
std::vector<std::unordered_set<std::string>> first_words(const InputFile& file,
                                                         const Context& context) {
  const std::size_t columns = std::min(columns_looked_at, file.header.size());
  std::vector<std::unordered_set<std::string>> words(columns);
  std::vector<bool> has_number(columns, false);
  const std::string_view text = std::string_view(file.text).substr(0, bytes_looked_at);
  CsvReader reader(text.substr(0, text.rfind('\n') + 1), file.separator, file.path);
  if (reader.next_record()) reader.skip_rest();
  while (reader.next_record()) {
    stop_reading_if_asked(file.path, context);
    for (std::size_t j = 0; j < columns && !reader.record_ended(); ++j) {
      const std::string_view field = reader.field();
      if (is_missing_value(field)) continue;
      if (parse_number(field)) {
        has_number[j] = true;
      } else if (!has_number[j]) {
        words[j].emplace(field);
      }
    }
    reader.skip_rest();
  }
  for (std::size_t j = 0; j < columns; ++j) {
    if (has_number[j]) words[j].clear();
  }
  return words;
}

/// The first column that is called as a sample, if most of both are. The first column of the table
/// has the names of its rows.
std::optional<std::string> sample_among_columns(const std::unordered_set<std::string>& words,
                                                const InputFile& table) {
  if (words.size() < fewest_names) return std::nullopt;
  std::size_t count = 0;
  std::string first;
  for (const std::string& name : table.header) {
    if (!words.contains(name)) continue;
    if (count++ == 0) first = name;
  }
  const std::size_t columns = table.header.size() - 1;
  const bool most = 2 * count > columns && 2 * count > words.size();
  return most && count >= fewest_names ? std::optional(first) : std::nullopt;
}

}  // namespace

void refuse_transposed_tables(const std::vector<InputFile>& files, const Context& context) {
  const auto among_texts = std::ranges::count_if(files, is_text);
  if (among_texts < 2) return;
  for (const InputFile& names : files) {
    if (!is_text(names)) continue;
    std::vector<std::unordered_set<std::string>> words;
    try {
      words = first_words(names, context);
    } catch (const DataError&) {
      continue;  // what reads the whole file says it
    }
    for (const InputFile& table : files) {
      if (&table == &names || !is_text(table)) continue;
      for (std::size_t j = 0; j < words.size(); ++j) {
        const auto sample = sample_among_columns(words[j], table);
        if (!sample) continue;
        throw DataError(fmt::format(
            "{}: its columns are samples, such as {}, which column {} of {} names: transpose the "
            "table, so that each sample is a row and each feature a column",
            table.path, in_quotes(*sample), in_quotes(names.header[j]), names.path));
      }
    }
  }
}

}  // namespace kernmix
