#pragma once
/// \file
/// The values that a score can have, to check the records of a journal.

#include <limits>
#include <string>

namespace kernmix::cli {

struct ScoreRange {
  double least = -std::numeric_limits<double>::max();
  double most = std::numeric_limits<double>::max();
};

/// \param name  a metric of score_rule() \throws ParameterError for an unknown one
[[nodiscard]] ScoreRange range_of_score(const std::string& name);

}  // namespace kernmix::cli
