// KFold, StratifiedKFold and related splitters, as in scikit-learn 1.x (sklearn.model_selection).

#include "kernmix/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/samples.hpp"
#include "folds/legacy_random.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// \param units  "samples" or "groups"
[[noreturn]] void refuse_number(Index folds, Index count, const char* units) {
  throw ParameterError(
      count < 2
          ? fmt::format("folds: at least 2 {} are needed, and there is {}", units, count)
          : fmt::format("folds: {} folds of {} {}; choose 2 to {}", folds, count, units, count));
}

void check(const FoldOptions& options, Index n) {
  if (options.folds < 2 || options.folds > n) {
    refuse_number(options.folds, n, "samples");
  }
  if (options.repeats < 1 || (options.repeats > 1 && !options.shuffle)) {
    throw ParameterError(fmt::format(
        "repeats: {} repeats; folds without shuffling are the same each time", options.repeats));
  }
}

void stop_dealing_if_asked(const Context& context) {
  if (!context.should_stop()) return;
  throw ResourceError(fmt::format("folds: {} while folds were made; ask for fewer folds",
                                  context.is_cancelled() ? "interrupted" : "time was up"));
}

/// Converts the fold of each sample to splits.
void append_folds(const std::vector<Index>& fold_of_sample, Index folds, const Context& context,
                  std::vector<Fold>& all) {
  const std::size_t first = all.size();
  all.resize(first + to_size(folds));
  std::vector<std::size_t> tested(to_size(folds), 0);
  for (const Index k : fold_of_sample) ++tested[to_size(k)];
  for (std::size_t k = 0; k < tested.size(); ++k) {
    stop_dealing_if_asked(context);
    all[first + k].test.reserve(tested[k]);
    all[first + k].train.reserve(fold_of_sample.size() - tested[k]);
  }
  for (Index i = 0; i < length(fold_of_sample); ++i) {
    stop_dealing_if_asked(context);
    for (Index k = 0; k < folds; ++k) {
      Fold& fold = all[first + to_size(k)];
      (fold_of_sample[to_size(i)] == k ? fold.test : fold.train).push_back(i);
    }
  }
}

std::vector<Index> random_assignment(Index n, const FoldOptions& options, LegacyRandom& random) {
  std::vector<Index> order = all_samples(n);
  if (options.shuffle) random.shuffle(order);
  std::vector<Index> fold(order.size());
  std::size_t next = 0;
  for (Index k = 0; k < options.folds; ++k) {
    const Index size = n / options.folds + (k < n % options.folds ? 1 : 0);
    for (Index i = 0; i < size; ++i) fold[to_size(order[next++])] = k;
  }
  return fold;
}

/// Renumbers from 0 in order of first occurrence.
std::vector<Index> by_first_occurrence(const std::vector<Index>& classes) {
  std::map<Index, Index> number;
  std::vector<Index> result;
  for (const Index c : classes)
    result.push_back(number.try_emplace(c, length(number)).first->second);
  return result;
}

/// Number of test samples of each class in each fold: those of the sorted classes at positions k, k
/// + folds, ... \returns folds for each class, ascending
std::vector<std::vector<Index>> allocate(const std::vector<Index>& classes, Index folds) {
  std::vector<Index> sorted = classes;
  std::ranges::sort(sorted);
  std::vector<std::vector<Index>> folds_of(to_size(sorted.back() + 1));
  for (Index i = 0; i < length(sorted); ++i)
    folds_of[to_size(sorted[to_size(i)])].push_back(i % folds);
  for (auto& own : folds_of) std::ranges::sort(own);
  return folds_of;
}

std::vector<Index> stratified_assignment(const std::vector<Index>& classes,
                                         const FoldOptions& options, LegacyRandom& random) {
  std::vector<Index> fold(classes.size());
  std::vector<std::vector<Index>> folds_of = allocate(classes, options.folds);
  for (Index c = 0; c < length(folds_of); ++c) {
    std::vector<Index>& own = folds_of[to_size(c)];
    if (options.shuffle) random.shuffle(own);
    std::size_t next = 0;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (classes[i] == c) fold[i] = own[next++];
    }
  }
  return fold;
}

std::map<Index, std::vector<Index>> members(const std::vector<Index>& groups) {
  std::map<Index, std::vector<Index>> of;
  for (Index i = 0; i < length(groups); ++i) of[groups[to_size(i)]].push_back(i);
  return of;
}

struct SizedGroup {
  const std::vector<Index>* members;
  double size;  ///< sum of the sample weights
};

void check_weights_of(ConstSpan weights, Index n) {
  if (weights.empty() || length(weights) == n) return;
  throw ParameterError(
      fmt::format("folds: {} weights for {} samples; one for each is needed", weights.size(), n));
}

/// For unequal weights: the members of each class, in descending weight, are assigned to the fold
/// with the smallest weight of their class, among ties to the lightest fold.
class WeightedFolds {
 public:
  WeightedFolds(const std::vector<Index>& classes, ConstSpan weights, const FoldOptions& options)
      : of_class_(members(classes)), weights_(weights), options_(options), n_(length(classes)) {}

  std::vector<Index> random_assignment(LegacyRandom& random) const {
    std::vector<Index> fold(to_size(n_));
    Vector whole(to_size(options_.folds), 0.0);
    for (const auto& [name, own] : of_class_) {
      std::vector<Index> order = own;
      if (options_.shuffle) random.shuffle(order);
      std::ranges::stable_sort(order, std::greater(), [&](Index i) { return weight(i); });
      Vector of_class(whole.size(), 0.0);
      for (const Index i : order) {
        const std::size_t k = lightest(of_class, whole);
        of_class[k] += weight(i);
        whole[k] += weight(i);
        fold[to_size(i)] = static_cast<Index>(k);
      }
    }
    return fold;
  }

 private:
  [[nodiscard]] double weight(Index i) const { return weights_[to_size(i)]; }
  [[nodiscard]] static std::size_t lightest(ConstSpan of_class, ConstSpan whole) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < whole.size(); ++k) {
      if (std::pair(of_class[k], whole[k]) < std::pair(of_class[best], whole[best])) best = k;
    }
    return best;
  }

  std::map<Index, std::vector<Index>> of_class_;
  ConstSpan weights_;
  const FoldOptions& options_;
  Index n_;
};

/// \param classes numbered from 0 in order of first occurrence
std::vector<Fold> weighted_folds(const std::vector<Index>& classes, ConstSpan weights,
                                 const FoldOptions& options, const Context& context) {
  const WeightedFolds deal(classes, weights, options);
  LegacyRandom random(options.seed);
  std::vector<Fold> folds;
  for (Index r = 0; r < options.repeats; ++r) {
    append_folds(deal.random_assignment(random), options.folds, context, folds);
  }
  return folds;
}

bool are_equal(ConstSpan weights) {
  return std::ranges::adjacent_find(weights, std::not_equal_to<>()) == weights.end();
}

void check_part(const std::vector<Index>& part, Index n) {
  if (part.empty()) throw ParameterError("folds: a fold has no samples to train or to test");
  if (std::ranges::adjacent_find(part, std::greater_equal<>()) != part.end()) {
    throw ParameterError("folds: samples of a fold must be ascending and each once");
  }
  if (part.front() < 0 || part.back() >= n) {
    throw ParameterError(fmt::format("folds: a sample is not one of the {} of the data", n));
  }
}

}  // namespace

void check_folds(const std::vector<Fold>& folds, Index n) {
  if (folds.empty()) throw ParameterError("folds: there are no folds");
  for (const Fold& fold : folds) {
    check_part(fold.train, n);
    check_part(fold.test, n);
  }
}

void check_groups(const std::vector<Fold>& folds, const std::vector<Index>& groups) {
  if (groups.empty()) return;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    std::map<Index, Index> trained;
    for (const Index i : folds[f].train) trained.try_emplace(groups[to_size(i)], i);
    for (const Index i : folds[f].test) {
      const auto found = trained.find(groups[to_size(i)]);
      if (found == trained.end()) continue;
      throw ParameterError(
          fmt::format("folds: fold {} trains on sample {} and tests sample {}, which are in one "
                      "group: use folds of whole groups",
                      f + 1, found->second + 1, i + 1));
    }
  }
}

std::vector<Fold> deal(Index n, const Strata& strata, const FoldOptions& options,
                       const Context& context) {
  if (!strata.groups.empty()) {
    if (options.repeats > 1) {
      throw ParameterError("repeats: folds of groups are the same each time; leave repeats out");
    }
    return grouped_folds(strata.groups, options.folds, strata.weights, context);
  }
  return strata.classes.empty() ? plain_folds(n, options, {}, context)
                                : stratified_folds(strata.classes, options, {}, context);
}

std::vector<Fold> deal(const std::vector<Index>& samples, const Strata& strata,
                       const FoldOptions& options, const Context& context) {
  const Strata own{entries_at(strata.classes, samples), entries_at(strata.groups, samples),
                   entries_at(strata.weights, samples)};
  std::vector<Fold> folds = deal(length(samples), own, options, context);
  for (Fold& fold : folds) {
    fold = {entries_at(samples, fold.train), entries_at(samples, fold.test)};
  }
  return folds;
}

std::vector<Fold> plain_folds(Index n, const FoldOptions& options, ConstSpan weights,
                              const Context& context) {
  check(options, n);
  check_weights_of(weights, n);
  if (!are_equal(weights))
    return weighted_folds(std::vector<Index>(to_size(n), 0), weights, options, context);
  LegacyRandom random(options.seed);
  std::vector<Fold> folds;
  for (Index r = 0; r < options.repeats; ++r) {
    append_folds(random_assignment(n, options, random), options.folds, context, folds);
  }
  return folds;
}

std::vector<Fold> stratified_folds(const std::vector<Index>& classes, const FoldOptions& options,
                                   ConstSpan weights, const Context& context) {
  check(options, length(classes));
  check_weights_of(weights, length(classes));
  const std::vector<Index> encoded = by_first_occurrence(classes);
  Index most = 0;
  for (const auto& [name, own] : members(classes)) most = std::max(most, length(own));
  if (most < options.folds) {
    throw ParameterError(fmt::format(
        "folds: {} folds need a class with at least as many samples; the largest has {}",
        options.folds, most));
  }
  if (!are_equal(weights)) return weighted_folds(encoded, weights, options, context);
  LegacyRandom random(options.seed);
  std::vector<Fold> folds;
  for (Index r = 0; r < options.repeats; ++r) {
    append_folds(stratified_assignment(encoded, options, random), options.folds, context, folds);
  }
  return folds;
}

std::vector<Fold> grouped_folds(const std::vector<Index>& groups, Index folds, ConstSpan weights,
                                const Context& context) {
  check_weights_of(weights, length(groups));
  const auto of = members(groups);
  if (folds < 2 || folds > length(of)) {
    refuse_number(folds, length(of), "groups");
  }
  std::vector<SizedGroup> by_size;
  for (const auto& [name, own] : of) by_size.push_back({&own, weight_of(own, weights)});
  std::ranges::stable_sort(by_size, {}, &SizedGroup::size);
  std::ranges::reverse(by_size);
  Vector size(to_size(folds), 0.0);
  std::vector<Index> fold(groups.size());
  for (const SizedGroup& own : by_size) {
    const auto lightest = std::ranges::min_element(size);
    *lightest += own.size;
    for (const Index i : *own.members) fold[to_size(i)] = lightest - size.begin();
  }
  std::vector<Fold> result;
  append_folds(fold, folds, context, result);
  return result;
}

std::vector<Fold> predefined_folds(const std::vector<Index>& fold_of_sample) {
  std::set<Index> numbers(fold_of_sample.begin(), fold_of_sample.end());
  numbers.erase(-1);
  if (numbers.empty()) throw ParameterError("folds: every sample always trains, none is tested");
  if (*numbers.begin() < 0)
    throw ParameterError(fmt::format(
        "folds: a sample has the fold {}; folds are numbers from 0, or -1", *numbers.begin()));
  std::vector<Fold> folds;
  for (const Index k : numbers) {
    Fold fold;
    for (Index i = 0; i < length(fold_of_sample); ++i) {
      (fold_of_sample[to_size(i)] == k ? fold.test : fold.train).push_back(i);
    }
    if (fold.train.empty())
      throw ParameterError(
          fmt::format("folds: fold {} tests all samples, so there is no training sample", k));
    folds.push_back(std::move(fold));
  }
  return folds;
}

std::vector<Fold> leave_one_out(Index n, const Context& context) {
  return plain_folds(n, {.folds = n, .shuffle = false}, {}, context);
}

namespace {

/// Splits the shuffled units of a stratum with the share `test` of test units, rounded; with
/// several units each part gets at least one.
void split_units(std::vector<Index> units, double test, LegacyRandom& random,
                 std::vector<Index>& tested, std::vector<Index>& trained) {
  random.shuffle(units);
  const Index n = length(units);
  const Index least = n > 1 ? 1 : 0;
  const Index count =
      std::clamp(static_cast<Index>(std::lround(test * static_cast<double>(n))), least, n - least);
  tested.insert(tested.end(), units.begin(), units.begin() + count);
  trained.insert(trained.end(), units.begin() + count, units.end());
}

void check_splits(Index splits, double test) {
  if (!(test > 0.0 && test < 1.0))
    throw ParameterError(fmt::format("test: the share is {}; it must be between 0 and 1", test));
  if (splits < 1) throw ParameterError(fmt::format("splits: {}; at least one is needed", splits));
}

Fold sorted_split(Fold fold) {
  if (fold.test.empty() || fold.train.empty())
    throw ParameterError("splits: too few samples for two parts");
  std::ranges::sort(fold.test);
  std::ranges::sort(fold.train);
  return fold;
}

}  // namespace

std::vector<Fold> random_splits(const std::vector<Index>& classes, Index splits, double test,
                                std::uint32_t seed, const Context& context) {
  check_splits(splits, test);
  const auto of = members(classes);
  LegacyRandom random(seed);
  std::vector<Fold> folds;
  for (Index s = 0; s < splits; ++s) {
    stop_dealing_if_asked(context);
    Fold fold;
    for (const auto& [name, own] : of) split_units(own, test, random, fold.test, fold.train);
    folds.push_back(sorted_split(std::move(fold)));
  }
  return folds;
}

std::vector<Fold> random_group_splits(const std::vector<Index>& groups, Index splits, double test,
                                      std::uint32_t seed, const Context& context) {
  check_splits(splits, test);
  const auto of = members(groups);
  std::vector<Index> names;
  for (const auto& [name, own] : of) names.push_back(name);
  LegacyRandom random(seed);
  std::vector<Fold> folds;
  for (Index s = 0; s < splits; ++s) {
    stop_dealing_if_asked(context);
    std::vector<Index> tested;
    std::vector<Index> trained;
    split_units(names, test, random, tested, trained);
    Fold fold;
    for (const Index g : tested) std::ranges::copy(of.at(g), std::back_inserter(fold.test));
    for (const Index g : trained) std::ranges::copy(of.at(g), std::back_inserter(fold.train));
    folds.push_back(sorted_split(std::move(fold)));
  }
  return folds;
}

}  // namespace kernmix
