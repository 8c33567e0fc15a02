// Spearman's rank correlation r of n units: r sqrt(n - 1) is nearly standard normal without a
// relation.

#include "selection/stability/weight_relation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "base/mean.hpp"
#include "base/samples.hpp"
#include "data/number.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/selection/statistics.hpp"

namespace kernmix {
namespace {

constexpr double kSignificant = 0.001;

bool has_classes(const Dataset& data, const TrainOptions& options) {
  return loss_target(options.loss) == Target::classes && !data.table.labels.empty() &&
         data.table.multi_labels.names.empty();
}

/// Of each class: 1 for its samples and 0 for others; labels likewise; numbers as they are.
std::vector<Vector> label_columns(const Dataset& data, const TrainOptions& options) {
  const Table& table = data.table;
  std::vector<Vector> columns;
  for (Index t = 0; t < length(table.multi_labels.names); ++t) {
    columns.push_back(table.multi_labels.signs(t));
  }
  for (Index t = 0; t < table.targets.values.cols; ++t) {
    columns.push_back(column_of(table.targets.values, t));
  }
  if (!columns.empty() || table.labels.empty()) return columns;
  if (!has_classes(data, options)) {
    Vector numbers;
    for (const std::string& label : table.labels) {
      numbers.push_back(parse_number(label).value_or(0.0));
    }
    return {std::move(numbers)};
  }
  std::map<std::string, Vector> of_class;
  for (const std::string& label : table.labels) {
    of_class.try_emplace(label, table.labels.size(), 0.0);
  }
  for (std::size_t i = 0; i < table.labels.size(); ++i) of_class.at(table.labels[i])[i] = 1.0;
  if (of_class.size() == 2) of_class.erase(of_class.begin());
  for (auto& [name, column] : of_class) columns.push_back(std::move(column));
  return columns;
}

/// The mean over the samples of each unit.
Vector means_of_units(const Vector& values, const std::vector<Index>& groups) {
  if (groups.empty()) return values;
  std::map<Index, std::pair<double, double>> sums;
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto& [sum, count] = sums[groups[i]];
    sum += values[i];
    count += 1.0;
  }
  Vector means;
  for (const auto& [group, own] : sums) means.push_back(own.first / own.second);
  return means;
}

/// Of centred ranks; 0 if one of them does not vary.
double correlation(const Vector& left, const Vector& right) {
  const double a = mean_of_values(left);
  const double b = mean_of_values(right);
  double product = 0.0;
  double left_squares = 0.0;
  double right_squares = 0.0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    product += (left[i] - a) * (right[i] - b);
    left_squares += (left[i] - a) * (left[i] - a);
    right_squares += (right[i] - b) * (right[i] - b);
  }
  const double norm = std::sqrt(left_squares * right_squares);
  return norm > 0.0 ? product / norm : 0.0;
}

/// Two-sided.
double p_of_correlation(double r, std::size_t units) {
  const double z = std::abs(r) * std::sqrt(static_cast<double>(units) - 1.0);
  return std::erfc(z / std::numbers::sqrt2);
}

/// Each class has one weight, at least two samples, and the weights are not all equal.
bool is_function_of_class(const Dataset& data, const Vector& weights) {
  struct OfClass {
    double weight = 0.0;
    Index count = 0;
  };
  std::map<std::string, OfClass> classes;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    OfClass& own = classes.try_emplace(data.table.labels[i], OfClass{weights[i], 0}).first->second;
    if (own.weight != weights[i]) return false;
    ++own.count;
  }
  const double first = classes.begin()->second.weight;
  return std::ranges::all_of(classes, [](const auto& one) { return one.second.count > 1; }) &&
         std::ranges::any_of(classes, [&](const auto& one) { return one.second.weight != first; });
}

}  // namespace

bool weights_follow_labels(const Dataset& data, const TrainOptions& options) {
  const Vector& weights = options.sample_weights;
  const bool are_equal =
      std::ranges::adjacent_find(weights, std::not_equal_to<>()) == weights.end();
  if (are_equal || loss_target(options.loss) == Target::none) return false;
  if (has_classes(data, options) && is_function_of_class(data, weights)) return true;
  const std::vector<Vector> columns = label_columns(data, options);
  const Vector of_weights = ranks(means_of_units(weights, options.groups), false);
  return std::ranges::any_of(columns, [&](const Vector& column) {
    const Vector own = ranks(means_of_units(column, options.groups), false);
    const double p = p_of_correlation(correlation(own, of_weights), of_weights.size());
    return p * static_cast<double>(columns.size()) < kSignificant;
  });
}

Vector weights_in_order(const Vector& weights, const std::vector<Index>& order, bool follow) {
  return follow && !order.empty() && !weights.empty() ? entries_at(weights, order) : weights;
}

Warning warning_of_weights(const Dataset& data, const TrainOptions& options) {
  std::string means;
  if (has_classes(data, options)) {
    std::map<std::string, std::pair<double, double>> classes;
    for (std::size_t i = 0; i < options.sample_weights.size(); ++i) {
      auto& [sum, count] = classes[data.table.labels[i]];
      sum += options.sample_weights[i];
      count += 1.0;
    }
    std::vector<std::string> texts;
    for (const auto& [name, own] : classes) {
      texts.push_back(fmt::format("{:.3g} in '{}'", own.first / own.second, name));
    }
    constexpr std::size_t shown = 5;
    if (texts.size() <= shown) means = fmt::format(" (mean {})", fmt::join(texts, ", "));
  }
  return {
      "weights-follow-labels",
      fmt::format("the sample weights depend on the labels{}, so permutations move the weight of a "
                  "sample along with its label: p-values and permuted models are valid if the data "
                  "are independent of both. Weights that only balance classes are class weights: "
                  "leave the sample weights out and ask for balanced class weights",
                  means),
      {}};
}

}  // namespace kernmix
