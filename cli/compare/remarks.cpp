#include <fmt/format.h>

#include <algorithm>

#include "compare/presentation.hpp"
#include "layout.hpp"

namespace kernmix::cli {
namespace {

void remark_on_unfinished(const ComparisonResult& result, std::vector<std::string>& remarks) {
  const ComparisonSummary& summary = result.summary;
  for (std::size_t d = 0; d < summary.data.size(); ++d) {
    const Index missing = summary.splits[d] - summary.finished[d];
    if (missing == 0) continue;
    remarks.push_back(fmt::format(
        "Unfinished: {} lacks {} of {} splits{}; with --journal the same command resumes.",
        summary.data[d], missing, summary.splits[d],
        summary.finished[d] == 0 ? " and is left out of ranks and tests" : ""));
  }
}

void remark_on_few_data_sets(const ComparisonResult& result, std::vector<std::string>& remarks) {
  const Index data_sets = length(result.summary.scores.front().ranked);
  if (data_sets >= fewest_ranked_data_sets) return;
  if (data_sets > 1) {
    remarks.push_back(
        fmt::format("Ranks over {} data sets are not meaningful: tests need at least {} data sets "
                    "and are only in the JSON; methods are compared on each data set.",
                    data_sets, fewest_ranked_data_sets));
  }
  remarks.emplace_back(
      "Splits of one data set overlap: the corrected t-test accounts for it (Nadeau and Bengio "
      "2003), and its conclusion is about this data set only.");
}

void remark_on_single_splits(const ComparisonResult& result, std::vector<std::string>& remarks) {
  for (std::size_t d = 0; d < result.summary.data.size(); ++d) {
    if (result.summary.splits[d] == 1) {
      remarks.push_back(fmt::format("{} has one split: it has no standard deviation and no test.",
                                    result.summary.data[d]));
    }
  }
}

void remark_on_convergence(const ComparisonResult& result, std::vector<std::string>& remarks) {
  const ComparisonSummary& summary = result.summary;
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
                    "tolerance; allow more --max-iterations or another solver.",
                    summary.methods[m], last, inner, fits));
  }
}

std::optional<double> number_of(const Candidate& candidate, const std::string& key) {
  for (const auto& [name, number] : candidate.numbers) {
    if (name == key) return number;
  }
  return std::nullopt;
}

/// The smallest or the largest value of `key` among the candidates; nothing if there is only one.
std::optional<double> end_of(const ComparedMethod& method, const std::string& key, bool largest) {
  std::vector<double> values;
  for (const Candidate& candidate : method.candidates) {
    if (const auto number = number_of(candidate, key)) values.push_back(*number);
  }
  if (values.empty()) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(values);
  if (low == high) return std::nullopt;
  return largest ? high : low;
}

/// The data sets for which the method chose this value on most splits.
std::vector<std::string> data_sets_at(const ComparisonResult& result, std::size_t m,
                                      const std::string& key, double value) {
  std::vector<std::string> found;
  for (std::size_t d = 0; d < result.summary.data.size(); ++d) {
    const ComparedMethod& method = result.experiment.data[d].methods[m];
    const Index count = std::ranges::count_if(result.splits, [&](const ComparedSplit& split) {
      return split.data == static_cast<Index>(d) &&
             number_of(method.candidates[to_size(split.methods[m].candidate)], key) == value;
    });
    if (2 * count > result.summary.finished[d]) found.push_back(result.summary.data[d]);
  }
  return found;
}

void remark_on_edges(const ComparisonResult& result, std::vector<std::string>& remarks) {
  for (std::size_t m = 0; m < result.summary.methods.size(); ++m) {
    const ComparedMethod& method = result.experiment.methods()[m];
    for (const auto& number : method.candidates.front().numbers) {
      const std::string& key = number.first;
      for (const bool largest : {false, true}) {
        const auto end = end_of(method, key, largest);
        const auto names = end ? data_sets_at(result, m, key, *end) : std::vector<std::string>();
        if (names.empty()) continue;
        remarks.push_back(fmt::format(
            "{} chose {} = {}, the {} of its grid, on most splits of {}: widen the grid.",
            method.name, key, *end, largest ? "largest" : "smallest", listed(names, 8)));
      }
    }
  }
}

}  // namespace

std::vector<std::string> remarks_on(const ComparisonResult& result) {
  std::vector<std::string> remarks;
  for (const std::string& warning : result.experiment.warnings) remarks.push_back(warning + ".");
  remark_on_unfinished(result, remarks);
  remark_on_few_data_sets(result, remarks);
  remark_on_single_splits(result, remarks);
  remark_on_convergence(result, remarks);
  remark_on_edges(result, remarks);
  return remarks;
}

}  // namespace kernmix::cli
