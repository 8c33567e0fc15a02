#pragma once
/// \file
/// A finished split as a record of a journal.

#include <string>
#include <vector>

#include "journal.hpp"
#include "kernmix/selection/comparison.hpp"

namespace kernmix::cli {

inline constexpr const char* kSplitRecord = "split";

/// Its fields.
[[nodiscard]] std::string split_fields(const ComparedSplit& split);

/// All splits of a journal. \param scores number of scores of each method
/// \throws DataError naming the line that does not fit this comparison, or repeats another
[[nodiscard]] std::vector<ComparedSplit> splits_of_journal(const JournalText& journal,
                                                           const std::vector<ComparedData>& data,
                                                           Index scores);

}  // namespace kernmix::cli
