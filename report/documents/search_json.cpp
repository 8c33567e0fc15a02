#include "search_json.hpp"

#include <utility>

#include "expected.hpp"
#include "kernmix/version.hpp"
#include "views_text.hpp"

namespace kernmix::documents {
namespace {

Json cell_json(const Candidate& candidate, const SearchedCell& cell) {
  Json numbers = Json::object();
  for (const auto& [key, value] : candidate.numbers) numbers[key] = value;
  Json scores = Json::array();
  for (const auto& one : cell.scores) scores.push_back(json_number(one));
  return {{"name", candidate.name},
          {"grid", std::move(numbers)},
          {"regularizer", regularizer_text(candidate.options.regularizer)},
          {"C", json_number(cost_of(candidate.options))},
          {"mean", json_number(cell.mean)},
          {"sd", json_number(cell.spread)},
          {"scores", std::move(scores)},
          {"abandoned", cell.abandoned},
          {"kernels_used", cell.kernels_used}};
}

Json index_json(const std::optional<Index>& place) { return place ? Json(*place) : Json(nullptr); }

Json choice_json(const SearchDocument& found) {
  std::optional<double> error;
  if (found.search.best) error = found.search.cells[to_size(*found.search.best)].standard_error();
  return {{"rule", found.choice == Choice::best ? "best" : "one-se"},
          {"candidate", index_json(found.search.chosen)},
          {"standard_error", json_number(error)}};
}

Json nested_json(const SearchDocument& found) {
  if (found.nested.folds.empty()) return nullptr;
  const MeanAndSpread mean = nested_mean(found.nested, found.expected, found.score.name);
  Json folds = Json::array();
  for (const NestedScore& fold : found.nested.folds) {
    folds.push_back({{"candidate", fold.candidate}, {"score", json_number(fold.score)}});
  }
  return {{"mean", json_number(mean.mean)},
          {"sd", json_number(mean.spread)},
          {"folds", folds},
          {"expected", expected_json(found.expected)}};
}

}  // namespace

Json fold_names_json(const ChosenFolds& folds) {
  Json names = Json::array();
  for (Index f = 0; f < length(folds.folds); ++f) names.push_back(folds.name(f));
  return names;
}

Json search_json(const SearchDocument& found) {
  const Search& search = found.search;
  Json candidates = Json::array();
  for (std::size_t c = 0; c < search.cells.size(); ++c) {
    candidates.push_back(cell_json(found.candidates[c], search.cells[c]));
  }
  return {{"version", KERNMIX_VERSION},
          {"command", "tune"},
          {"data", found.files},
          {"model", found.model_file},
          {"folds",
           {{"rule", found.folds.rule},
            {"count", found.folds.folds.size()},
            {"names", fold_names_json(found.folds)}}},
          {"score", found.score.name},
          {"complete", search.complete && found.nested.complete},
          {"best", index_json(search.best)},
          {"choice", choice_json(found)},
          {"candidates", std::move(candidates)},
          {"nested", nested_json(found)},
          {"cost",
           {{"models", search.fits},
            {"unconverged", search.unconverged},
            {"kernel_builds", search.kernel_builds}}},
          {"remarks", found.remarks}};
}

void add_data_facts(const Dataset& data, Json& document) {
  const Table& table = data.table;
  document["data_views"] = views_json(data);
  document["unmatched"] = table.unmatched;
  if (table.inlier.empty()) return;
  const BinaryLabels labels = BinaryLabels::find(table.labels, table.inlier);
  document["labels"] = {{"outlier", labels.negative}, {"inlier", labels.positive}};
}

}  // namespace kernmix::documents
