// CSV and LaTeX.

#include <fmt/format.h>

#include <string_view>

#include "compare/presentation.hpp"
#include "layout.hpp"

namespace kernmix::cli {
namespace {

std::string csv_number(std::optional<double> value) {
  return value ? fmt::format("{}", *value) : "";
}

std::string csv_line(const ComparedData& data, const ComparedSplit& split, std::size_t m) {
  const ComparedCell& cell = split.methods[m];
  const ComparedMethod& method = data.methods[m];
  std::string line = fmt::format(
      "{},{},{},{},{},{}", csv_field(data.name), split.split + 1, csv_field(method.name),
      csv_field(method.candidates[to_size(cell.candidate)].name), split.train, split.test);
  for (const auto& score : cell.scores) line += "," + csv_number(score);
  return line + fmt::format(",{},{},{},{},{},{}\n", cell.kernels_used, cell.kernels,
                            csv_field(status_name(cell.status)), cell.relative_gap,
                            cell.solve_seconds, cell.choose_seconds);
}

std::string latex_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\textbackslash{}";
    } else if (c == '~' || c == '^') {
      out += fmt::format("\\{}{{}}", c);
    } else {
      if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string latex_mean(const MethodMean& of, bool best) {
  if (!of.mean) return "--";
  const std::string mean =
      best ? fmt::format("\\mathbf{{{:.4f}}}", *of.mean) : fmt::format("{:.4f}", *of.mean);
  return of.spread ? fmt::format("${} \\pm {:.4f}$", mean, *of.spread) : fmt::format("${}$", mean);
}

std::string latex_rows(const ComparisonResult& result, const ScoreSummary& score, bool ranks) {
  std::string rows;
  for (std::size_t m = 0; m < result.summary.methods.size(); ++m) {
    rows += latex_escaped(result.summary.methods[m]);
    for (std::size_t d = 0; d < result.summary.data.size(); ++d) {
      rows += " & " + latex_mean(score.means[d][m],
                                 is_best(score, static_cast<Index>(d), static_cast<Index>(m)));
    }
    if (ranks) rows += fmt::format(" & {:.2f}", score.average_ranks[m]);
    rows += " \\\\\n";
  }
  return rows;
}

std::string latex_table(const ComparisonResult& result, const ScoreSummary& score) {
  const bool ranks = score.ranked.size() > 1;
  std::string head = "method";
  for (const std::string& name : result.summary.data) head += " & " + latex_escaped(name);
  if (ranks) head += " & rank";
  return fmt::format(
      "\\begin{{table}}\n\\centering\n\\caption{{{}: mean $\\pm$ standard deviation over splits; "
      "the best in bold.}}\n\\begin{{tabular}}{{l{}}}\n\\toprule\n{} \\\\\n\\midrule\n{}"
      "\\bottomrule\n\\end{{tabular}}\n\\end{{table}}\n",
      latex_escaped(score.rule.name),
      std::string(result.summary.data.size() + (ranks ? 1 : 0), 'r'), head,
      latex_rows(result, score, ranks));
}

}  // namespace

std::string comparison_csv(const ComparisonResult& result) {
  std::string text = "data,split,method,chosen,n_train,n_test";
  for (const std::string& score : result.experiment.rules.scores) text += "," + score;
  text += ",kernels_used,kernels,status,relative_gap,solve_seconds,choose_seconds\n";
  for (const ComparedSplit& split : result.splits) {
    for (std::size_t m = 0; m < split.methods.size(); ++m) {
      text += csv_line(result.experiment.data[to_size(split.data)], split, m);
    }
  }
  return text;
}

std::string comparison_latex(const ComparisonResult& result) {
  std::string text = "% \\usepackage{booktabs}\n";
  for (const std::string& remark : remarks_on(result)) text += "% " + remark + "\n";
  for (const ScoreSummary& score : result.summary.scores) text += latex_table(result, score);
  return text;
}

}  // namespace kernmix::cli
