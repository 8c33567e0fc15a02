#pragma once
/// \file
/// The tables and sentences of a report, as HTML.

#include <string>
#include <vector>

#include "run.hpp"

namespace kernmix::report {

// answer.cpp

/// What is first in a report: for everybody, how many samples there are, how often predictions are
/// right, and how often those of a rule without a model.
[[nodiscard]] std::string answer(const std::vector<Run>& runs);

// method_tables.cpp

/// One row for each evaluation of each run: metrics with intervals, kernels used, gap, time.
[[nodiscard]] std::string method_table(const std::vector<Run>& runs);

// paired_tables.cpp

/// Of several runs with an evaluation on the same samples: whether they differ, by tests of paired
/// values; "" where there are none.
[[nodiscard]] std::string paired_table(const std::vector<Run>& runs);

// class_tables.cpp

/// Of many classes, labels or targets, for each evaluation: the worst of them, the pairs that are
/// confused most, and all of them in a table that can be opened.
[[nodiscard]] std::string class_results(const Run& run);

// provenance.cpp

/// Which files were read, with their checksums, and the commands that read them.
[[nodiscard]] std::string provenance(const std::vector<Run>& runs);
/// What was fitted and how good the answer is certified to be, as sentences to cite.
[[nodiscard]] std::string certificate(const Run& run);
/// All settings, in a table that can be opened.
[[nodiscard]] std::string settings(const Run& run);

}  // namespace kernmix::report
