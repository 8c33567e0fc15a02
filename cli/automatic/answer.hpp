#pragma once
/// \file
/// What kernmix auto says first, in words for everybody: the samples, what to expect, what matters.

#include <string>
#include <vector>

#include "automatic/study.hpp"

namespace kernmix::cli {

/// Sentences: how many samples were used and left out, and why; how often predictions of new
/// samples are right; which views the model looks at, with the range over the outer folds.
/// \param score  what was chosen by
[[nodiscard]] std::vector<std::string> answer_of(const AutomaticStudy& study, const Table& table,
                                                 Index samples, const std::string& score);

}  // namespace kernmix::cli
