#include "model/fits/part_answer.hpp"

#include <algorithm>
#include <limits>

#include "base/samples.hpp"
#include "data/number.hpp"
#include "kernmix/loss.hpp"
#include "model/targets.hpp"

namespace kernmix {
namespace {

/// What is asked of a model that has predicted.
Model outline_of(const Model& model) {
  Model outline;
  outline.settings = model.settings;
  outline.target = model.target;
  outline.scheme = model.scheme;
  outline.names = model.names;
  outline.tasks.resize(model.tasks.size());
  for (std::size_t k = 0; k < model.tasks.size(); ++k) {
    outline.tasks[k].threshold = model.tasks[k].threshold;
  }
  return outline;
}

Matrix filled(Index rows, double value) {
  Matrix column(rows, 1);
  std::ranges::fill(column.values, value);
  return column;
}

/// Columns of some classes among those of all, with `other` in place of the missing ones.
Matrix among_all(const Matrix& some, const std::vector<Index>& places, Index all, double other) {
  Matrix wide(some.rows, all);
  std::ranges::fill(wide.values, other);
  for (Index i = 0; i < some.rows; ++i) {
    for (Index k = 0; k < some.cols; ++k) wide(i, places[to_size(k)]) = some(i, k);
  }
  return wide;
}

/// The prediction of a model that knows some of the classes, as one that knows them all.
void widen(const std::vector<std::string>& names, PartAnswer& answer) {
  const std::vector<Index> places = ClassLabels{names}.encode(answer.learned.names);
  const Index K = length(names);
  Prediction& prediction = answer.prediction;
  prediction.decision =
      among_all(prediction.decision, places, K, -std::numeric_limits<double>::infinity());
  if (prediction.probability.rows > 0) {
    prediction.probability = among_all(prediction.probability, places, K, 0.0);
  }
  for (Index& winner : prediction.winner) winner = places[to_size(winner)];
  answer.learned.names = names;
  answer.learned.tasks.resize(names.size());
}

}  // namespace

WholeClasses WholeClasses::of(const Dataset& data, const TrainOptions& options) {
  const Table& table = data.table;
  const bool classes = loss_target(options.loss) == Target::classes &&
                       table.multi_labels.names.empty() && table.targets.empty() &&
                       !table.labels.empty();
  if (!classes) return {};
  const TaskScheme scheme = training_scheme(table, options);
  WholeClasses whole{{}, scheme};
  if (scheme == TaskScheme::single) {
    const BinaryLabels both = BinaryLabels::find(table.labels, options.positive);
    whole.names = {both.negative, both.positive};
  } else {
    whole.names = ClassLabels::find(table.labels).names;
  }
  (void)weights_of_classes(options.class_weights, whole.names);  // names those of all samples
  return whole;
}

std::set<Index> WholeClasses::in(const Table& table) const {
  if (names.empty()) return {};
  const std::vector<Index> codes = ClassLabels{names}.encode(table.labels);
  return {codes.begin(), codes.end()};
}

TrainOptions options_on(const TrainOptions& options, const std::vector<Index>& rows) {
  TrainOptions own = options;
  own.trace = nullptr;
  own.similar_kernels = 0;
  own.sample_weights = entries_at(options.sample_weights, rows);
  own.groups = entries_at(options.groups, rows);
  own.landmarks.of_part = true;
  return own;
}

TrainOptions without_cross_fits(TrainOptions options) {
  options.threshold_folds = 0;
  options.calibration = CalibrationMethod::none;
  return options;
}

TrainOptions options_of_part(const WholeClasses& whole, const TrainOptions& options,
                             const Dataset& part, const std::vector<Index>& rows) {
  TrainOptions own = options_on(options, rows);
  if (whole.names.empty()) return own;
  own.scheme = whole.scheme;
  if (own.class_weights.empty()) return own;
  const std::set<Index> known = whole.in(part.table);
  for (Index k = 0; k < length(whole.names); ++k) {
    if (known.contains(k)) continue;
    std::erase_if(own.class_weights, [&](const auto& weight) {
      return same_label(weight.first, whole.names[to_size(k)]);
    });
  }
  return own;
}

std::optional<Index> only_class(const WholeClasses& whole, const Table& part) {
  const std::set<Index> known = whole.in(part);
  return known.size() == 1 ? std::optional(*known.begin()) : std::nullopt;
}

PartAnswer constant_answer(const WholeClasses& whole, const TrainOptions& options, Index only,
                           Index samples) {
  const Index K = length(whole.names);
  const bool single = whole.scheme == TaskScheme::single;
  PartAnswer answer;
  answer.learned.settings.loss = options.loss;
  answer.learned.settings.regularizer = options.regularizer;
  answer.learned.settings.C = cost_of(options);
  answer.learned.target = Target::classes;
  answer.learned.scheme = *whole.scheme;
  answer.learned.names = whole.names;
  answer.learned.tasks.resize(single ? 1 : whole.names.size());
  Prediction& prediction = answer.prediction;
  prediction.winner.assign(to_size(samples), only);
  const double positive = only == 1 ? 1.0 : 0.0;
  constexpr double never = -std::numeric_limits<double>::infinity();
  prediction.decision = single ? filled(samples, 2.0 * positive - 1.0)
                               : among_all(filled(samples, 1.0), {only}, K, never);
  const bool has_probability =
      options.calibration != CalibrationMethod::none || (gives_probability(options.loss) && single);
  if (!has_probability) return answer;
  prediction.probability =
      single ? filled(samples, positive) : among_all(filled(samples, 1.0), {only}, K, 0.0);
  return answer;
}

PartAnswer among_all_classes(const WholeClasses& whole, TrainResult trained,
                             Prediction prediction) {
  PartAnswer answer{std::move(prediction), outline_of(trained.model), std::move(trained)};
  if (answer.learned.names.size() < whole.names.size()) widen(whole.names, answer);
  return answer;
}

}  // namespace kernmix
