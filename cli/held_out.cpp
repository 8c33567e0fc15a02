#include "held_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "layout.hpp"
#include "options.hpp"

namespace kernmix::cli {
namespace {

/// The columns of decision values: those of all folds, which may lack a class or a label.
std::vector<std::string> decision_names(const CrossValidation& result) {
  std::vector<std::string> names;
  for (const auto& model : result.models) {
    for (const FoldScore& fold : model) {
      const bool single = fold.prediction.decision.cols == 1;
      for (const std::string& name : single ? std::vector<std::string>{""} : fold.learned.names) {
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
      }
    }
  }
  return names;
}

std::string decision_cells(const FoldScore& fold, Index row,
                           const std::vector<std::string>& names) {
  std::string cells;
  const ConstSpan values = fold.prediction.decision.row(row);
  for (const std::string& name : names) {
    const auto found = std::ranges::find(fold.learned.names, name);
    const auto at = values.size() == 1 ? 0 : found - fold.learned.names.begin();
    const bool known = name.empty() == (values.size() == 1) && to_size(at) < values.size();
    cells += known ? fmt::format(",{}", values[to_size(at)]) : std::string(",");
  }
  return cells;
}

std::string true_label(const Table& table, Index i) {
  if (!table.labels.empty()) return csv_field(table.labels[to_size(i)]);
  if (table.targets.values.cols == 1) return fmt::format("{}", table.targets.values(i, 0));
  return "";
}

}  // namespace

std::string held_out_csv(const Table& table, const std::vector<Variant>& variants,
                         const std::vector<Fold>& folds, const CrossValidation& result) {
  const std::vector<std::string> names = decision_names(result);
  std::string csv = "model,split,sample,true,label";
  for (const std::string& name : names) {
    csv += name.empty() ? ",decision" : "," + csv_field("decision " + name);
  }
  csv += "\n";
  for (std::size_t k = 0; k < variants.size(); ++k) {
    for (std::size_t f = 0; f < folds.size(); ++f) {
      const FoldScore& fold = result.models[k][f];
      for (Index row = 0; row < fold.prediction.decision.rows; ++row) {
        const Index i = folds[f].test[to_size(row)];
        const auto& winner = fold.prediction.winner;
        csv += fmt::format(
            "{},{},{},{},{}{}\n", csv_field(variants[k].name), f + 1,
            csv_field(sample_name(table, i)), true_label(table, i),
            winner.empty() ? "" : csv_field(fold.learned.names[to_size(winner[to_size(row)])]),
            decision_cells(fold, row, names));
      }
    }
  }
  return csv;
}

}  // namespace kernmix::cli
