#pragma once
/// \file
/// Probabilities from decision values. A map is fitted to decision values of samples that the model
/// was not trained on, and increases with the decision value, so that it preserves ranks.
///
/// All three methods are fitted to Platt's targets instead of 1 and 0 (Platt 1999), with N+ and N-
/// samples, or sums of their weights, of either sign:
///
///     t = (N+ + 1) / (N+ + 2) where y = +1,    t = 1 / (N- + 2) where y = -1,
///
/// so that probabilities of exactly 0 or 1 do not occur.

#include <string>
#include <variant>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

enum class CalibrationMethod { none, platt, isotonic, beta };
/// "none", "platt", "isotonic" or "beta".
[[nodiscard]] std::string calibration_name(CalibrationMethod method);
/// \throws ParameterError naming the known ones
[[nodiscard]] CalibrationMethod parse_calibration(const std::string& name);

/// p(f) = 1 / (1 + exp(-(slope f + intercept)))
struct PlattMap {
  double slope = 0.0;  ///< >= 0
  double intercept = 0.0;
  friend bool operator==(const PlattMap&, const PlattMap&) = default;
};

/// Linear between knots, constant beyond the first and the last.
struct IsotonicMap {
  Vector decision;     ///< of each knot, ascending; at least one
  Vector probability;  ///< of each knot, in [0, 1], nondecreasing
  friend bool operator==(const IsotonicMap&, const IsotonicMap&) = default;
};

/// p(f) = 1 / (1 + exp(-c) (1 - s)^b / s^a) with s = 1 / (1 + exp(-f / scale)): decision values
/// mapped to (0, 1). a determines the steepness below, b above; a = b is Platt's map.
struct BetaMap {
  double a = 0.0;  ///< >= 0
  double b = 0.0;  ///< >= 0
  double c = 0.0;
  double scale = 1.0;  ///< > 0: the root of the mean square of the decision values of the fit
  friend bool operator==(const BetaMap&, const BetaMap&) = default;
};

using ProbabilityMap = std::variant<PlattMap, IsotonicMap, BetaMap>;

/// At least 2^-53 and at most 1 - 2^-53; nondecreasing in the decision value.
[[nodiscard]] double probability_at(const ProbabilityMap& map, double decision);

/// Minimises the log loss for Platt's targets by Newton's method with backtracking (Lin, Lin and
/// Weng, Machine Learning 68, 2007). If a decreasing map would be better, the slope is 0.
/// \param y  +1 or -1, at least one;  \param decision  finite, as many;  \param weights  > 0, or
/// none: all 1
/// \throws ParameterError if lengths differ or a value is out of range
[[nodiscard]] PlattMap fit_platt(ConstSpan y, ConstSpan decision, ConstSpan weights = {});

/// The nondecreasing map with the least squared difference to `target`, by pooling adjacent
/// violators (Ayer et al. 1955): scikit-learn's IsotonicRegression(out_of_bounds="clip").
/// \param target  in [0, 1];  \throws ParameterError as fit_platt
[[nodiscard]] IsotonicMap fit_isotonic(ConstSpan target, ConstSpan decision,
                                       ConstSpan weights = {});

/// Minimises the log loss for Platt's targets with a, b >= 0 (Kull, Silva Filho and Flach, AISTATS
/// 2017). \throws ParameterError as fit_platt
[[nodiscard]] BetaMap fit_beta(ConstSpan y, ConstSpan decision, ConstSpan weights = {});

/// Platt's target of each sample. \throws ParameterError as fit_platt
[[nodiscard]] Vector platt_targets(ConstSpan y, ConstSpan weights = {});

/// Fits by any method except `none`; isotonic with Platt's targets. \throws ParameterError as
/// fit_platt
[[nodiscard]] ProbabilityMap fit_calibration(CalibrationMethod method, ConstSpan y,
                                             ConstSpan decision, ConstSpan weights = {});

[[nodiscard]] CalibrationMethod method_of(const ProbabilityMap& map);

/// True if the map is constant: in the fit, larger decision values did not indicate the positive
/// side.
[[nodiscard]] bool is_constant(const ProbabilityMap& map);

/// \throws ParameterError for invalid parameters
void check_map(const ProbabilityMap& map);

/// n x outputs. \param maps  one for each column;  \param compete  exactly one of the columns is
/// true for a sample, and its probabilities are divided by their sum
[[nodiscard]] Matrix calibrated_probabilities(const std::vector<ProbabilityMap>& maps,
                                              const Matrix& decision, bool compete);

}  // namespace kernmix
