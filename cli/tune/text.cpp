#include <fmt/format.h>

#include <algorithm>

#include "expected.hpp"
#include "layout.hpp"
#include "tune/findings.hpp"

namespace kernmix::cli {
namespace {

constexpr std::size_t kMostRows = 10;

std::string mean_text(const MeanAndSpread& of) {
  return of.spread ? fmt::format("{:.4f} +- {:.4f}", *of.mean, *of.spread)
                   : fmt::format("{:.4f}", *of.mean);
}

std::string mean_text(const SearchedCell& cell) {
  return mean_text(MeanAndSpread{cell.mean, cell.spread});
}

/// Candidates with all scores, in descending order.
std::vector<Index> ranking(const Tuned& tuned) {
  std::vector<Index> order;
  for (Index c = 0; c < length(tuned.search.cells); ++c) {
    if (tuned.cell(c).mean) order.push_back(c);
  }
  std::ranges::stable_sort(order, [&](Index left, Index right) {
    return tuned.score.better(tuned.cell(left).mean, tuned.cell(right).mean);
  });
  return order;
}

std::string cells_table(const Tuned& tuned) {
  std::vector<Row> rows = {{"candidate", tuned.score.name, "kernels used"}};
  for (const Index c : ranking(tuned)) {
    if (rows.size() > kMostRows) break;
    rows.push_back({tuned.candidate(c).name, mean_text(tuned.cell(c)),
                    fmt::format("{:.1f}", tuned.cell(c).kernels_used)});
  }
  return aligned(rows, true) + "Mean +- standard deviation over the folds.\n";
}

std::string counts_text(const Search& search) {
  const auto abandoned = std::ranges::count_if(search.cells, &SearchedCell::abandoned);
  std::string text = fmt::format("{} candidates, {} models, kernels computed {} times",
                                 search.cells.size(), search.fits, search.kernel_builds);
  if (abandoned > 0) {
    text += abandoned == 1
                ? "; 1 candidate was abandoned because it could no longer win"
                : fmt::format("; {} candidates were abandoned because they could no longer win",
                              abandoned);
  }
  return text + "\n";
}

std::string choice_text(const Tuned& tuned) {
  if (tuned.choice == Choice::best || !tuned.search.chosen) return "";
  const Index chosen = *tuned.search.chosen;
  const Index best = *tuned.search.best;
  return fmt::format(
      "\nChosen, the simplest within one standard error ({:.4f}) of the best: {}, {} {}, {:.1f} "
      "kernels used\n",
      tuned.cell(best).standard_error().value_or(0.0), tuned.candidate(chosen).name,
      tuned.score.name, mean_text(tuned.cell(chosen)), tuned.cell(chosen).kernels_used);
}

/// What each outer fold chose, and an empty line; empty for one fold, whose choice is that of the
/// model.
std::string outer_choices(const Tuned& tuned) {
  if (tuned.nested.folds.size() == 1) return "";
  std::vector<Row> rows = {{"chosen in an outer fold", tuned.score.name + " outside"}};
  for (const NestedScore& fold : tuned.nested.folds) {
    rows.push_back({tuned.candidate(fold.candidate).name,
                    fold.score ? fmt::format("{:.4f}", *fold.score) : ""});
  }
  return aligned(rows, true) + "\n";
}

std::string nested_text(const Tuned& tuned) {
  const MeanAndSpread mean = nested_mean(tuned.nested, tuned.expected, tuned.score.name);
  if (!mean.mean) return "";
  const std::string expected =
      tuned.expected ? expected_score(*tuned.expected, tuned.score.name) : std::string();
  std::string text = fmt::format(
      "\n{}Expected on new samples ({}): {}\n", outer_choices(tuned), tuned.estimated_by,
      expected.empty() ? fmt::format("{} {}", tuned.score.name, mean_text(mean)) : expected);
  if (tuned.expected && !tuned.says_answer)
    text += wrapped(answer_sentence(*tuned.expected), 100) + "\n";
  return text;
}

}  // namespace

std::string tune_text(const Tuned& tuned) {
  std::string text =
      fmt::format("{}; {}\n{}", tuned.folds.rule, counts_text(tuned.search), cells_table(tuned)) +
      choice_text(tuned) + nested_text(tuned);
  for (const std::string& remark : tuned.remarks) text += "\n" + wrapped(remark, 100) + "\n";
  return text;
}

}  // namespace kernmix::cli
