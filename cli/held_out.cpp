#include "held_out.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "layout.hpp"
#include "options.hpp"

namespace kernmix::cli {
namespace {

/// Names of the columns over all folds, some of which may lack a class or a label; "" for a single
/// task. \param part decision values or probabilities of a prediction
std::vector<std::string> names_of(const CrossValidation& result, Matrix Prediction::*part) {
  std::vector<std::string> names;
  for (const auto& model : result.models) {
    for (const FoldScore& fold : model) {
      const Index columns = (fold.prediction.*part).cols;
      if (columns == 0) continue;
      const bool single = columns == 1 && !fold.learned.of_labels();
      for (const std::string& name : single ? std::vector<std::string>{""} : fold.learned.names) {
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
      }
    }
  }
  return names;
}

std::string titles(const std::string& what, const std::vector<std::string>& names) {
  std::string cells;
  for (const std::string& name : names) {
    cells += "," + csv_field(name.empty() ? what : what + " " + name);
  }
  return cells;
}

/// Numbers of one sample under these names; empty if the fold has no value.
std::string cells(const FoldScore& fold, const Matrix& values, Index row,
                  const std::vector<std::string>& names) {
  const bool single = values.cols == 1 && !fold.learned.of_labels();
  std::string text;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(fold.learned.names, name);
    const Index at = single ? 0 : found - fold.learned.names.begin();
    const bool known = values.rows > 0 && name.empty() == single && at < values.cols;
    text += known ? fmt::format(",{}", values(row, at)) : std::string(",");
  }
  return text;
}

/// The labels that a sample has, joined by commas.
template <typename Has>
std::string joined_labels(const std::vector<std::string>& names, const Has& has) {
  std::vector<std::string> own;
  for (Index t = 0; t < length(names); ++t) {
    if (has(t)) own.push_back(names[to_size(t)]);
  }
  return csv_field(fmt::format("{}", fmt::join(own, ",")));
}

std::string true_label(const Table& table, Index i) {
  const MultiLabels& labels = table.multi_labels;
  if (!labels.names.empty()) {
    return joined_labels(labels.names, [&](Index t) { return labels.has(i, t); });
  }
  if (!table.labels.empty()) return csv_field(table.labels[to_size(i)]);
  if (table.targets.values.cols == 1) return fmt::format("{}", table.targets.values(i, 0));
  return "";
}

std::string predicted_label(const FoldScore& fold, Index row) {
  const Prediction& prediction = fold.prediction;
  const std::vector<std::string>& names = fold.learned.names;
  if (fold.learned.of_labels()) {
    const auto has = [&](Index t) {
      return prediction.has_label[to_size(row * length(names) + t)] != 0;
    };
    return joined_labels(names, has);
  }
  if (prediction.winner.empty()) return "";
  return csv_field(names[to_size(prediction.winner[to_size(row)])]);
}

}  // namespace

std::string held_out_csv(const Table& table, const std::vector<Variant>& variants,
                         const ChosenFolds& chosen, const CrossValidation& result) {
  const std::vector<Fold>& folds = chosen.folds;
  const std::vector<std::string> decisions = names_of(result, &Prediction::decision);
  const std::vector<std::string> probabilities = names_of(result, &Prediction::probability);
  std::string csv = "model,split,sample,true,label" + titles("decision", decisions) +
                    titles("probability", probabilities) + "\n";
  for (std::size_t k = 0; k < variants.size(); ++k) {
    for (std::size_t f = 0; f < folds.size(); ++f) {
      const FoldScore& fold = result.models[k][f];
      for (Index row = 0; row < fold.prediction.decision.rows; ++row) {
        const Index i = folds[f].test[to_size(row)];
        csv += fmt::format("{},{},{},{},{}{}{}\n", csv_field(variants[k].name),
                           csv_field(chosen.name(static_cast<Index>(f))),
                           csv_field(sample_name(table, i)), true_label(table, i),
                           predicted_label(fold, row),
                           cells(fold, fold.prediction.decision, row, decisions),
                           cells(fold, fold.prediction.probability, row, probabilities));
      }
    }
  }
  return csv;
}

}  // namespace kernmix::cli
