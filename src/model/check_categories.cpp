#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/text.hpp"
#include "data/column_places.hpp"
#include "kernmix/error.hpp"
#include "model/check.hpp"

namespace kernmix {
namespace {

/// The words of each column that has some.
class WordsOfColumns {
 public:
  explicit WordsOfColumns(const std::vector<Categories>& categories) {
    for (const Categories& own : categories) of_.emplace(own.column, &own);
  }
  /// nullptr for a column of numbers.
  [[nodiscard]] const Categories* find(const std::string& column) const {
    const auto found = of_.find(column);
    return found == of_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::string_view, const Categories*> of_;
};

/// Numbers in a categorical column must be indices of its words.
void check_codes(const Categories& words, const Table& table) {
  const auto column = std::ranges::find(table.columns, words.column) - table.columns.begin();
  for (Index i = 0; i < table.samples(); ++i) {
    const double code = table.cell(i, column);
    if (std::isnan(code)) continue;  // a missing cell, which is filled or refused elsewhere
    const auto in_range = code >= 0.0 && code < static_cast<double>(words.values.size());
    if (in_range && code == static_cast<double>(static_cast<Index>(code))) continue;
    throw DataError(fmt::format(
        "{}: column {} of sample {} is {}; the model learned words there, {}, which are given as "
        "words or as their numbers 0 to {}",
        table.source, in_quotes(words.column), table.before + i + 1, code,
        fmt::join(words.values, ", "), words.values.size() - 1));
  }
}

/// Of a LIBSVM file only the columns tell whether it counts from 0: those of a model that does have
/// the column 0, whether it is read or not.
void check_first_index(const Model& model, const Table& table) {
  if (model.columns.empty()) return;
  for (const FilePart& part : table.parts) {
    if (!part.sparse || part.columns == 0) continue;
    const std::string& first = table.columns[to_size(part.first)];
    if (first != "0" && first != part.name + ".0") continue;
    if (std::ranges::find(model.table_columns, first) != model.table_columns.end()) continue;
    throw DataError(fmt::format(
        "{}: indices count from 0, and the model's columns have no {}: write the file with "
        "zero_based=False of scikit-learn's dump_svmlight_file",
        part.name, in_quotes(first)));
  }
}

}  // namespace

void check_categories(const Model& model, const Table& table) {
  check_first_index(model, table);
  if (model.categories.empty() && table.categories.empty()) return;
  const WordsOfColumns of_model(model.categories);
  const WordsOfColumns of_table(table.categories);
  const std::unordered_set<std::string_view> present(table.columns.begin(), table.columns.end());
  for (const std::string& column : model.columns) {
    if (!present.contains(column)) continue;
    const Categories* const learned = of_model.find(column);
    const Categories* const given = of_table.find(column);
    if (learned != nullptr && given == nullptr) {
      check_codes(*learned, table);
    } else if (given != nullptr && (learned == nullptr || learned->values != given->values)) {
      throw DataError(fmt::format(
          "{}: the words of column {} are numbered otherwise than in the training data; read the "
          "table with the categories of the model (ReadOptions::categories)",
          table.source, in_quotes(column)));
    }
  }
}

}  // namespace kernmix
