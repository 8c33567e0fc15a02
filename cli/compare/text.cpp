#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "compare/presentation.hpp"
#include "kernmix/study.hpp"
#include "layout.hpp"

namespace kernmix::cli {
namespace {

constexpr std::size_t kDataSetsAcross = 4;  ///< columns of one block

std::string mean_of_method(const MethodMean& of, bool best) {
  if (!of.mean) return "";
  const std::string spread = of.spread ? fmt::format(" +- {:.4f}", *of.spread) : "";
  return fmt::format("{:.4f}{}{}", *of.mean, spread, best ? " *" : "");
}

std::string p_text(std::optional<double> p) {
  if (!p) return "";
  return *p < 0.0001 ? "< 0.0001" : fmt::format("{:.4f}", *p);
}

/// One row for each method, some data sets in columns; ranks in the last block.
std::string means_block(const ComparisonResult& result, const ScoreSummary& score,
                        std::size_t first, std::size_t end) {
  const ComparisonSummary& summary = result.summary;
  const bool ranks = end == summary.data.size() && score.ranked.size() > 1;
  std::vector<Row> rows(1, Row{"method"});
  for (std::size_t d = first; d < end; ++d) rows.front().push_back(summary.data[d]);
  if (ranks) rows.front().push_back("average rank");
  for (std::size_t m = 0; m < summary.methods.size(); ++m) {
    Row row = {summary.methods[m]};
    for (std::size_t d = first; d < end; ++d) {
      row.push_back(mean_of_method(score.means[d][m],
                                   is_best(score, static_cast<Index>(d), static_cast<Index>(m))));
    }
    if (ranks) row.push_back(fmt::format("{:.2f}", score.average_ranks[m]));
    rows.push_back(std::move(row));
  }
  return aligned(rows, true);
}

std::string means_blocks(const ComparisonResult& result, const ScoreSummary& score) {
  std::string text = fmt::format(
      "{}, mean +- standard deviation over splits (* the best; {} is "
      "better)\n\n",
      score.rule.name, score.rule.larger_is_better ? "larger" : "smaller");
  const std::size_t all = result.summary.data.size();
  for (std::size_t first = 0; first < all; first += kDataSetsAcross) {
    text += means_block(result, score, first, std::min(all, first + kDataSetsAcross)) + "\n";
  }
  return text;
}

/// The best method on a data set against each other one.
std::string differences_table(const ComparisonResult& result, const ScoreSummary& score, Index d) {
  const Index best = score.best_on(d);
  if (best < 0) return "";
  const auto& names = result.summary.methods;
  std::vector<Row> rows = {{fmt::format("{} against", names[to_size(best)]), "difference",
                            "95 % interval", "p", "p (Holm)", "win/tie/loss"}};
  for (const MethodDifference& pair : score.differences[to_size(d)]) {
    if (pair.first != best && pair.second != best) continue;
    const bool turned = pair.second == best;
    const double sign = turned ? -1.0 : 1.0;
    const auto& test = pair.test;
    const auto low = turned ? test.high : test.low;
    const auto high = turned ? test.low : test.high;
    rows.push_back(
        {names[to_size(turned ? pair.first : pair.second)],
         fmt::format("{:.4f}", sign * test.mean + 0.0),
         low ? fmt::format("[{:.4f}, {:.4f}]", sign * *low + 0.0, sign * *high + 0.0) : "",
         p_text(test.p), p_text(pair.holm_p),
         fmt::format("{}/{}/{}", turned ? pair.signs.losses : pair.signs.wins, pair.signs.ties,
                     turned ? pair.signs.wins : pair.signs.losses)});
  }
  return fmt::format("{}: corrected resampled t-test over {} splits (Holm: all pairs)\n{}\n",
                     result.summary.data[to_size(d)], score.means[to_size(d)].front().values.size(),
                     aligned(rows, true));
}

std::string friedman_lines(const ScoreSummary& score) {
  std::string text;
  if (score.friedman) {
    const double k = static_cast<double>(score.average_ranks.size());
    const double n = static_cast<double>(score.ranked.size());
    text += fmt::format(
        "Friedman: chi2({:.0f}) = {:.3f}, p = {}; Iman-Davenport: F({:.0f}, "
        "{:.0f}) = {:.3f}, p = {}\n",
        k - 1.0, score.friedman->chi_squared, p_text(score.friedman->p), k - 1.0,
        (k - 1.0) * (n - 1.0), score.friedman->f, p_text(score.friedman->f_p));
  }
  if (score.critical_difference) {
    text += fmt::format("Nemenyi: average ranks differ where {:.3f} or more apart (0.05)\n",
                        *score.critical_difference);
  }
  return text;
}

/// The method with the best average rank against each other one.
std::string pairs_table(const ComparisonResult& result, const ScoreSummary& score) {
  const Index best = std::ranges::min_element(score.average_ranks) - score.average_ranks.begin();
  const auto& names = result.summary.methods;
  std::vector<Row> rows = {{fmt::format("{} against", names[to_size(best)]), "Wilcoxon p",
                            "p (Holm)", "p (Nemenyi)", "win/tie/loss"}};
  for (const MethodPair& pair : score.pairs) {
    if (pair.first != best && pair.second != best) continue;
    const bool turned = pair.second == best;
    rows.push_back({names[to_size(turned ? pair.first : pair.second)], p_text(pair.test.p),
                    p_text(pair.holm_p), p_text(pair.nemenyi_p),
                    fmt::format("{}/{}/{}", turned ? pair.signs.losses : pair.signs.wins,
                                pair.signs.ties, turned ? pair.signs.wins : pair.signs.losses)});
  }
  return aligned(rows, true) + "\n";
}

std::string tests_text(const ComparisonResult& result, const ScoreSummary& score) {
  std::string text;
  if (length(score.ranked) >= fewest_ranked_data_sets) {
    return friedman_lines(score) + "\n" + pairs_table(result, score);
  }
  for (Index d = 0; d < length(result.summary.data); ++d) {
    text += differences_table(result, score, d);
  }
  return text;
}

/// The most frequent choice over the splits, and its frequency.
std::string usual_choice(const MethodCost& cost) {
  const auto most =
      std::ranges::max_element(cost.choices, {}, [](const auto& choice) { return choice.second; });
  if (most == cost.choices.end() || most->first.empty()) return "";
  return fmt::format("{} ({})", most->first, most->second);
}

std::string costs_table(const ComparisonResult& result) {
  const ComparisonSummary& summary = result.summary;
  std::vector<Row> rows = {{"data", "method", "kernels used", "kernels", "seconds",
                            "seconds to choose", "most often chosen"}};
  for (std::size_t d = 0; d < summary.data.size(); ++d) {
    for (std::size_t m = 0; m < summary.methods.size() && summary.finished[d] > 0; ++m) {
      const MethodCost& cost = summary.costs[d][m];
      rows.push_back({summary.data[d], summary.methods[m], fmt::format("{:.1f}", cost.kernels_used),
                      fmt::format("{}", cost.kernels), fmt::format("{:.4f}", cost.solve_seconds),
                      fmt::format("{:.3f}", cost.choose_seconds), usual_choice(cost)});
    }
  }
  return "Per split: kernels with weight, seconds of solving (kernels are computed once for all "
         "methods)\n\n" +
         aligned(rows, true);
}

std::string head_of(const ComparisonResult& result) {
  std::string text;
  for (std::size_t d = 0; d < result.summary.data.size(); ++d) {
    const ComparedData& data = result.experiment.data[d];
    const Fold& first = data.splits.front();
    text += fmt::format("{}: {} samples; {} ({} of {} splits)\n", data.name,
                        first.train.size() + first.test.size(), result.experiment.split_rules[d],
                        result.summary.finished[d], result.summary.splits[d]);
  }
  return text + "\n";
}

}  // namespace

bool is_best(const ScoreSummary& score, Index data, Index method) {
  const Index best = score.best_on(data);
  return best >= 0 && score.means[to_size(data)][to_size(method)].mean ==
                          score.means[to_size(data)][to_size(best)].mean;
}

std::vector<std::string> remarks_on(const ComparisonResult& result) {
  std::vector<std::string> remarks = result.experiment.remarks;
  const ComparisonWords words{"with --journal the same command resumes", "the JSON"};
  std::ranges::move(
      comparison_remarks(result.experiment.data, result.splits, result.summary, words),
      std::back_inserter(remarks));
  return remarks;
}

std::string comparison_text(const ComparisonResult& result) {
  std::string text = head_of(result);
  for (const ScoreSummary& score : result.summary.scores) {
    text += means_blocks(result, score) + tests_text(result, score);
  }
  text += costs_table(result);
  for (const std::string& remark : remarks_on(result)) text += "\n" + wrapped(remark, 100) + "\n";
  return text;
}

}  // namespace kernmix::cli
