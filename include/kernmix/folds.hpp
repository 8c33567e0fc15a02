#pragma once
/// \file
/// Training and test samples of cross-validation. Folds equal those of scikit-learn's splitters
/// with the same seed, so that results can be compared. Functions with a context throw
/// ResourceError once it says stop: many folds of many samples take long.

#include <cstdint>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// A split of the samples; both ascending, neither empty.
struct Fold {
  std::vector<Index> train;
  std::vector<Index> test;
  friend bool operator==(const Fold&, const Fold&) = default;
};

/// \throws ParameterError if there is no fold, or if a part is empty, not ascending, or has a
/// repeated sample or one outside of 0 .. n - 1
void check_folds(const std::vector<Fold>& folds, Index n);

struct FoldOptions {
  Index folds = 5;         ///< 2 .. n
  Index repeats = 1;       ///< >= 1; more than one need `shuffle`
  bool shuffle = true;     ///< false: samples keep their order
  std::uint32_t seed = 0;  ///< scikit-learn's random_state
};

/// What folds keep of the samples; either may be empty.
struct Strata {
  std::vector<Index> classes;  ///< of each sample, any numbers: spread evenly over the folds
  std::vector<Index> groups;   ///< of each sample, any numbers: a group stays in one fold
  Vector weights = {};  ///< of each sample, > 0: how often it counts in the size of its group
};

/// The folds of n samples: grouped_folds() where there are groups, else stratified_folds() where
/// there are classes, else plain_folds(). Without groups the weights do not matter: the folds of
/// repeats and seeds differ whatever the weights, and do not depend on the labels but by the number
/// of samples in each class, so that permutations of the labels within the folds are as likely as
/// the labels. \throws ParameterError as these, and for repeats of groups
[[nodiscard]] std::vector<Fold> deal(Index n, const Strata& strata, const FoldOptions& options,
                                     const Context& context = {});

/// The folds of some samples, in their numbers. \param strata  of all samples
[[nodiscard]] std::vector<Fold> deal(const std::vector<Index>& samples, const Strata& strata,
                                     const FoldOptions& options, const Context& context = {});

/// \throws ParameterError naming a fold that trains on some samples of a group and tests others
void check_groups(const std::vector<Fold>& folds, const std::vector<Index>& groups);

/// n samples in folds that are as even as can be: KFold, or RepeatedKFold of several repeats, whose
/// folds follow each other. \param weights  how often each sample counts; of unequal ones the
/// heaviest sample goes first, each to the fold of the least weight, so that little is left to
/// chance \throws ParameterError where the options do not fit n
[[nodiscard]] std::vector<Fold> plain_folds(Index n, const FoldOptions& options,
                                            ConstSpan weights = {}, const Context& context = {});

/// Each class is distributed evenly over the folds: StratifiedKFold, or RepeatedStratifiedKFold.
/// \param classes  of each sample, any numbers;  \param weights  as of plain_folds, class by class
/// \throws ParameterError as plain_folds, and where every class has fewer samples than folds
[[nodiscard]] std::vector<Fold> stratified_folds(const std::vector<Index>& classes,
                                                 const FoldOptions& options, ConstSpan weights = {},
                                                 const Context& context = {});

/// Samples of a group stay in the same fold: GroupKFold. The largest group goes first, each to the
/// fold with the fewest samples; of equal groups the last in the order of `groups`' numbers.
/// \param groups  of each sample, any numbers;  \param weights  how often each sample counts; {}:
/// once \throws ParameterError for fewer groups than folds
[[nodiscard]] std::vector<Fold> grouped_folds(const std::vector<Index>& groups, Index folds,
                                              ConstSpan weights = {}, const Context& context = {});

/// One fold for each number >= 0, ascending; samples with -1 are always in training:
/// PredefinedSplit.
/// \throws ParameterError for a fold that tests all samples, or where there is none
[[nodiscard]] std::vector<Fold> predefined_folds(const std::vector<Index>& fold_of_sample);

/// One fold for each of n >= 2 samples: LeaveOneOut.
[[nodiscard]] std::vector<Fold> leave_one_out(Index n, const Context& context = {});

/// Independent random splits with the share `test` of the samples of each class, rounded, in the
/// test part; at least one sample of a class of two or more stands on either side.
/// \param classes  of each sample; all equal: without strata
/// \param test  in (0, 1);  \throws ParameterError where a part would be empty
[[nodiscard]] std::vector<Fold> random_splits(const std::vector<Index>& classes, Index splits,
                                              double test, std::uint32_t seed,
                                              const Context& context = {});

/// The same with whole groups on either side: the share `test` of the groups, rounded, is tested.
/// \throws ParameterError where a part would be empty
[[nodiscard]] std::vector<Fold> random_group_splits(const std::vector<Index>& groups, Index splits,
                                                    double test, std::uint32_t seed,
                                                    const Context& context = {});

}  // namespace kernmix
