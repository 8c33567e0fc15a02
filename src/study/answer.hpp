#pragma once
/// \file
/// What kernmix auto says first, in words for everybody: the samples, what to expect, what matters.

#include <string>
#include <vector>

#include "kernmix/study.hpp"

namespace kernmix {

/// AutoResult::views, of its model and those of the outer folds.
[[nodiscard]] std::vector<ViewShare> ranged_view_shares(const AutoResult& study);

/// Sentences: how many samples were used and left out, and why; how often predictions of new
/// samples are right; which views and columns the model looks at, with the range over the outer
/// folds. \param study  all but its answer
[[nodiscard]] std::vector<std::string> answer_of(const AutoResult& study, const Dataset& data);

}  // namespace kernmix
