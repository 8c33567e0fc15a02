#include "kernmix/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/mean.hpp"
#include "base/names.hpp"
#include "calibration/fit_input.hpp"
#include "calibration/logistic_fit.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

double probability(const PlattMap& map, double f) { return sigmoid(map.slope * f + map.intercept); }

double probability(const IsotonicMap& map, double f) {
  const auto above = std::ranges::upper_bound(map.decision, f);
  if (above == map.decision.begin()) return map.probability.front();
  const auto right = to_size(above - map.decision.begin());
  if (above == map.decision.end()) return map.probability.back();
  const std::size_t left = right - 1;
  const double share = (f - map.decision[left]) / (map.decision[right] - map.decision[left]);
  return std::lerp(map.probability[left], map.probability[right], share);
}

/// log s = -softplus(-u) and -log(1 - s) = softplus(u) with u = f / scale.
double probability(const BetaMap& map, double f) {
  const double u = f / map.scale;
  return sigmoid(map.b * softplus(u) - map.a * softplus(-u) + map.c);
}

bool is_flat(const PlattMap& map) { return map.slope == 0.0; }
bool is_flat(const IsotonicMap& map) { return map.probability.front() == map.probability.back(); }
bool is_flat(const BetaMap& map) { return map.a == 0.0 && map.b == 0.0; }

/// The root mean square; 1 if all values are 0. \param weights of the values
double typical_size(ConstSpan values, ConstSpan weights) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  if (largest == 0.0) return 1.0;
  Vector squares;
  for (const double value : values) squares.push_back((value / largest) * (value / largest));
  return largest * std::sqrt(mean_of_values(squares, weights));
}

void require_map(bool holds, const char* sentence) {
  if (!holds) throw ParameterError(sentence);
}

void check_numbers_of(const PlattMap& map) {
  require_map(std::isfinite(map.slope) && map.slope >= 0.0 && std::isfinite(map.intercept),
              "a Platt map has a slope >= 0 and a finite intercept");
}

void check_numbers_of(const IsotonicMap& map) {
  const auto finite = [](double value) { return std::isfinite(value); };
  require_map(
      !map.decision.empty() && map.decision.size() == map.probability.size() &&
          std::ranges::all_of(map.decision, finite) &&
          std::ranges::adjacent_find(map.decision, std::greater_equal<>()) == map.decision.end(),
      "an isotonic map has ascending decision values, one for each probability");
  require_map(std::ranges::all_of(map.probability, finite) &&
                  std::ranges::is_sorted(map.probability) && map.probability.front() >= 0.0 &&
                  map.probability.back() <= 1.0,
              "an isotonic map has probabilities from 0 to 1 that do not decrease");
}

void check_numbers_of(const BetaMap& map) {
  require_map(std::isfinite(map.a) && map.a >= 0.0 && std::isfinite(map.b) && map.b >= 0.0 &&
                  std::isfinite(map.c) && std::isfinite(map.scale) && map.scale > 0.0,
              "a beta map has a and b >= 0, a finite c and a scale > 0");
}

constexpr Named<CalibrationMethod> calibration_names[] = {{CalibrationMethod::none, "none"},
                                                          {CalibrationMethod::platt, "platt"},
                                                          {CalibrationMethod::isotonic, "isotonic"},
                                                          {CalibrationMethod::beta, "beta"}};

}  // namespace

std::string calibration_name(CalibrationMethod method) {
  return name_in(calibration_names, method);
}

CalibrationMethod parse_calibration(const std::string& name) {
  if (const auto method = find_in(calibration_names, name)) return *method;
  throw ParameterError(
      fmt::format("the calibration must be none, platt, isotonic or beta, got '{}'", name));
}

void check_fit_input(ConstSpan values, ConstSpan decision, ConstSpan weights) {
  if (values.empty() || values.size() != decision.size() ||
      (!weights.empty() && weights.size() != values.size())) {
    throw ParameterError(fmt::format(
        "a calibration needs one decision value, and where there are weights one weight, for each "
        "of at least one label, got {} labels, {} values and {} weights",
        values.size(), decision.size(), weights.size()));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]) || !std::isfinite(decision[i])) {
      throw ParameterError(fmt::format("decision value or label {} is not finite", i + 1));
    }
    if (!(weight_at(weights, i) > 0.0) || !std::isfinite(weight_at(weights, i))) {
      throw ParameterError(fmt::format("weight {} is not > 0", i + 1));
    }
  }
}

Vector platt_targets(ConstSpan y, ConstSpan weights) {
  double positive = 0.0;
  double negative = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] != 1.0 && y[i] != -1.0) {
      throw ParameterError(fmt::format("label {} must be +1 or -1, got {}", i + 1, y[i]));
    }
    (y[i] > 0.0 ? positive : negative) += weight_at(weights, i);
  }
  Vector target;
  for (const double sign : y) {
    target.push_back(sign > 0.0 ? (positive + 1.0) / (positive + 2.0) : 1.0 / (negative + 2.0));
  }
  return target;
}

PlattMap fit_platt(ConstSpan y, ConstSpan decision, ConstSpan weights) {
  check_fit_input(y, decision, weights);
  Matrix features(static_cast<Index>(decision.size()), 1);
  std::ranges::copy(decision, features.values.begin());
  const LogisticFit fit = fit_logistic(features, platt_targets(y, weights), weights);
  return {fit.slopes.front(), fit.intercept};
}

BetaMap fit_beta(ConstSpan y, ConstSpan decision, ConstSpan weights) {
  check_fit_input(y, decision, weights);
  const double scale = typical_size(decision, weights);
  Matrix features(static_cast<Index>(decision.size()), 2);
  for (Index i = 0; i < features.rows; ++i) {
    const double u = decision[to_size(i)] / scale;
    features(i, 0) = -softplus(-u);
    features(i, 1) = softplus(u);
  }
  const LogisticFit fit = fit_logistic(features, platt_targets(y, weights), weights);
  return {fit.slopes[0], fit.slopes[1], fit.intercept, scale};
}

ProbabilityMap fit_calibration(CalibrationMethod method, ConstSpan y, ConstSpan decision,
                               ConstSpan weights) {
  switch (method) {
    case CalibrationMethod::platt:
      return fit_platt(y, decision, weights);
    case CalibrationMethod::isotonic:
      check_fit_input(y, decision, weights);
      return fit_isotonic(platt_targets(y, weights), decision, weights);
    case CalibrationMethod::beta:
      return fit_beta(y, decision, weights);
    case CalibrationMethod::none:
      break;
  }
  throw ParameterError("the calibration 'none' has nothing to fit; choose platt, isotonic or beta");
}

CalibrationMethod method_of(const ProbabilityMap& map) {
  if (std::holds_alternative<PlattMap>(map)) return CalibrationMethod::platt;
  return std::holds_alternative<BetaMap>(map) ? CalibrationMethod::beta
                                              : CalibrationMethod::isotonic;
}

bool is_constant(const ProbabilityMap& map) {
  return std::visit([](const auto& own) { return is_flat(own); }, map);
}

void check_map(const ProbabilityMap& map) {
  std::visit([](const auto& own) { check_numbers_of(own); }, map);
}

double probability_at(const ProbabilityMap& map, double decision) {
  constexpr double least = 0.5 * std::numeric_limits<double>::epsilon();  // 1 - least < 1
  const double p = std::visit([&](const auto& own) { return probability(own, decision); }, map);
  return std::clamp(p, least, 1.0 - least);
}

Matrix calibrated_probabilities(const std::vector<ProbabilityMap>& maps, const Matrix& decision,
                                bool compete) {
  if (static_cast<Index>(maps.size()) != decision.cols) {
    throw ParameterError(
        fmt::format("{} columns of decision values have {} maps", decision.cols, maps.size()));
  }
  Matrix all(decision.rows, decision.cols);
  for (Index i = 0; i < all.rows; ++i) {
    const MutableSpan row = all.row(i);
    for (std::size_t k = 0; k < row.size(); ++k) {
      row[k] = probability_at(maps[k], decision.row(i)[k]);
    }
    if (!compete) continue;
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    const double even = 1.0 / static_cast<double>(row.size());
    for (double& p : row) p = sum > 0.0 ? p / sum : even;
  }
  return all;
}

}  // namespace kernmix
