#include "selection/part_score.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "base/samples.hpp"
#include "selection/rows.hpp"

namespace kernmix {
namespace {

bool ranks(std::string_view metric) {
  for (const std::string_view kind :
       {"auc", "average_precision", "log_loss", "brier_score", "expected_calibration_error"}) {
    if (metric.find(kind) != std::string_view::npos) return true;
  }
  return false;
}

/// Of test samples of one class, every ranking has an average precision of 1 for this class.
bool is_precision_of_ranking(std::string_view metric) {
  return metric.find("average_precision") != std::string_view::npos || metric.ends_with("auc_pr");
}

void leave_out(std::vector<Metric>& metrics, bool (*leaves_out)(std::string_view)) {
  for (Metric& metric : metrics) {
    if (leaves_out(metric.name)) metric.value = metric.low = metric.high = std::nullopt;
  }
}

std::vector<Metric> metrics_of(const WholeClasses& whole, const Table& part, const Table& test,
                               const Model& learned, const Prediction& prediction,
                               ConstSpan weights) {
  std::vector<Metric> metrics = scores(learned, test, with_finite_decisions(prediction), weights);
  const std::set<Index> known = whole.in(part);
  const std::set<Index> tested = whole.in(test);
  const bool all_known = std::ranges::includes(known, tested);
  if (whole.names.empty()) return metrics;
  if (!all_known || known.size() < 2) leave_out(metrics, ranks);
  if (tested.size() < 2) leave_out(metrics, is_precision_of_ranking);
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

std::optional<PartScore> score_part(PartFits& fits, const TrainOptions& options,
                                    const std::string& name, Purpose purpose) {
  return fits.in_time(name, [&]() -> std::optional<PartScore> {
    std::optional<PartAnswer> answer = fits.answer(options, purpose);
    if (!answer) return std::nullopt;
    PartScore score{std::move(*answer), {}};
    const FoldData& samples = fits.samples();
    score.metrics = metrics_of(fits.classes(options), samples.train.table, samples.test.table,
                               score.learned, score.prediction, fits.test_weights(options));
    return score;
  });
}

std::vector<Metric> metrics_at(PartFits& fits, const TrainOptions& options,
                               const PartAnswer& answer, const std::vector<Index>& rows) {
  const FoldData& samples = fits.samples();
  return metrics_of(fits.classes(options), samples.train.table, truth_at(samples.test.table, rows),
                    answer.learned, prediction_at(answer.prediction, rows),
                    entries_at(fits.test_weights(options), rows));
}

}  // namespace kernmix
