#pragma once
/// \file
/// Searches as JSON (docs/reference/results.md): what `tune --json` writes and `report` reads.

#include <optional>
#include <string>
#include <vector>

#include "json_text.hpp"
#include "kernmix/study.hpp"

namespace kernmix::documents {

/// What a search found, and where its samples came from.
struct SearchDocument {
  const std::vector<Candidate>& candidates;
  const ChosenFolds& folds;
  const ScoreRule& score;
  Choice choice = Choice::best;
  const Search& search;
  const NestedSearch& nested;
  const std::optional<Expected>& expected;  ///< of the nested search
  const std::vector<std::string>& remarks;
  std::vector<std::string> files;
  std::string model_file;
};

[[nodiscard]] Json search_json(const SearchDocument& found);

/// The name of each fold.
[[nodiscard]] Json fold_names_json(const ChosenFolds& folds);

/// What every command says of the samples that it learned from: `unmatched`, how many were left
/// out, the `data_views` with their columns of each file, and of novelty detection the `labels` of
/// outliers and inliers.
void add_data_facts(const Dataset& data, Json& document);

}  // namespace kernmix::documents
