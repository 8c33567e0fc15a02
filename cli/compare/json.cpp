#include "compare/presentation.hpp"
#include "kernmix/version.hpp"

namespace kernmix::cli {
namespace {

Json signs_json(const SignCounts& signs) {
  return {{"wins", signs.wins}, {"ties", signs.ties}, {"losses", signs.losses}};
}

Json difference_json(const MethodDifference& pair, const std::vector<std::string>& methods) {
  return {{"first", methods[to_size(pair.first)]},
          {"second", methods[to_size(pair.second)]},
          {"mean", pair.test.mean},
          {"low", json_number(pair.test.low)},
          {"high", json_number(pair.test.high)},
          {"t", json_number(pair.test.t)},
          {"p", json_number(pair.test.p)},
          {"p_holm", json_number(pair.holm_p)},
          {"signs", signs_json(pair.signs)}};
}

Json pair_json(const MethodPair& pair, const std::vector<std::string>& methods) {
  return {{"first", methods[to_size(pair.first)]},
          {"second", methods[to_size(pair.second)]},
          {"wilcoxon_p", pair.test.p},
          {"exact", pair.test.exact},
          {"p_holm", pair.holm_p},
          {"nemenyi_p", pair.nemenyi_p},
          {"signs", signs_json(pair.signs)}};
}

Json means_json(const std::vector<MethodMean>& means, const std::vector<std::string>& methods) {
  Json list = Json::array();
  for (std::size_t m = 0; m < methods.size(); ++m) {
    list.push_back({{"method", methods[m]},
                    {"mean", json_number(means[m].mean)},
                    {"sd", json_number(means[m].spread)},
                    {"values", means[m].values}});
  }
  return list;
}

Json ranks_json(const ScoreSummary& score, const ComparisonSummary& summary) {
  Json data = Json::array();
  for (const Index d : score.ranked) data.push_back(summary.data[to_size(d)]);
  Json pairs = Json::array();
  for (const MethodPair& pair : score.pairs) pairs.push_back(pair_json(pair, summary.methods));
  Json friedman = nullptr;
  if (score.friedman) {
    friedman = {{"chi_squared", score.friedman->chi_squared},
                {"p", score.friedman->p},
                {"f", json_number(score.friedman->f)},
                {"f_p", score.friedman->f_p}};
  }
  return {{"data", std::move(data)},
          {"average_ranks", score.average_ranks},
          {"friedman", std::move(friedman)},
          {"critical_difference", json_number(score.critical_difference)},
          {"pairs", std::move(pairs)}};
}

Json score_json(const ScoreSummary& score, const ComparisonSummary& summary) {
  Json data = Json::array();
  for (std::size_t d = 0; d < summary.data.size(); ++d) {
    Json differences = Json::array();
    for (const MethodDifference& pair : score.differences[d]) {
      differences.push_back(difference_json(pair, summary.methods));
    }
    data.push_back({{"data", summary.data[d]},
                    {"methods", means_json(score.means[d], summary.methods)},
                    {"differences", std::move(differences)}});
  }
  return {{"score", score.rule.name},
          {"larger_is_better", score.rule.larger_is_better},
          {"data", std::move(data)},
          {"ranks", ranks_json(score, summary)}};
}

Json cost_json(const MethodCost& cost, const std::string& method) {
  return {{"method", method},
          {"kernels_used", cost.kernels_used},
          {"kernels", cost.kernels},
          {"solve_seconds", cost.solve_seconds},
          {"choose_seconds", cost.choose_seconds},
          {"unconverged", cost.unconverged},
          {"inner_unconverged", cost.inner_unconverged},
          {"inner_fits", cost.inner_fits},
          {"choices", cost.choices}};
}

Json data_json(const ComparisonResult& result, std::size_t d) {
  const ComparisonSummary& summary = result.summary;
  Json costs = Json::array();
  for (std::size_t m = 0; m < summary.methods.size(); ++m) {
    costs.push_back(cost_json(summary.costs[d][m], summary.methods[m]));
  }
  const Fold& first = result.experiment.data[d].splits.front();
  return {{"name", summary.data[d]},
          {"n_samples", first.train.size() + first.test.size()},
          {"rule", result.experiment.split_rules[d]},
          {"splits", summary.splits[d]},
          {"finished", summary.finished[d]},
          {"costs", std::move(costs)}};
}

Json cell_json(const ComparisonResult& result, const ComparedSplit& split, std::size_t m) {
  const ComparedCell& cell = split.methods[m];
  const ComparedMethod& method = result.experiment.data[to_size(split.data)].methods[m];
  const Candidate& chosen = method.candidates[to_size(cell.candidate)];
  Json scores;
  for (std::size_t s = 0; s < cell.scores.size(); ++s) {
    scores[result.experiment.rules.scores[s]] = json_number(cell.scores[s]);
  }
  return {{"method", method.name},
          {"chosen", chosen.name},
          {"C", json_number(cost_of(chosen.options))},
          {"regularizer", regularizer_text(chosen.options.regularizer)},
          {"scores", std::move(scores)},
          {"status", status_name(cell.status)},
          {"relative_gap", json_number(cell.relative_gap)},
          {"kernels_used", cell.kernels_used},
          {"solve_seconds", cell.solve_seconds},
          {"choose_seconds", cell.choose_seconds}};
}

Json split_json(const ComparisonResult& result, const ComparedSplit& split) {
  Json methods = Json::array();
  for (std::size_t m = 0; m < split.methods.size(); ++m) {
    methods.push_back(cell_json(result, split, m));
  }
  return {{"data", result.summary.data[to_size(split.data)]},
          {"split", split.split + 1},
          {"n_train", split.train},
          {"n_test", split.test},
          {"kernel_seconds", split.kernel_seconds},
          {"kernel_builds", split.kernel_builds},
          {"methods", std::move(methods)}};
}

}  // namespace

Json comparison_json(const ComparisonResult& result) {
  Json data = Json::array();
  for (std::size_t d = 0; d < result.summary.data.size(); ++d) data.push_back(data_json(result, d));
  Json scores = Json::array();
  for (const ScoreSummary& score : result.summary.scores) {
    scores.push_back(score_json(score, result.summary));
  }
  Json splits = Json::array();
  for (const ComparedSplit& split : result.splits) splits.push_back(split_json(result, split));
  return {{"version", KERNMIX_VERSION},
          {"command", "compare"},
          {"experiment", result.experiment.file},
          {"seed", result.experiment.rules.seed},
          {"inner_folds", result.experiment.rules.inner_folds},
          {"complete", result.summary.complete()},
          {"methods", result.summary.methods},
          {"data", std::move(data)},
          {"scores", std::move(scores)},
          {"splits", std::move(splits)},
          {"remarks", remarks_on(result)},
          {"seconds", result.seconds}};
}

}  // namespace kernmix::cli
