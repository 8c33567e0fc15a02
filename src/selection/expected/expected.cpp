// Of a metric T with values T_b without the units of part b of B: variance
// c (B - 1) / B sum_b (T_b - mean T_b)^2, quantile of Student's t with B - 1 degrees of freedom; c
// accounts for overlapping training sets.

#include "kernmix/selection/expected.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "base/mean.hpp"
#include "base/samples.hpp"
#include "metrics/intervals.hpp"
#include "model/targets.hpp"
#include "model/thresholds/folds.hpp"
#include "selection/expected/held_out.hpp"

namespace kernmix {
namespace {

// By simulation: tests/simulations/expected.py.
constexpr double kOfTrainingShares = 1.5;  ///< shares of all samples, and ranking metrics
constexpr double kOfTraining = 2.0;        ///< of losses, R^2, and shares of one class
constexpr Index kFewestUnits = 25;
constexpr Index kFewestOfClass = 10;
constexpr Index kMostParts = 100;
constexpr Index kMostPartsOfMany = 40;
constexpr Index kMany = 2000;  ///< rows

enum class MetricScale { share, loss, r2, none };

std::string metric_without_average(const std::string& name) {
  for (const char* prefix : {"micro_", "macro_", "weighted_", "mean_"}) {
    if (name.starts_with(prefix)) return name.substr(std::string(prefix).size());
  }
  return name;
}

MetricScale scale_of_metric(const std::string& metric) {
  const std::string plain = metric_without_average(metric);
  if (plain == "r2") return MetricScale::r2;
  if (plain == "expected_calibration_error") return MetricScale::none;
  if (plain == "hamming_loss" || plain == "ranking_loss") return MetricScale::share;
  const std::set<std::string> losses = {"rmse", "mse", "mae", "brier_score", "coverage_error"};
  return losses.contains(plain) || plain.ends_with("_loss") ? MetricScale::loss
                                                            : MetricScale::share;
}

/// Whether the metric depends on the samples of single classes.
bool of_each_class(const std::string& metric) {
  const std::set<std::string> of_all = {"accuracy",        "outlier_fraction",
                                        "subset_accuracy", "hamming_loss",
                                        "ranking_loss",    "label_ranking_average_precision"};
  return scale_of_metric(metric) == MetricScale::share && !of_all.contains(metric);
}

/// Whether the metric varies little with the training set: shares of all samples, and ranking
/// metrics.
bool of_all_samples(const std::string& metric) {
  const std::set<std::string> of_one_class = {"recall", "specificity", "precision", "f1",
                                              "balanced_accuracy"};
  return scale_of_metric(metric) == MetricScale::share &&
         !of_one_class.contains(metric_without_average(metric));
}

/// Independent units with a sample of each class, or with and without each label.
struct ClassUnits {
  std::vector<std::string> names;
  std::vector<Index> counts;
  Vector units;  ///< effective numbers
  [[nodiscard]] std::size_t rarest() const {
    return to_size(std::ranges::min_element(units) - units.begin());
  }
};

ClassUnits units_of_classes(const HeldOutRows& held_out) {
  const Model& learned = held_out.learned();
  const Table& table = held_out.truth();
  ClassUnits found;
  const auto add = [&](const std::string& name, const auto& is_member) {
    std::vector<Index> rows;
    for (Index i = 0; i < held_out.rows(); ++i) {
      if (is_member(i)) rows.push_back(i);
    }
    found.names.push_back(name);
    const std::vector<Index> units = entries_at(held_out.unit(), rows);
    found.counts.push_back(static_cast<Index>(std::set<Index>(units.begin(), units.end()).size()));
    found.units.push_back(held_out.effective_units(rows));
  };
  if (learned.of_labels()) {
    for (Index t = 0; t < length(table.multi_labels.names); ++t) {
      const std::string& name = table.multi_labels.names[to_size(t)];
      add(name, [&](Index i) { return table.multi_labels.has(i, t); });
      add("not " + name, [&](Index i) { return !table.multi_labels.has(i, t); });
    }
  } else if (learned.target == Target::classes) {
    const std::vector<Index> classes = ClassLabels{learned.names}.encode(table.labels);
    for (Index k = 0; k < length(learned.names); ++k) {
      add(learned.names[to_size(k)], [&](Index i) { return classes[to_size(i)] == k; });
    }
  }
  return found;
}

/// Apart from rounding.
bool is_fewer(double units, Index than) {
  constexpr double rounding = 1e-9;
  return units < static_cast<double>(than) * (1.0 - rounding);
}

/// "30 groups", or "30 groups (their weights differ: they are worth 18.2 of equal weight)".
/// \param unit  "sample" or "group" \param whose  " of 'class'", or empty
std::string count_text(Index count, double effective, const char* unit,
                       const std::string& whose = "") {
  std::string text = fmt::format("{} {}{}{}", count, unit, count == 1 ? "" : "s", whose);
  if (!is_fewer(effective, count)) return text;
  return text +
         fmt::format(" (of unequal weight, equivalent to {:.1f} of equal weight)", effective);
}

class Jackknife {
 public:
  explicit Jackknife(const HeldOutRows& held_out) {
    const Index most = held_out.rows() > kMany ? kMostPartsOfMany : kMostParts;
    const Index parts = std::min(held_out.units(), most);
    const std::vector<Index> part = random_folds(held_out.units(), parts, 0);
    for (Index b = 0; b < parts; ++b) {
      std::vector<Index> rows;
      for (Index i = 0; i < held_out.rows(); ++i) {
        if (part[to_size(held_out.unit()[to_size(i)])] != b) rows.push_back(i);
      }
      without_.push_back(held_out.values(rows));
    }
  }

  /// Absent if the metric is undefined without some part.
  [[nodiscard]] std::optional<double> variance(const std::string& metric) const {
    Vector values;
    for (const MetricValues& part : without_) {
      const auto found = part.find(metric);
      if (found == part.end()) return std::nullopt;
      values.push_back(found->second);
    }
    const double mean = mean_of_values(values);
    double squares = 0.0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    const auto parts = static_cast<double>(values.size());
    return (parts - 1.0) / parts * squares;
  }

  /// \param units of the parts
  [[nodiscard]] double quantile(double units) const {
    const double parts = std::min(static_cast<double>(without_.size()), units);
    const boost::math::students_t distribution(parts - 1.0);
    return boost::math::quantile(distribution, 0.975);
  }

 private:
  std::vector<MetricValues> without_;
};

/// \param units that determine a share
void set_interval(Metric& metric, double variance, double quantile, double units) {
  const double value = *metric.value;
  variance *= of_all_samples(metric.name) ? kOfTrainingShares : kOfTraining;
  const double error = std::sqrt(variance);
  switch (scale_of_metric(metric.name)) {
    case MetricScale::share: {
      const double trials = effective_trials(value, variance, units);
      const Interval found = wilson_interval(value, trials, quantile);
      metric.low = found.low;
      metric.high = found.high;
      return;
    }
    case MetricScale::loss: {
      if (!(value > 0.0 && error > 0.0)) return;
      const double factor = std::exp(quantile * error / value);
      metric.low = value / factor;
      metric.high = value * factor;
      return;
    }
    case MetricScale::r2: {
      const double rest = 1.0 - value;
      if (!(rest > 0.0 && error > 0.0)) return;
      const double factor = std::exp(quantile * error / rest);
      metric.low = 1.0 - rest * factor;
      metric.high = 1.0 - rest / factor;
      return;
    }
    case MetricScale::none:
      return;
  }
}

/// Only the AUC of single classes is undefined if the fold tests one class.
bool has_ranking(const FoldScore& fold) {
  return std::ranges::any_of(fold.metrics, [](const Metric& metric) {
    return metric.value && (metric.name == "auc" || metric.name == "macro_auc");
  });
}

class ExpectedRun {
 public:
  ExpectedRun(HeldOutRows held_out, Index trained)
      : held_out_(std::move(held_out)), classes_(units_of_classes(held_out_)) {
    result_.samples = held_out_.samples();
    result_.units = held_out_.units();
    result_.effective = held_out_.effective_units(index_range(0, held_out_.rows()));
    result_.trained = trained;
  }

  Expected run() {
    set_majority();
    const MetricValues values = held_out_.values(index_range(0, held_out_.rows()));
    for (const std::string& name : held_out_.names()) {
      const auto found = values.find(name);
      const bool known = found != values.end();
      result_.metrics.push_back(
          {name, known ? std::optional(found->second) : std::nullopt, {}, {}});
    }
    remark_on_rankings();
    if (!is_fewer(result_.effective, kFewestUnits)) add_intervals();
    remark_on_intervals();
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool of_samples() const { return held_out_.units() == held_out_.samples(); }
  [[nodiscard]] double fewest_of_class() const {
    return classes_.units.empty() ? result_.effective : classes_.units[classes_.rarest()];
  }
  void set_majority();
  void add_intervals();
  void set_balanced_accuracy();
  void remark_on_rankings();
  void remark_on_intervals();

  HeldOutRows held_out_;
  ClassUnits classes_;
  Expected result_;
};

void ExpectedRun::set_majority() {
  const Model& learned = held_out_.learned();
  if (learned.target != Target::classes || learned.of_labels()) return;
  std::vector<double> counts(learned.names.size(), 0.0);
  const std::vector<Index> classes = ClassLabels{learned.names}.encode(held_out_.truth().labels);
  for (Index i = 0; i < length(classes); ++i) {
    counts[to_size(classes[to_size(i)])] += held_out_.weight(i);
  }
  result_.classes = length(learned.names);
  const auto most = std::ranges::max_element(counts);
  result_.majority = *most / std::accumulate(counts.begin(), counts.end(), 0.0);
  result_.most_frequent = learned.names[to_size(most - counts.begin())];
}

void ExpectedRun::add_intervals() {
  const Jackknife jackknife(held_out_);
  const double quantile = jackknife.quantile(result_.effective);
  for (Metric& metric : result_.metrics) {
    const std::optional<double> variance = jackknife.variance(metric.name);
    const bool each = of_each_class(metric.name);
    if (!metric.value || !variance || (each && is_fewer(fewest_of_class(), kFewestOfClass))) {
      continue;
    }
    double units = each ? fewest_of_class() : result_.effective;
    const bool single = classes_.units.size() == 2 && held_out_.learned().single();
    if (single && metric.name == "recall") units = classes_.units[1];
    if (single && metric.name == "specificity") units = classes_.units[0];
    set_interval(metric, *variance, quantile, units);
  }
  set_balanced_accuracy();
}

/// For two classes: the mean of recall and specificity, whose distances to their limits are
/// combined like standard errors (MOVER, Zou and Donner 2008).
void ExpectedRun::set_balanced_accuracy() {
  const auto by_name = [&](const char* name) {
    return std::ranges::find(result_.metrics, name, &Metric::name);
  };
  const auto mean = by_name("balanced_accuracy");
  const auto recall = by_name("recall");
  const auto specificity = by_name("specificity");
  const auto end = result_.metrics.end();
  if (mean == end || recall == end || specificity == end) return;
  if (!mean->value || !recall->low || !specificity->low) return;
  mean->low =
      *mean->value -
      std::hypot(*recall->value - *recall->low, *specificity->value - *specificity->low) / 2.0;
  mean->high =
      *mean->value +
      std::hypot(*recall->high - *recall->value, *specificity->high - *specificity->value) / 2.0;
}

void ExpectedRun::remark_on_rankings() {
  const Target target = held_out_.learned().target;
  if (held_out_.has_rankings() || target == Target::numbers) return;
  if (held_out_.most_tested() <= 1) {
    result_.remarks.emplace_back(
        "There is no AUC and no average precision: each fold tests one sample, and decision values "
        "of different models are not comparable; use folds with several samples.");
  } else if (target == Target::classes) {
    result_.remarks.emplace_back(
        "There is no AUC and no average precision: no fold ranks samples of different classes, and "
        "decision values of different models are not comparable; use folds that train on and test "
        "several classes.");
  }
}

void ExpectedRun::remark_on_intervals() {
  const char* const unit = of_samples() ? "sample" : "group";
  const auto verb = [](Index count) { return count == 1 ? "is" : "are"; };
  if (is_fewer(result_.effective, kFewestUnits)) {
    result_.remarks.push_back(
        fmt::format("There are no intervals: {} {} fewer than {}, too few for intervals with the "
                    "stated coverage.",
                    count_text(held_out_.units(), result_.effective, unit), verb(held_out_.units()),
                    kFewestUnits));
    return;
  }
  if (!is_fewer(fewest_of_class(), kFewestOfClass)) return;
  const std::size_t rarest = classes_.rarest();
  result_.remarks.push_back(fmt::format(
      "There are no intervals of metrics that look at each class (AUC, average precision, balanced "
      "accuracy, recall, ...): {} {} fewer than {}, too few for intervals with the stated "
      "coverage.",
      count_text(classes_.counts[rarest], classes_.units[rarest], unit,
                 fmt::format(" of '{}'", classes_.names[rarest])),
      verb(classes_.counts[rarest]), kFewestOfClass));
}

}  // namespace

const Metric* Expected::find(const std::string& name) const {
  const auto found = std::ranges::find(metrics, name, &Metric::name);
  return found == metrics.end() ? nullptr : &*found;
}

std::optional<Expected> expected_performance(const CrossValidation& result, Index model,
                                             const Dataset& data, const std::vector<Fold>& folds,
                                             const std::vector<Index>& groups) {
  std::optional<PooledPrediction> all = result.pool(model, data, folds);
  if (!all) return std::nullopt;
  double trained = 0.0;
  for (const Fold& fold : folds) trained += static_cast<double>(fold.train.size());
  trained /= static_cast<double>(folds.size());
  std::vector<bool> ranks;
  for (const FoldScore& fold : result.models[to_size(model)]) ranks.push_back(has_ranking(fold));
  return ExpectedRun(HeldOutRows(std::move(*all), folds, std::move(ranks), groups),
                     std::lround(trained))
      .run();
}

}  // namespace kernmix
