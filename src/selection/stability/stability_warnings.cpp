#include "selection/stability/stability_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/samples.hpp"
#include "selection/stability/resamples.hpp"

namespace kernmix {
namespace {

using Warnings = std::vector<Warning>;

void warn_of_time(const Stability& result, const StabilityFacts& facts, Warnings& warnings) {
  if (result.complete) return;
  const Index runs = result.null ? result.null->runs : 0;
  warnings.push_back(
      {"stopped-early",
       fmt::format("the run was stopped: the numbers come from {} of {} resamples and {} of {} "
                   "runs with permuted labels",
                   result.resamples, result.options.resamples, runs, facts.null_runs),
       {}});
}

/// An interval needs a resample beyond each of its ends.
void warn_of_few(const Stability& result, Warnings& warnings) {
  const double tail = 0.5 * (1.0 - result.options.level);
  const double needed = std::ceil(1.0 / tail - 1e-9);
  if (static_cast<double>(result.resamples) >= needed) return;
  warnings.push_back(
      {"few-resamples",
       fmt::format("{} resamples are too few for intervals of {:g} %: their ends "
                   "are close to the smallest and the largest share; use at least {:.0f}",
                   result.resamples, 100.0 * result.options.level, needed),
       {}});
}

void warn_of_dense(const Stability& result, Warnings& warnings) {
  constexpr double nearly_all = 0.95;
  const auto M = static_cast<double>(result.kernels.size());
  if (result.kernels.size() < 2 || result.mean_chosen < nearly_all * M) return;
  warnings.push_back(
      {"all-chosen",
       fmt::format("nearly every kernel is chosen in every resample, so frequencies are "
                   "uninformative; use a "
                   "smaller C, read the intervals of the shares, or give a threshold above {:g}",
                   *result.options.threshold),
       {}});
}

void warn_of_fixed(const Stability& result, Warnings& warnings) {
  const auto moves = [](const WeightStability& kernel) { return kernel.high > kernel.low; };
  if (result.kernels.size() < 2 || std::ranges::any_of(result.whole.kernels, moves)) return;
  warnings.push_back(
      {"fixed-weights",
       "the weights are the same in every resample, because they do not depend on the "
       "samples: their stability has no meaning",
       {}});
}

/// Samples, or different groups.
Index units_among(const std::vector<Index>& samples, const std::vector<Index>& groups) {
  if (groups.empty()) return length(samples);
  const std::vector<Index> own = entries_at(groups, samples);
  return static_cast<Index>(std::set<Index>(own.begin(), own.end()).size());
}

void warn_of_small_classes(const StabilityFacts& facts, Warnings& warnings) {
  constexpr Index small = 10;
  const auto members = samples_by_class(facts.strata.classes);
  if (members.size() < 2) return;
  for (const std::vector<Index>& own : members) {
    const Index units = units_among(own, facts.strata.groups);
    if (units >= small) continue;
    warnings.push_back(
        {"small-class",
         fmt::format("class '{}' has only {} {}: all resamples contain nearly the same ones, "
                     "and intervals are too narrow",
                     facts.data.table.labels[to_size(own.front())], units,
                     facts.strata.groups.empty() ? "samples" : "groups"),
         {}});
  }
}

/// Where weights may be zero, the bootstrap is not consistent.
void warn_of_bootstrap(const Stability& result, Warnings& warnings) {
  if (result.options.method != Resampling::bootstrap) return;
  std::vector<Index> at_zero;
  for (Index m = 0; m < length(result.whole.kernels); ++m) {
    const double frequency = result.whole.kernels[to_size(m)].frequency;
    if (frequency < 1.0) at_zero.push_back(m);
  }
  if (at_zero.empty()) return;
  warnings.push_back(
      {"bootstrap-at-zero",
       fmt::format(
           "{} kernels have no weight in some resamples. For them the bootstrap is "
           "inconsistent: its intervals do not have their level, and it chooses kernels more "
           "often than samples without copies would; use subsample",
           at_zero.size()),
       at_zero});
}

void warn_of_bound(const Stability& result, Warnings& warnings) {
  if (!result.false_bound || result.stable == 0) return;
  if (*result.false_bound < static_cast<double>(result.stable)) return;
  warnings.push_back(
      {"bound-says-nothing",
       fmt::format(
           "the bound on falsely stable kernels, {:.1f}, is not below the number of stable "
           "kernels, {}: a resample chooses {:.1f} of {} kernels on average, too many for the "
           "bound; use a smaller C",
           *result.false_bound, result.stable, result.mean_chosen, result.kernels.size()),
       {}});
}

void warn_of_no_null(Warnings& warnings) {
  warnings.push_back({"no-null",
                      "without labels to permute, the number of kernels chosen by chance is "
                      "unknown",
                      {}});
}

void warn_of_null(const Stability& result, Warnings& warnings) {
  if (!result.null || result.stable == 0) return;
  if (result.null->mean_stable < static_cast<double>(result.stable)) return;
  warnings.push_back(
      {"no-more-than-chance",
       fmt::format(
           "permuted labels give {:.1f} stable kernels on average, the true labels {}: stable "
           "kernels are not evidence of a relation to the labels",
           result.null->mean_stable, result.stable),
       {}});
}

/// About the numbers of chosen kernels.
void warn_of_counts(const Stability& result, Warnings& warnings) {
  warn_of_dense(result, warnings);
  warn_of_bootstrap(result, warnings);
  warn_of_bound(result, warnings);
  warn_of_null(result, warnings);
}

void warn_of_models(const StabilityFacts& facts, Warnings& warnings) {
  if (facts.label_missing > 0) {
    warnings.push_back({"label-missing",
                        fmt::format("{} resamples were skipped, because a label has no samples in "
                                    "them, or all",
                                    facts.label_missing),
                        {}});
  }
  if (facts.missed > 0) {
    warnings.push_back({"tolerance-missed",
                        fmt::format("{} models did not reach their tolerance; allow more "
                                    "iterations",
                                    facts.missed),
                        {}});
  }
}

}  // namespace

std::vector<Warning> stability_warnings(const Stability& result, const StabilityFacts& facts) {
  Warnings warnings;
  warn_of_time(result, facts, warnings);
  warn_of_few(result, warnings);
  warn_of_fixed(result, warnings);
  warn_of_small_classes(facts, warnings);
  if (!facts.has_labels) warn_of_no_null(warnings);
  if (result.sparse) warn_of_counts(result, warnings);
  warn_of_models(facts, warnings);
  return warnings;
}

}  // namespace kernmix
