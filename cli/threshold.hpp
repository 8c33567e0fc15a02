#pragma once
/// \file
/// Labels by a threshold on probabilities, as costs of errors ask for.

#include <optional>
#include <string>

#include "kernmix/train.hpp"
#include "options.hpp"

namespace kernmix::cli {

/// --threshold and --cost.
struct ThresholdArguments {
  std::string threshold;
  std::string cost;
};
void add_threshold_options(CLI::App& app, ThresholdArguments& arguments);

/// The threshold that is asked for: P, or of the cost A:B the number B / (A + B).
/// \throws ParameterError for other texts, and for a model without probabilities of two classes or
/// of labels
[[nodiscard]] std::optional<double> threshold_of(const ThresholdArguments& arguments,
                                                 const Model& model, const std::string& file);

/// The positive class, or a label, is predicted where its probability is at least `threshold`.
void apply_threshold(const Model& model, double threshold, Prediction& prediction);

}  // namespace kernmix::cli
