#include "expected.hpp"
#include "kernmix/version.hpp"
#include "tune/findings.hpp"

namespace kernmix::cli {
namespace {

Json cell_json(const Candidate& candidate, const SearchedCell& cell) {
  Json numbers = Json::object();
  for (const auto& [key, value] : candidate.numbers) numbers[key] = value;
  Json scores = Json::array();
  for (const auto& one : cell.scores) scores.push_back(json_number(one));
  return {{"name", candidate.name},
          {"grid", std::move(numbers)},
          {"regularizer", candidate.options.regularizer},
          {"C", json_number(cost_of(candidate.options))},
          {"mean", json_number(cell.mean)},
          {"sd", json_number(cell.spread)},
          {"scores", std::move(scores)},
          {"abandoned", cell.abandoned},
          {"kernels_used", cell.kernels_used}};
}

Json index_json(const std::optional<Index>& place) { return place ? Json(*place) : Json(nullptr); }

Json choice_json(const Tuned& tuned) {
  std::optional<double> error;
  if (tuned.search.best) error = tuned.cell(*tuned.search.best).standard_error();
  return {{"rule", tuned.choice == Choice::best ? "best" : "one-se"},
          {"candidate", index_json(tuned.search.chosen)},
          {"standard_error", json_number(error)}};
}

Json nested_json(const Tuned& tuned) {
  if (tuned.nested.folds.empty()) return nullptr;
  const MeanAndSpread mean = nested_mean(tuned.nested, tuned.expected, tuned.score.name);
  Json folds = Json::array();
  for (const NestedScore& fold : tuned.nested.folds) {
    folds.push_back({{"candidate", fold.candidate}, {"score", json_number(fold.score)}});
  }
  return {{"mean", json_number(mean.mean)},
          {"sd", json_number(mean.spread)},
          {"folds", folds},
          {"expected", expected_json(tuned.expected)}};
}

}  // namespace

Json tune_json(const TuneArguments& asked, const Tuned& tuned) {
  const Search& search = tuned.search;
  Json candidates = Json::array();
  for (Index c = 0; c < length(search.cells); ++c) {
    candidates.push_back(cell_json(tuned.candidate(c), tuned.cell(c)));
  }
  return {{"version", KERNMIX_VERSION},
          {"command", "tune"},
          {"data", input_files(asked.train.data)},
          {"model", asked.train.output},
          {"folds", {{"rule", tuned.folds.rule}, {"count", tuned.folds.folds.size()}}},
          {"score", tuned.score.name},
          {"complete", search.complete && tuned.nested.complete},
          {"best", index_json(search.best)},
          {"choice", choice_json(tuned)},
          {"candidates", std::move(candidates)},
          {"nested", nested_json(tuned)},
          {"cost",
           {{"models", search.fits},
            {"unconverged", search.unconverged},
            {"kernel_builds", search.kernel_builds}}},
          {"remarks", tuned.remarks}};
}

}  // namespace kernmix::cli
