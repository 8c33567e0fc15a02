#pragma once
/// \file
/// A model of a search, as a record of a journal.

#include <functional>
#include <string>
#include <vector>

#include "journal.hpp"
#include "kernmix/selection/search.hpp"

namespace kernmix::cli {

inline constexpr const char* kFitRecord = "fit";

/// The sizes of a search, to check its records.
struct SearchSize {
  /// Numbers of training samples of each fold, and of the training part of the outer fold.
  struct Folds {
    std::vector<Index> train;
    Index outer_train = 0;
  };
  Folds folds;               ///< of the search itself
  std::vector<Folds> outer;  ///< of each outer fold
  Index candidates = 0;
  std::function<Index(Index)> kernels;  ///< number of kernels of a candidate
  ScoreRange score = {};
};

[[nodiscard]] SearchSize size_of_search(const Dataset& data,
                                        const std::vector<Candidate>& candidates,
                                        const std::vector<Fold>& folds,
                                        const std::vector<NestedFold>& nested);

/// Its fields. Doubles are restored exactly, because later models start from them.
[[nodiscard]] std::string fit_fields(const SearchedFit& fit);

/// All models of a journal. \throws DataError naming the line that does not fit this search, or
/// repeats another
[[nodiscard]] std::vector<SearchedFit> fits_of_journal(const JournalText& journal,
                                                       const SearchSize& size);

}  // namespace kernmix::cli
