#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "kernmix/study.hpp"
#include "model/warnings/warnings.hpp"

namespace kernmix {
namespace {

using Remarks = std::vector<std::string>;

/// The least samples of a class in some training part; nothing without classes.
std::optional<Index> smallest_class(const ComparedData& data) {
  const auto classes = classes_of(data.data.table, data.methods.front().candidates.front().options);
  if (classes.empty()) return std::nullopt;
  std::optional<Index> smallest;
  for (const Fold& split : data.splits) {
    std::map<Index, Index> counts;
    for (const Index i : split.train) ++counts[classes[to_size(i)]];
    for (const auto& [k, count] : counts) smallest = std::min(smallest.value_or(count), count);
  }
  return smallest;
}

void remark_on_unfinished(const ComparisonSummary& summary, const std::string& resume,
                          Remarks& remarks) {
  for (std::size_t d = 0; d < summary.data.size(); ++d) {
    const Index missing = summary.splits[d] - summary.finished[d];
    if (missing == 0) continue;
    remarks.push_back(fmt::format(
        "Unfinished: {} lacks {} of {} splits{}; {}.", summary.data[d], missing, summary.splits[d],
        summary.finished[d] == 0 ? " and is left out of ranks and tests" : "", resume));
  }
}

/// \param tests  where those over the data sets are
void remark_on_few_data_sets(const ComparisonSummary& summary, const std::string& tests,
                             Remarks& remarks) {
  const Index data_sets = length(summary.scores.front().ranked);
  if (data_sets >= fewest_ranked_data_sets) return;
  if (data_sets > 1) {
    remarks.push_back(
        fmt::format("Ranks over {} data sets are not meaningful: tests need at least {} data sets "
                    "and are only in {}; methods are compared on each data set.",
                    data_sets, fewest_ranked_data_sets, tests));
  }
  remarks.emplace_back(
      "Splits of one data set overlap: the corrected t-test accounts for it (Nadeau and Bengio "
      "2003), and its conclusion is about this data set only.");
}

void remark_on_single_splits(const ComparisonSummary& summary, Remarks& remarks) {
  for (std::size_t d = 0; d < summary.data.size(); ++d) {
    if (summary.splits[d] == 1) {
      remarks.push_back(fmt::format("{} has one split: it has no standard deviation and no test.",
                                    summary.data[d]));
    }
  }
}

void remark_on_convergence(const ComparisonSummary& summary, Remarks& remarks) {
  for (std::size_t m = 0; m < summary.methods.size(); ++m) {
    Index last = 0;
    Index inner = 0;
    Index fits = 0;
    for (const auto& costs : summary.costs) {
      last += costs[m].unconverged;
      inner += costs[m].inner_unconverged;
      fits += costs[m].inner_fits;
    }
    if (last + inner == 0) continue;
    remarks.push_back(
        fmt::format("{}: {} final models and {} of {} models of inner folds did not reach their "
                    "tolerance; allow more iterations or another solver.",
                    summary.methods[m], last, inner, fits));
  }
}

std::optional<double> number_of(const Candidate& candidate, const std::string& key) {
  for (const auto& [name, number] : candidate.numbers) {
    if (name == key) return number;
  }
  return std::nullopt;
}

/// The data sets for which method m chose this value on most splits.
std::vector<std::string> data_sets_at(const std::vector<ComparedData>& data,
                                      const std::vector<ComparedSplit>& splits, std::size_t m,
                                      const std::string& key, double value) {
  std::vector<std::string> found;
  for (std::size_t d = 0; d < data.size(); ++d) {
    const std::vector<Candidate>& candidates = data[d].methods[m].candidates;
    Index finished = 0;
    Index there = 0;
    for (const ComparedSplit& split : splits) {
      if (split.data != static_cast<Index>(d)) continue;
      ++finished;
      if (number_of(candidates[to_size(split.methods[m].candidate)], key) == value) ++there;
    }
    if (2 * there > finished) found.push_back(data[d].name);
  }
  return found;
}

void remark_on_ends_of_grids(const std::vector<ComparedData>& data,
                             const std::vector<ComparedSplit>& splits, Remarks& remarks) {
  const std::vector<ComparedMethod>& methods = data.front().methods;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    for (const auto& number : methods[m].candidates.front().numbers) {
      const std::string& key = number.first;
      const auto ends = ends_of_grid(methods[m].candidates, key);
      if (!ends) continue;
      for (const bool largest : {false, true}) {
        const double end = largest ? ends->second : ends->first;
        const auto names = data_sets_at(data, splits, m, key, end);
        if (names.empty()) continue;
        remarks.push_back(fmt::format(
            "{} chose {} = {}, the {} of its grid, on most splits of {}: widen the grid.",
            methods[m].name, key, end, largest ? "largest" : "smallest", listed(names, 8)));
      }
    }
  }
}

}  // namespace

Remarks data_remarks(const ComparedData& data, const ChosenFolds& splits, Index inner_folds) {
  Remarks remarks = splits.warnings;
  const auto smallest = smallest_class(data);
  if (smallest && *smallest < inner_folds) {
    remarks.push_back(fmt::format(
        "a class has {} samples in a training part, fewer than the {} inner folds, so some folds "
        "do not test it; ask for fewer inner folds",
        *smallest, inner_folds));
  }
  const TrainOptions& options = data.methods.front().candidates.front().options;
  for (const Warning& warning : warnings_of_targets(data.data, options)) {
    remarks.push_back(warning.message.substr(0, warning.message.find(". ")));
  }
  for (std::string& remark : remarks) remark = fmt::format("{}: {}.", data.name, remark);
  return remarks;
}

Remarks comparison_remarks(const std::vector<ComparedData>& data,
                           const std::vector<ComparedSplit>& splits,
                           const ComparisonSummary& summary, const ComparisonWords& words) {
  Remarks remarks;
  remark_on_unfinished(summary, words.resume, remarks);
  remark_on_few_data_sets(summary, words.tests, remarks);
  remark_on_single_splits(summary, remarks);
  remark_on_convergence(summary, remarks);
  remark_on_ends_of_grids(data, splits, remarks);
  return remarks;
}

}  // namespace kernmix
