#include <fmt/format.h>

#include <utility>

#include "model/settings/number_text.hpp"
#include "tune/findings.hpp"

namespace kernmix::cli {
namespace {

/// The one-standard-error rule prefers small C, so the lower end of the grid is expected.
void remark_on_chosen(const Tuned& tuned, std::vector<std::string>& remarks) {
  if (tuned.search.chosen == tuned.search.best) return;
  for (const auto& number : tuned.candidate(*tuned.search.chosen).numbers) {
    if (number.first != "C" ||
        !is_end_of_grid(tuned.method.candidates, number.first, number.second, false)) {
      continue;
    }
    remarks.push_back(
        fmt::format("The chosen C = {} is the smallest of its grid: a smaller value may be as good "
                    "and simpler; widen --grid C.",
                    number.second));
  }
}

void remark_on_nested(const TuneArguments& asked, std::vector<std::string>& remarks) {
  if (asked.nested.empty()) return;
  std::string given;
  if (!asked.folds.fold_column.empty()) given = "--fold-column";
  if (!asked.folds.split_file.empty()) given = "--split-file";
  if (asked.folds.leave_one_out) given = "--leave-one-out";
  if (given.empty()) return;
  remarks.push_back(
      fmt::format("The folds of --nested are not those of {}: {} outer folds with {} inner folds "
                  "each; use --groups for samples that must stay together.",
                  given, asked.nested, asked.folds.folds));
}

}  // namespace

std::vector<std::string> tune_remarks(const Tuned& tuned, const TuneArguments& asked) {
  std::vector<std::string> remarks = tuned.folds.warnings;
  for (std::string& remark : grid_remarks(tuned.method.candidates, tuned.search,
                                          "widen it with kernmix tune --grid {}=VALUES")) {
    remarks.push_back(std::move(remark));
  }
  if (tuned.search.chosen) remark_on_chosen(tuned, remarks);
  remark_on_nested(asked, remarks);
  if (asked.nested.empty()) return remarks;
  const Index outer = whole_number("--nested", asked.nested, 2);
  for (std::string& remark : nested_remarks(tuned.nested, outer)) {
    remarks.push_back(std::move(remark));
  }
  return remarks;
}

}  // namespace kernmix::cli
