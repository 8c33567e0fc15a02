#include "selection/part_score.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>

#include "base/samples.hpp"
#include "data/number.hpp"
#include "kernmix/loss.hpp"
#include "model/cross_fitting/cross_fit.hpp"
#include "model/targets.hpp"
#include "selection/rows.hpp"

namespace kernmix {
namespace {

/// The part of a model that scores() needs.
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

/// Indices of the classes of a table among all classes.
std::set<Index> classes_in(const WholeClasses& whole, const Table& table) {
  if (whole.names.empty()) return {};
  const std::vector<Index> codes = ClassLabels{whole.names}.encode(table.labels);
  return {codes.begin(), codes.end()};
}

bool ranks(std::string_view metric) {
  for (const std::string_view kind :
       {"auc", "average_precision", "log_loss", "brier_score", "expected_calibration_error"}) {
    if (metric.find(kind) != std::string_view::npos) return true;
  }
  return false;
}

void leave_out_rankings(std::vector<Metric>& metrics) {
  for (Metric& metric : metrics) {
    if (ranks(metric.name)) metric.value = metric.low = metric.high = std::nullopt;
  }
}

Matrix filled(Index rows, double value) {
  Matrix column(rows, 1);
  std::ranges::fill(column.values, value);
  return column;
}

/// Extends columns of some classes to all classes, with `other` for missing ones.
Matrix among_all(const Matrix& some, const std::vector<Index>& places, Index all, double other) {
  Matrix wide(some.rows, all);
  std::ranges::fill(wide.values, other);
  for (Index i = 0; i < some.rows; ++i) {
    for (Index k = 0; k < some.cols; ++k) wide(i, places[to_size(k)]) = some(i, k);
  }
  return wide;
}

/// Extends the prediction of a model with some of the classes to all classes.
void widen(const std::vector<std::string>& names, PartScore& score) {
  const std::vector<Index> places = ClassLabels{names}.encode(score.learned.names);
  const Index K = length(names);
  Prediction& prediction = score.prediction;
  prediction.decision =
      among_all(prediction.decision, places, K, -std::numeric_limits<double>::infinity());
  if (prediction.probability.rows > 0) {
    prediction.probability = among_all(prediction.probability, places, K, 0.0);
  }
  for (Index& winner : prediction.winner) winner = places[to_size(winner)];
  score.learned.names = names;
  score.learned.tasks.resize(names.size());
}

/// All samples are assigned to the only class of the part.
PartScore constant_score(const WholeClasses& whole, const TrainOptions& options, Index only,
                         Index samples) {
  const Index K = length(whole.names);
  const bool single = whole.scheme == TaskScheme::single;
  PartScore score;
  score.learned.settings.loss = options.loss;
  score.learned.settings.regularizer = options.regularizer;
  score.learned.settings.C = cost_of(options);
  score.learned.target = Target::classes;
  score.learned.scheme = *whole.scheme;
  score.learned.names = whole.names;
  score.learned.tasks.resize(single ? 1 : whole.names.size());
  Prediction& prediction = score.prediction;
  prediction.winner.assign(to_size(samples), only);
  const double positive = only == 1 ? 1.0 : 0.0;
  constexpr double never = -std::numeric_limits<double>::infinity();
  prediction.decision = single ? filled(samples, 2.0 * positive - 1.0)
                               : among_all(filled(samples, 1.0), {only}, K, never);
  const bool has_probability =
      options.calibration != CalibrationMethod::none || (gives_probability(options.loss) && single);
  if (!has_probability) return score;
  prediction.probability =
      single ? filled(samples, positive) : among_all(filled(samples, 1.0), {only}, K, 0.0);
  return score;
}

std::vector<Metric> metrics_of(const WholeClasses& whole, const std::set<Index>& known,
                               const Table& test, const Model& learned,
                               const Prediction& prediction, ConstSpan weights) {
  std::vector<Metric> metrics = scores(learned, test, with_finite_decisions(prediction), weights);
  const std::set<Index> tested = classes_in(whole, test);
  const bool all_known = std::ranges::includes(known, tested);
  if (!whole.names.empty() && (!all_known || known.size() < 2)) leave_out_rankings(metrics);
  return metrics;
}

}  // namespace

Prediction with_finite_decisions(Prediction prediction) {
  double least = 0.0;
  for (const double value : prediction.decision.values) {
    if (std::isfinite(value)) least = std::min(least, value);
  }
  for (double& value : prediction.decision.values) {
    if (!std::isfinite(value)) value = least - 1.0;
  }
  return prediction;
}

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
  (void)weights_of_classes(options.class_weights,
                           whole.names);  // checks them for the classes of all samples
  return whole;
}

TrainOptions options_of_part(const WholeClasses& whole, const TrainOptions& options,
                             const Dataset& part, const std::vector<Index>& rows) {
  TrainOptions own = options_on(options, rows);
  if (whole.names.empty()) return own;
  own.scheme = whole.scheme;
  if (own.class_weights.empty()) return own;
  const std::set<Index> known = classes_in(whole, part.table);
  for (Index k = 0; k < length(whole.names); ++k) {
    if (known.contains(k)) continue;
    std::erase_if(own.class_weights, [&](const auto& weight) {
      return same_label(weight.first, whole.names[to_size(k)]);
    });
  }
  return own;
}

std::vector<Metric> metrics_at(const WholeClasses& whole, const Dataset& part, const TestPart& test,
                               const PartScore& score, const std::vector<Index>& rows) {
  return metrics_of(whole, classes_in(whole, part.table), truth_at(test.data.table, rows),
                    score.learned, prediction_at(score.prediction, rows),
                    entries_at(test.weights, rows));
}

std::optional<PartScore> score_part(const WholeClasses& whole, const TrainOptions& options,
                                    const Dataset& part, const TestPart& test,
                                    const TrainOnPart& train, const Context& context,
                                    const PredictPart& predict_test) {
  const std::set<Index> known = classes_in(whole, part.table);
  PartScore score;
  if (known.size() == 1) {
    score = constant_score(whole, options, *known.begin(), length(test.data.table.labels));
  } else {
    score.trained = train(options);
    if (!score.trained) return std::nullopt;
    score.learned = outline_of(score.trained->model);
    const Model& model = score.trained->model;
    score.prediction = predict_test ? predict_test(model) : predict(model, test.data, context);
    if (score.learned.names.size() < whole.names.size()) widen(whole.names, score);
  }
  score.metrics =
      metrics_of(whole, known, test.data.table, score.learned, score.prediction, test.weights);
  return score;
}

}  // namespace kernmix
