#pragma once
/// \file
/// How good predicted numbers are, with 95 % intervals: with e_i = y_i - prediction_i,
/// MSE = mean e_i^2, MAE = mean |e_i|, R^2 = 1 - sum e_i^2 / sum (y_i - mean y)^2.

#include <vector>

#include "kernmix/loss.hpp"
#include "kernmix/metrics/metrics.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// rmse, mse, mae, r2 and, for every loss but the squared one, the mean of the loss that the model
/// was trained with ("pinball_loss" for pinball).
/// \param y targets, at least one;  \param prediction finite, same length
/// \throws ParameterError when lengths differ or a number is not finite
[[nodiscard]] std::vector<Metric> evaluate_numbers(const Loss& loss, ConstSpan y,
                                                   ConstSpan prediction);

/// Mean of values >= 0. Interval: normal on the log scale with the standard error of the mean;
/// absent where all values are equal.
[[nodiscard]] Metric mean_metric(const std::string& name, ConstSpan values);

/// Absent for equal targets. Interval: normal for log(1 - R^2), whose error is that of a ratio of
/// means (delta method): error(U)^2 = sum_i (e_i^2 - U t_i^2)^2 / (n (n - 1) mean(t^2)^2) with
/// U = 1 - R^2 and t_i = y_i - mean y.
[[nodiscard]] Metric r_squared(ConstSpan y, ConstSpan prediction);

}  // namespace kernmix
