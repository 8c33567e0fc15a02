#pragma once
/// \file
/// A split that is finished, as a record of a journal.

#include <string>
#include <vector>

#include "journal.hpp"
#include "kernmix/selection/comparison.hpp"

namespace kernmix::cli {

inline constexpr const char* kSplitRecord = "split";

/// Its fields.
[[nodiscard]] std::string split_fields(const ComparedSplit& split);

/// All splits of a journal. \param scores  how many each method has
/// \throws DataError naming the line that is not of such a comparison, or repeats another
[[nodiscard]] std::vector<ComparedSplit> splits_of_journal(const JournalText& journal,
                                                           const std::vector<ComparedData>& data,
                                                           Index scores);

}  // namespace kernmix::cli
