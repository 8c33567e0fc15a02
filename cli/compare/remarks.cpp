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
        "Unfinished: {} lacks {} of {} splits{}; with --journal the same command goes on.",
        summary.data[d], missing, summary.splits[d],
        summary.finished[d] == 0 ? " and is left out of ranks and tests" : ""));
  }
}

void remark_on_few_data_sets(const ComparisonResult& result, std::vector<std::string>& remarks) {
  const Index data_sets = length(result.summary.data);
  if (data_sets >= fewest_ranked_data_sets) return;
  if (data_sets > 1) {
    remarks.push_back(fmt::format(
        "Ranks over {} data sets mean little: tests over them need {} at least and are in the JSON "
        "only; methods are compared on each data set.",
        data_sets, fewest_ranked_data_sets));
  }
  remarks.emplace_back(
      "Splits of one data set overlap: the corrected t-test allows for it (Nadeau and Bengio "
      "2003), "
      "and says of this data set only whether methods differ.");
}

void remark_on_single_splits(const ComparisonResult& result, std::vector<std::string>& remarks) {
  for (std::size_t d = 0; d < result.summary.data.size(); ++d) {
    if (result.summary.splits[d] == 1) {
      remarks.push_back(fmt::format("{} has one split: no deviation and no test can be had of it.",
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
        fmt::format("{}: {} final models and {} of {} models of inner folds ended above their "
                    "tolerance; allow more --max-iterations or another solver.",
                    summary.methods[m], last, inner, fits));
  }
}

/// The smallest and the largest C of a grid.
struct GridEnds {
  double smallest = 0.0;
  double largest = 0.0;
};

std::optional<GridEnds> ends_of_C(const ComparedMethod& method) {
  GridEnds ends;
  std::vector<double> seen;
  for (const Candidate& candidate : method.candidates) {
    const double C = candidate.options.C;
    if (std::ranges::find(seen, C) == seen.end()) seen.push_back(C);
  }
  if (seen.size() < 2) return std::nullopt;
  ends.smallest = *std::ranges::min_element(seen);
  ends.largest = *std::ranges::max_element(seen);
  return ends;
}

Index splits_with_C(const ComparisonResult& result, std::size_t d, std::size_t m, double C) {
  const ComparedMethod& method = result.experiment.data[d].methods[m];
  return std::ranges::count_if(result.splits, [&](const ComparedSplit& split) {
    return split.data == static_cast<Index>(d) &&
           method.candidates[to_size(split.methods[m].candidate)].options.C == C;
  });
}

void remark_on_edges(const ComparisonResult& result, std::vector<std::string>& remarks) {
  for (std::size_t m = 0; m < result.summary.methods.size(); ++m) {
    for (std::size_t d = 0; d < result.summary.data.size(); ++d) {
      const ComparedMethod& method = result.experiment.data[d].methods[m];
      const auto ends = ends_of_C(method);
      if (!ends) continue;
      for (const double C : {ends->smallest, ends->largest}) {
        const Index count = splits_with_C(result, d, m, C);
        if (2 * count <= result.summary.finished[d]) continue;
        remarks.push_back(
            fmt::format("{} on {}: {} of {} splits chose C = {}, the {} of its grid: widen it.",
                        method.name, result.summary.data[d], count, result.summary.finished[d], C,
                        C == ends->largest ? "largest" : "smallest"));
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
