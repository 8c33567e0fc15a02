// p = (1 + #{b : permuted score b at least as good as the observed one}) / (1 + B)

#include "kernmix/selection/significance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/blas_threads.hpp"
#include "base/mean.hpp"
#include "base/samples.hpp"
#include "folds/distinct_folds.hpp"
#include "folds/legacy_random.hpp"
#include "kernmix/error.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/selection/scores.hpp"
#include "kernmix/selection/statistics.hpp"
#include "selection/stability/carried_folds.hpp"
#include "selection/stability/exchange.hpp"
#include "selection/stability/limits.hpp"
#include "selection/stability/shares.hpp"
#include "selection/stability/significance_warnings.hpp"
#include "selection/stability/variants.hpp"
#include "selection/stability/weight_relation.hpp"

namespace kernmix {
namespace {

using Scores = std::vector<std::optional<Vector>>;  // of the folds of each variant

/// \param name  empty: the default one of what `options` learn from `data`
ScoreRule rule_of_test(const std::string& name, const Dataset& data, const TrainOptions& options) {
  const Loss loss = options.loss;
  if (loss_target(loss) == Target::none) {
    throw ParameterError(
        fmt::format("{} learns without labels: there is no score to test", loss_text(loss)));
  }
  return score_rule(name.empty() ? default_score(data.table, options) : name);
}

/// The mean over folds.
double test_over_train(const std::vector<Fold>& folds, ConstSpan weights) {
  double sum = 0.0;
  for (const Fold& fold : folds) {
    sum += weight_of(fold.test, weights) / weight_of(fold.train, weights);
  }
  return sum / static_cast<double>(folds.size());
}

/// Computes the parts of a result in order, as long as time permits.
class SignificanceRun {
 public:
  SignificanceRun(const Dataset& data, const TrainOptions& options,
                  const SignificanceOptions& asked, const Context& context)
      : data_(data),
        options_(options),
        groups_(options.groups),
        asked_(asked),
        context_(context),
        rule_(rule_of_test(asked.score, data, options)),
        samples_(length(classes_to_keep(data, options))),
        exchange_(exchange_of(data, options)),
        weights_follow_(asked.permutations > 0 && weights_follow_labels(data, options)),
        variants_(data, options, asked, rule_.name, weights_follow_, context),
        views_(variants_.descriptions(), asked.view_of_matrix) {}

  [[nodiscard]] Significance run();

 private:
  [[nodiscard]] Exchange exchange_of(const Dataset& data, const TrainOptions& options) const;
  [[nodiscard]] Exchange exchange_of_rows() const;
  void require_room_for_orders(std::size_t each) const;
  [[nodiscard]] bool permutes_views() const {
    return asked_.views && asked_.permute_views && asked_.permutations > 0;
  }
  void score_all();
  void score_views();
  void permute_labels();
  void permute_with_folds(LegacyRandom& random);
  /// Whether places in the folds are permuted with the labels, because samples are tested
  /// repeatedly.
  [[nodiscard]] bool carries_folds() const { return tests_samples_again(asked_.folds, samples_); }
  void permute_views();
  void set_drops();
  void adjust_drops();
  [[nodiscard]] std::optional<PermutationTest> test_of(const Scores& permuted);
  [[nodiscard]] Scores scores(const std::vector<Variant>& variants, const char* stage);
  [[nodiscard]] double better_by(double left, double right) const {
    return rule_.larger_is_better ? rule_.difference(left, right) : rule_.difference(right, left);
  }

  const Dataset& data_;
  const TrainOptions& options_;
  const std::vector<Index>& groups_;
  const SignificanceOptions& asked_;
  const Context& context_;
  ScoreRule rule_;
  Index samples_;
  Exchange exchange_;
  bool weights_follow_;
  FoldVariants variants_;
  ViewsOfKernels views_;
  Significance result_;
};

Exchange SignificanceRun::exchange_of(const Dataset& data, const TrainOptions& options) const {
  check_folds(asked_.folds, samples_);
  if (carries_folds() && permutes_views()) {
    throw ParameterError(
        "permutations of views need folds that test each sample once: leave out the repeats, or "
        "the "
        "permutation of views");
  }
  const std::vector<Fold> sides = carries_folds() ? std::vector<Fold>() : asked_.folds;
  Exchange exchange(data, {sides, options.groups, asked_.within}, samples_, Exchanged::labels);
  if (asked_.permutations > 0 && !exchange.is_possible()) {
    throw ParameterError(
        options.groups.empty()
            ? "permutations: no two samples are in the same part of every fold, so labels cannot "
              "be exchanged; use the folds of one cross-validation, with several samples in each"
            : "permutations: no two groups in the same part of every fold can exchange their "
              "labels: use fewer folds, so that several groups are tested together; groups with "
              "different labels inside must also have the same size");
  }
  if (permutes_views()) (void)exchange_of_rows();
  return exchange;
}

Exchange SignificanceRun::exchange_of_rows() const {
  Exchange exchange(data_, {asked_.folds, groups_, asked_.within}, samples_, Exchanged::rows);
  if (exchange.is_possible()) return exchange;
  throw ParameterError(
      "permutations of views: no two groups of the same size are in the same part of every fold, "
      "so samples cannot be exchanged; leave the permutation of views out");
}

Scores SignificanceRun::scores(const std::vector<Variant>& variants, const char* stage) {
  Scores found = variants_.scores(variants, stage);
  if (std::ranges::any_of(found, [](const auto& row) { return !row; })) result_.complete = false;
  return found;
}

void SignificanceRun::score_all() {
  const Scores found = scores({Variant()}, "scores");
  if (!found.front()) throw ResourceError("time ran out before every fold had a score");
  result_.score = rule_.name;
  result_.larger_is_better = rule_.larger_is_better;
  result_.folds = *found.front();
  result_.mean = mean_of_known(result_.folds);
  if (!std::isnan(result_.mean)) return;
  throw DataError(
      fmt::format("{} is undefined on every fold: its test samples lack a class, or no sample is "
                  "predicted positive; choose another score or fewer folds",
                  rule_.name));
}

/// Scores without each view and with each view alone.
void SignificanceRun::score_views() {
  const Index kernels = length(variants_.descriptions());
  std::vector<Variant> variants;
  for (const std::vector<Index>& own : views_.kernels()) {
    Variant without;
    for (Index m = 0; m < kernels; ++m) {
      if (!std::ranges::count(own, m)) without.kernels.push_back(m);
    }
    Variant alone;
    alone.kernels = own;
    variants.push_back(std::move(without));
    variants.push_back(std::move(alone));
  }
  const bool only = views_.names.size() == 1;
  const Scores found = only ? Scores(2, result_.folds) : scores(variants, "views");
  for (std::size_t v = 0; v < views_.names.size(); ++v) {
    ViewScores& view = result_.views.emplace_back();
    view.name = views_.names[v];
    if (!only) view.without = found[2 * v].value_or(Vector());
    view.alone = found[2 * v + 1].value_or(Vector());
  }
}

std::optional<PermutationTest> SignificanceRun::test_of(const Scores& permuted) {
  PermutationTest test;
  Index as_good = 1;
  for (const std::optional<Vector>& folds : permuted) {
    if (!folds) continue;
    const double mean = mean_of_known(*folds);
    if (std::isnan(mean)) continue;
    test.permuted.push_back(mean);
    as_good += rule_.better(result_.mean, mean) ? 0 : 1;
  }
  if (test.permuted.empty()) return std::nullopt;
  test.mean = mean_of_values(test.permuted);
  test.p = static_cast<double>(as_good) / static_cast<double>(1 + length(test.permuted));
  return test;
}

/// Checks the memory for the orders of `each` tests for every permutation.
void SignificanceRun::require_room_for_orders(std::size_t each) const {
  require_room_for_models(to_size(asked_.permutations) * each,
                          sizeof(Variant) + to_size(samples_) * sizeof(Index), "permutations",
                          context_);
}

void SignificanceRun::permute_labels() {
  require_room_for_orders(1);
  LegacyRandom random(static_cast<std::uint32_t>(context_.seed));
  if (carries_folds()) return permute_with_folds(random);
  std::vector<Variant> variants(to_size(asked_.permutations));
  for (Variant& variant : variants) variant.label_order = exchange_.next(random);
  result_.labels = test_of(scores(variants, "permutations"));
}

void SignificanceRun::permute_with_folds(LegacyRandom& random) {
  std::vector<std::vector<Index>> drawn(to_size(asked_.permutations));
  for (std::vector<Index>& order : drawn) order = exchange_.next(random);
  const Scores found = scores_with_carried_folds(data_, options_, asked_,
                                                 {rule_.name, weights_follow_}, drawn, context_);
  if (std::ranges::any_of(found, [](const auto& row) { return !row; })) result_.complete = false;
  result_.labels = test_of(found);
}

/// Permutes the views in turn, so that a time limit leaves the same number for each.
void SignificanceRun::permute_views() {
  const auto kernels = views_.kernels();
  require_room_for_orders(kernels.size());
  const Exchange exchange = exchange_of_rows();
  LegacyRandom random(static_cast<std::uint32_t>(context_.seed + 1));
  std::vector<Variant> variants;
  for (Index b = 0; b < asked_.permutations; ++b) {
    for (const std::vector<Index>& own : kernels) {
      Variant& variant = variants.emplace_back();
      variant.moved = own;
      variant.row_order = exchange.next(random);
    }
  }
  const Scores found = scores(variants, "permutations of views");
  for (std::size_t v = 0; v < kernels.size(); ++v) {
    Scores own;
    for (std::size_t i = v; i < found.size(); i += kernels.size()) own.push_back(found[i]);
    result_.views[v].permuted = test_of(own);
  }
}

void SignificanceRun::set_drops() {
  const double above = result_.labels ? better_by(result_.mean, result_.labels->mean) : 0.0;
  const std::vector<std::size_t> folds = distinct_folds(asked_.folds);
  for (ViewScores& view : result_.views) {
    if (view.without.empty()) continue;
    Vector differences;
    for (const std::size_t f : folds) {
      const double difference = better_by(result_.folds[f], view.without[f]);
      if (!std::isnan(difference)) differences.push_back(difference);
    }
    if (differences.empty()) continue;
    const CorrectedTTest test =
        corrected_t_test(differences, test_over_train(asked_.folds, options_.sample_weights));
    view.drop = test.mean;
    view.p_drop = test.p;
    if (above > 0.0) view.explained = test.mean / above;
  }
  adjust_drops();
}

/// Holm's adjustment over the views with a p-value.
void SignificanceRun::adjust_drops() {
  Vector known;
  for (const ViewScores& view : result_.views) {
    if (view.p_drop) known.push_back(*view.p_drop);
  }
  if (known.empty()) return;
  const Vector adjusted = holm(known);
  std::size_t next = 0;
  for (ViewScores& view : result_.views) {
    if (view.p_drop) view.p_holm = adjusted[next++];
  }
}

Significance SignificanceRun::run() {
  score_all();
  if (asked_.views) score_views();
  if (asked_.permutations > 0) permute_labels();
  if (permutes_views()) permute_views();
  set_drops();
  result_.warnings = significance_warnings(result_, asked_, exchange_.room());
  if (weights_follow_) result_.warnings.push_back(warning_of_weights(data_, options_));
  return std::move(result_);
}

}  // namespace

void check_options(const SignificanceOptions& options) {
  if (options.folds.size() < 2) throw ParameterError("folds: at least two are needed for a score");
  if (!options.score.empty()) (void)score_rule(options.score);
  if (options.permutations < 0) throw ParameterError("permutations: the number must be >= 0");
  require_waitable(
      static_cast<double>(options.permutations) * static_cast<double>(options.folds.size()),
      "permutations");
}

Significance significance(const Dataset& data, const TrainOptions& options,
                          const SignificanceOptions& asked, const Context& context) {
  check_options(asked);
  const SerialBlas serial_blas;
  return SignificanceRun(data, options, asked, context).run();
}

}  // namespace kernmix
