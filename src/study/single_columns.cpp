#include "study/single_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/samples.hpp"
#include "base/text.hpp"
#include "data/column_places.hpp"

namespace kernmix {
namespace {

constexpr Index kNeighbours = 10;
constexpr Index kFewestScreened = 30;
constexpr Index kMostScreened = 2000;  ///< evenly spaced ones of more
constexpr double kAlmostAll = 0.97;
constexpr double kOfTheGain = 0.9;
constexpr double kLeastGain = 0.1;  ///< of all columns over the largest class

/// The samples with one value.
struct EqualValues {
  double value = 0.0;
  std::vector<Index> counts;  ///< of each class
  Index samples = 0;
};

std::vector<EqualValues> groups_of(const Vector& x, const std::vector<Index>& classes,
                                   std::size_t K) {
  std::map<double, EqualValues> groups;
  for (std::size_t i = 0; i < x.size(); ++i) {
    EqualValues& own =
        groups.try_emplace(x[i], EqualValues{x[i], std::vector<Index>(K, 0), 0}).first->second;
    ++own.counts[to_size(classes[i])];
    ++own.samples;
  }
  std::vector<EqualValues> sorted;
  for (auto& [value, group] : groups) sorted.push_back(std::move(group));
  return sorted;
}

/// Counts of the samples around group g, which is among them, until there are enough.
std::vector<Index> counts_around(const std::vector<EqualValues>& groups, std::size_t g) {
  std::vector<Index> counts = groups[g].counts;
  Index samples = groups[g].samples - 1;
  std::size_t low = g;
  std::size_t high = g;
  while (samples < kNeighbours && (low > 0 || high + 1 < groups.size())) {
    const bool down =
        high + 1 == groups.size() || (low > 0 && groups[g].value - groups[low - 1].value <=
                                                     groups[high + 1].value - groups[g].value);
    const EqualValues& next = down ? groups[--low] : groups[++high];
    for (std::size_t k = 0; k < counts.size(); ++k) counts[k] += next.counts[k];
    samples += next.samples;
  }
  return counts;
}

/// Share of the samples whose class has the most samples around them.
double accuracy_of(const Vector& x, const std::vector<Index>& classes, std::size_t K) {
  const std::vector<EqualValues> groups = groups_of(x, classes, K);
  Index right = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::vector<Index> around = counts_around(groups, g);
    for (std::size_t k = 0; k < K; ++k) {
      std::vector<Index> others = around;
      --others[k];  // the sample itself
      const bool wins =
          std::ranges::max_element(others) - others.begin() == static_cast<std::ptrdiff_t>(k);
      if (groups[g].counts[k] > 0 && wins) right += groups[g].counts[k];
    }
  }
  return static_cast<double>(right) / static_cast<double>(x.size());
}

std::vector<std::string> columns_of_views(const std::vector<View>& views) {
  std::vector<std::string> columns;
  std::set<std::string> seen;
  for (const View& view : views) {
    for (const std::string& column : view.columns) {
      if (seen.insert(column).second) columns.push_back(column);
    }
  }
  return columns;
}

/// A column of numbers, or the indicators of the words of one column.
struct ScreenedColumn {
  std::string name;
  std::vector<Index> places;  ///< in the table
};

std::vector<ScreenedColumn> screened_columns(const Dataset& data) {
  const std::vector<std::string> columns = columns_of_views(data.views);
  const std::vector<Index> places = column_places(data.table, columns);
  std::map<std::string, std::string> column_of;  // of an indicator
  for (const Indicators& own : data.table.indicators) {
    if (own.values.empty()) continue;  // of missing cells
    for (std::string& name : own.names()) column_of.emplace(std::move(name), own.column);
  }
  std::vector<ScreenedColumn> screened;
  std::map<std::string, std::size_t> of_words;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (places[j] == no_column) continue;
    const auto words = column_of.find(columns[j]);
    if (words == column_of.end()) {
      screened.push_back({columns[j], {places[j]}});
      continue;
    }
    const auto [found, is_new] = of_words.emplace(words->second, screened.size());
    if (is_new) screened.push_back({words->second, {}});
    screened[found->second].places.push_back(places[j]);
  }
  return screened;
}

/// The numbers, or the number of the word of each sample: of one indicator its own 0 and 1.
Vector values_of(const ScreenedColumn& column, const ConstMatrix& numbers,
                 const std::vector<Index>& rows) {
  Vector x(rows.size(), 0.0);
  for (std::size_t k = 0; k < column.places.size(); ++k) {
    const auto factor = static_cast<double>(k + 1);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      x[i] += factor * numbers(rows[i], column.places[k]);
    }
  }
  return x;
}

}  // namespace

std::optional<Warning> warning_of_single_columns(const Dataset& data, double accuracy,
                                                 const Context& context) {
  const Table& table = data.table;
  const std::vector<std::string> columns = columns_of_views(data.views);
  const bool several = columns.size() + data.matrices.size() > 1;
  if (!several || table.sparse || length(table.labels) < kFewestScreened) return std::nullopt;
  const std::vector<Index> rows = spaced_samples(length(table.labels), kMostScreened);
  std::map<std::string, Index> number;
  std::vector<Index> classes;
  for (const Index i : rows) {
    const auto found = number.try_emplace(table.labels[to_size(i)], length(number)).first;
    classes.push_back(found->second);
  }
  std::vector<Index> counts(number.size(), 0);
  for (const Index k : classes) ++counts[to_size(k)];
  const double largest =
      static_cast<double>(*std::ranges::max_element(counts)) / static_cast<double>(classes.size());
  if (accuracy - largest < kLeastGain) return std::nullopt;
  std::vector<std::string> found;
  const ConstMatrix numbers = table.numbers();
  for (const ScreenedColumn& column : screened_columns(data)) {
    if (context.should_stop()) break;
    const Vector x = values_of(column, numbers, rows);
    if (std::ranges::any_of(x, [](double value) { return std::isnan(value); })) continue;
    const double alone = accuracy_of(x, classes, number.size());
    if (alone < kAlmostAll || alone - largest < kOfTheGain * (accuracy - largest)) continue;
    found.push_back(fmt::format("{} ({:.0f} %)", in_quotes(column.name), 100.0 * alone));
  }
  if (found.empty()) return std::nullopt;
  constexpr std::size_t shown = 3;
  return Warning{
      "column-predicts-alone",
      fmt::format(
          "One column alone predicts the classes nearly as well as all columns do ({:.0f} % "
          "right): {}. If the column is known only after the classes, or follows the order "
          "of the file, new samples will not be predicted as well: leave it out.",
          100.0 * accuracy, listed(found, shown)),
      {}};
}

}  // namespace kernmix
