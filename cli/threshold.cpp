#include "threshold.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/text.hpp"
#include "command.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"

namespace kernmix::cli {
namespace {

double parse_threshold(const std::string& text) {
  const std::optional<double> number = parse_number(text);
  if (number && *number > 0.0 && *number < 1.0) return *number;
  throw ParameterError(fmt::format("--threshold: {} is not a probability between 0 and 1",
                                   kernmix::in_quotes(text)));
}

double threshold_of_cost(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto cost = [&](std::size_t begin, std::size_t count) {
    return parse_number(std::string(trim(std::string_view(text).substr(begin, count))));
  };
  if (colon != std::string::npos) {
    const std::optional<double> missed = cost(0, colon);
    const std::optional<double> false_alarm = cost(colon + 1, std::string::npos);
    const auto is_cost = [](const std::optional<double>& value) {
      return value && std::isfinite(*value) && *value > 0.0;
    };
    if (is_cost(missed) && is_cost(false_alarm)) {
      // Halves, so that no sum of finite costs overflows.
      return 0.5 * *false_alarm / (0.5 * *missed + 0.5 * *false_alarm);
    }
  }
  throw ParameterError(
      fmt::format("--cost: {} is not A:B, two numbers > 0: the cost of a sample of the positive "
                  "class that is missed, and that of a false alarm, as in 10:1",
                  kernmix::in_quotes(text)));
}

void require_probabilities(const Model& model, const std::string& option, const std::string& file) {
  if (model.target != Target::classes || !(model.single() || model.of_labels())) {
    throw ParameterError(fmt::format(
        "{}: {} does not predict two classes or labels, and only these have one threshold", option,
        file));
  }
  if (!model.calibration.empty() || gives_probability(model.settings.loss)) return;
  throw ParameterError(
      fmt::format("{}: {} has no probabilities; train it again with --calibrate platt, isotonic or "
                  "beta, or with --loss logistic",
                  option, file));
}

}  // namespace

void add_threshold_options(CLI::App& app, ThresholdArguments& arguments) {
  OptionGroup group(app, "Threshold");
  group.value("--threshold", arguments.threshold, "P",
              "Predict the positive class, or a label, where its probability is at least P "
              "[default: 0.5]; the model needs probabilities (--calibrate or --loss logistic)");
  group.value("--cost", arguments.cost, "A:B",
              "The same with the threshold B / (A + B): missing a sample of the positive class "
              "costs A, a false alarm B, for example 10:1");
}

std::optional<double> threshold_of(const ThresholdArguments& arguments, const Model& model,
                                   const std::string& file) {
  if (arguments.threshold.empty() && arguments.cost.empty()) return std::nullopt;
  if (!arguments.threshold.empty() && !arguments.cost.empty()) {
    throw ParameterError("--threshold and --cost give the same number: give one of them");
  }
  const bool by_cost = arguments.threshold.empty();
  const double threshold =
      by_cost ? threshold_of_cost(arguments.cost) : parse_threshold(arguments.threshold);
  require_probabilities(model, by_cost ? "--cost" : "--threshold", file);
  return threshold;
}

void apply_threshold(const Model& model, double threshold, Prediction& prediction) {
  const TaskModel& task = model.tasks.front();
  for (Index i = 0; i < prediction.probability.rows; ++i) {
    if (!model.of_labels()) {
      const bool positive = prediction.probability(i, 0) >= threshold;
      prediction.winner[to_size(i)] = positive ? task.positive : task.negative;
      continue;
    }
    for (Index t = 0; t < prediction.probability.cols; ++t) {
      prediction.has_label[to_size(i * prediction.probability.cols + t)] =
          prediction.probability(i, t) >= threshold ? 1 : 0;
    }
  }
}

}  // namespace kernmix::cli
