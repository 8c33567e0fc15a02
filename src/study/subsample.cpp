#include "study/subsample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "model/landmarks/landmarks.hpp"
#include "model/pipeline.hpp"
#include "model/solving/task_memory.hpp"
#include "model/task_set.hpp"

namespace kernmix {
namespace {

constexpr Index samples_that_choose = 5000;
constexpr Index fewest_drawn_from = 2 * samples_that_choose;
constexpr Index samples_that_estimate = 20'000;
constexpr double most_that_estimate = 0.2;  ///< share of the samples that do not choose
/// An interval of the estimate needs 25 independent groups.
constexpr double groups_that_estimate = 40.0;
constexpr double most_groups_that_estimate = 0.3;

/// What a random part of the samples keeps of all of them.
struct Kept {
  std::vector<Index> classes;  ///< of each sample; all equal without classes
  std::vector<Index> groups;   ///< of each sample, or empty
  std::uint32_t seed = 0;
};

Index groups_in(const Kept& kept, const std::vector<Index>& samples) {
  const std::vector<Index> own = entries_at(kept.groups, samples);
  return static_cast<Index>(std::set<Index>(own.begin(), own.end()).size());
}

Fold in_numbers_of(const std::vector<Index>& samples, const Fold& split) {
  return {entries_at(samples, split.train), entries_at(samples, split.test)};
}

/// The test part has the share `share` of each class.
Fold split_of_classes(const std::vector<Index>& samples, double share, const Kept& kept,
                      const Context& context) {
  return in_numbers_of(
      samples,
      random_splits(entries_at(kept.classes, samples), 1, share, kept.seed, context).front());
}

/// The test part has the share `share` of the groups.
Fold split_of_groups(const std::vector<Index>& samples, double share, const Kept& kept,
                     const Context& context) {
  return in_numbers_of(
      samples,
      random_group_splits(entries_at(kept.groups, samples), 1, share, kept.seed, context).front());
}

double drawn_share(Index count, std::size_t all) {
  return static_cast<double>(count) / static_cast<double>(all);
}

/// The samples that choose (test), and those that may estimate (train).
Fold split_for_choice(Index n, Index folds, const Kept& kept, const Context& context) {
  const std::vector<Index> all = all_samples(n);
  const double share = drawn_share(samples_that_choose, all.size());
  if (kept.groups.empty()) return split_of_classes(all, share, kept, context);
  const Index groups = groups_in(kept, all);
  if (groups <= folds) {
    throw ParameterError(fmt::format(
        "folds: of {} samples some groups choose and others estimate, so {} folds need more than "
        "{} groups, and there are {}: ask for fewer folds",
        n, folds, folds, groups));
  }
  const Index enough = std::clamp(groups / 2, folds, 2 * folds);
  return split_of_groups(all, std::max(share, drawn_share(enough, to_size(groups))), kept, context);
}

/// At most samples_that_choose of them.
std::vector<Index> thinned(std::vector<Index> samples, const Kept& kept, const Context& context) {
  if (length(samples) <= samples_that_choose) return samples;
  const double share = drawn_share(samples_that_choose, samples.size());
  return split_of_classes(samples, share, kept, context).test;
}

/// Splits the rest into samples that estimate (test) and others.
Fold split_for_estimate(const std::vector<Index>& rest, const Kept& kept, const Context& context) {
  const double share =
      std::min(most_that_estimate, drawn_share(samples_that_estimate, rest.size()));
  if (kept.groups.empty()) return split_of_classes(rest, share, kept, context);
  const auto groups = static_cast<double>(groups_in(kept, rest));
  const double several = std::min(most_groups_that_estimate, groups_that_estimate / groups);
  if (groups < 2.0) return {{}, rest};
  return split_of_groups(rest, std::max(share, several), kept, context);
}

std::vector<Index> merged_samples(const std::vector<Index>& left, const std::vector<Index>& right) {
  std::vector<Index> both;
  std::ranges::merge(left, right, std::back_inserter(both));
  return both;
}

SettledLandmarks settled_on_all(const Dataset& data, const TrainOptions& options,
                                const Context& context) {
  require_memory_of_tasks(data, options, context);
  const TaskSet set = make_task_set(data, options);
  const TrainingKernels kernels =
      training_kernels(data.table, data.matrices, set.kernels, set.views, options.missing,
                       set.lacking, options.sample_weights, context);
  return settle_landmarks(data, options, set, context, kernels);
}

/// The landmarks of all candidates, whose kernels differ: the fewest of them. None where all can
/// use their kernels as written.
SettledLandmarks landmarks_of_candidates(const Dataset& data, const TrainOptions& options,
                                         const Context& context) {
  if (options.landmarks.choice != LandmarkRule::Choice::automatic) return {options.landmarks, ""};
  SettledLandmarks fewest;
  fewest.rule.choice = LandmarkRule::Choice::none;
  std::set<std::vector<std::string>> seen;
  for (const Candidate& candidate : automatic_candidates(data, options)) {
    if (!seen.insert(candidate.options.kernels).second) continue;
    SettledLandmarks own = settled_on_all(data, candidate.options, context);
    if (own.rule.choice == LandmarkRule::Choice::none) continue;
    const bool first = fewest.rule.choice == LandmarkRule::Choice::none;
    if (first || own.rule.count < fewest.rule.count) fewest = std::move(own);
  }
  return fewest;
}

}  // namespace

std::string DrawnSubsample::called() const {
  return fmt::format(", of {} of {} samples drawn with seed {}", facts.samples, facts.all,
                     facts.seed);
}

std::optional<DrawnSubsample> draw_subsample(const Dataset& data, const TrainOptions& options,
                                             const FoldRule& rule, const Context& context) {
  const Index n = sample_count(data.table, data.matrices);
  if (n <= fewest_drawn_from) return std::nullopt;
  SettledLandmarks landmarks = landmarks_of_candidates(data, options, context);
  if (landmarks.rule.choice == LandmarkRule::Choice::none) return std::nullopt;
  Kept kept{classes_of(data.table, options), options.groups, rule.asked.seed};
  if (kept.classes.empty()) kept.classes.assign(to_size(n), 0);
  const Fold choice = split_for_choice(n, rule.asked.folds, kept, context);
  const Fold rest = split_for_estimate(choice.train, kept, context);
  DrawnSubsample drawn;
  drawn.samples = thinned(choice.test, kept, context);
  drawn.estimate = {merged_samples(choice.test, rest.train), rest.test};
  drawn.facts = {length(drawn.samples), n, length(drawn.estimate.test), rule.asked.seed};
  drawn.landmarks = std::move(landmarks.rule);
  drawn.note = std::move(landmarks.note);
  return drawn;
}

std::string sentence_of_subsample(const AutoResult& study) {
  if (!study.subsample) return "";
  const Subsample& of = *study.subsample;
  return fmt::format(
      "The settings are chosen on {} samples, drawn with seed {}; the model is trained on all {}, "
      "with {} landmarks.{}",
      of.samples, of.seed, of.all, study.trained.model.support.size(),
      study.expected ? fmt::format(" The estimate is of {} samples that took no part in the choice "
                                   "and a model of the other {}.",
                                   of.tested, of.all - of.tested)
                     : "");
}

}  // namespace kernmix
