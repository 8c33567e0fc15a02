#pragma once
/// \file
/// A finished split as a record of a journal.

#include <functional>
#include <string>
#include <vector>

#include "journal.hpp"
#include "kernmix/selection/comparison.hpp"

namespace kernmix::cli {

inline constexpr const char* kSplitRecord = "split";

/// Its fields.
[[nodiscard]] std::string split_fields(const ComparedSplit& split);

/// The sizes of a comparison, to check its records.
struct ComparisonSize {
  const std::vector<ComparedData>& data;
  std::vector<ScoreRange> scores;
  Index inner_folds = 0;
  std::function<Index(const Dataset&, const Candidate&)> kernels;  ///< their number
};

[[nodiscard]] ComparisonSize size_of_comparison(const std::vector<ComparedData>& data,
                                                const ComparisonRules& rules);

/// All splits of a journal. \throws DataError naming the line that does not fit this comparison, or
/// repeats another
[[nodiscard]] std::vector<ComparedSplit> splits_of_journal(const JournalText& journal,
                                                           const ComparisonSize& size);

}  // namespace kernmix::cli
