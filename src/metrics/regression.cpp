#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/arguments.hpp"
#include "kernmix/error.hpp"
#include "kernmix/metrics.hpp"
#include "loss/any.hpp"
#include "metrics/intervals.hpp"
#include "metrics/weights.hpp"

namespace kernmix {
namespace {

void check_numbers(ConstSpan y, ConstSpan prediction) {
  if (y.size() != prediction.size() || y.empty()) {
    throw ParameterError(
        fmt::format("evaluation needs one prediction for each of at least one target, got {} "
                    "targets and {} predictions",
                    y.size(), prediction.size()));
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!std::isfinite(y[i])) throw ParameterError(fmt::format("target {} is not finite", i + 1));
    if (!std::isfinite(prediction[i])) {
      throw ParameterError(fmt::format("prediction {} is not finite", i + 1));
    }
  }
}

/// The square root of a metric and of its limits.
Metric root_of(const std::string& name, Metric metric) {
  metric.name = name;
  for (auto* part : {&metric.value, &metric.low, &metric.high}) {
    if (*part) *part = std::sqrt(**part);
  }
  return metric;
}

/// l(y_i, prediction_i) for each sample.
Vector sample_losses(const Loss& loss, ConstSpan y, ConstSpan prediction) {
  Vector losses(y.size(), 0.0);
  visit(
      [&]<typename L>(const L& l) {
        if constexpr (IsSeparableLoss<L>) {
          for (std::size_t i = 0; i < y.size(); ++i) losses[i] = l.value(y[i], prediction[i], 1.0);
        }
      },
      loss);
  return losses;
}

/// "squared-epsilon:0.1" -> "squared_epsilon_loss".
std::string loss_metric_name(const std::string& text) {
  std::string name = name_of(text) + "_loss";
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace

Metric mean_metric(const std::string& name, ConstSpan values, ConstSpan weights) {
  require_weights(weights, values.size());
  return with_log_interval(name, mean_of_values(values, weights), standard_error(values, weights));
}

Metric r_squared(ConstSpan y, ConstSpan prediction, ConstSpan weights) {
  check_numbers(y, prediction);
  require_weights(weights, y.size());
  const auto [least, most] = std::minmax_element(y.begin(), y.end());
  if (*least == *most) return {"r2", {}, {}, {}};
  const double centre = mean_of_values(y, weights);
  Vector errors(y.size());
  Vector spread(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    errors[i] = (y[i] - prediction[i]) * (y[i] - prediction[i]);
    spread[i] = (y[i] - centre) * (y[i] - centre);
  }
  const double total = mean_of_values(spread, weights);
  const double unexplained = mean_of_values(errors, weights) / total;
  Vector influence(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) influence[i] = errors[i] - unexplained * spread[i];
  const double error = standard_error(influence, weights) / total;
  const Metric left = with_log_interval("r2", unexplained, error);
  if (!left.low) return {"r2", 1.0 - unexplained, {}, {}};
  return {"r2", 1.0 - unexplained, 1.0 - *left.high, 1.0 - *left.low};
}

std::vector<Metric> evaluate_numbers(const Loss& loss, ConstSpan y, ConstSpan prediction,
                                     ConstSpan weights) {
  check_numbers(y, prediction);
  Vector squares(y.size());
  Vector sizes(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    sizes[i] = std::abs(y[i] - prediction[i]);
    squares[i] = sizes[i] * sizes[i];
  }
  const Metric mse = mean_metric("mse", squares, weights);
  std::vector<Metric> metrics = {root_of("rmse", mse), mse, mean_metric("mae", sizes, weights),
                                 r_squared(y, prediction, weights)};
  if (!is<Squared>(loss)) {
    metrics.push_back(mean_metric(loss_metric_name(loss_text(loss)),
                                  sample_losses(loss, y, prediction), weights));
  }
  return metrics;
}

}  // namespace kernmix
