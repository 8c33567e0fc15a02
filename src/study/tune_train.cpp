#include <utility>

#include "kernmix/error.hpp"
#include "kernmix/study.hpp"

namespace kernmix {
namespace {

void expect(const Dataset& data, const TuneOptions& asked, const SearchRules& rules,
            const Context& context, TuneResult& study) {
  const std::vector<Candidate>& candidates = asked.candidates;
  study.nested = nested_search(data, candidates, study.nested_folds, rules, {}, nullptr, context);
  study.winners = predict_nested(data, candidates, study.nested_folds, study.nested, context);
  study.expected = expected_performance(study.winners, 0, data, outer_folds(study.nested_folds),
                                        candidates.front().options.groups);
}

}  // namespace

TuneResult tune_train(const Dataset& data, const TuneOptions& asked, const Context& context) {
  if (asked.candidates.empty()) throw ParameterError("a search needs one candidate at least");
  const TrainOptions& first = asked.candidates.front().options;
  TuneResult study;
  study.score = score_rule(asked.score.empty() ? default_score(data.table, first) : asked.score);
  SearchRules rules = asked.rules;
  rules.score = study.score;
  study.folds = choose_folds(data, first, asked.folds, context);
  if (asked.nested > 0) {
    study.nested_folds = nested_folds(data, first, asked.nested, asked.folds.asked, context);
  }
  study.search = search(data, asked.candidates, study.folds.folds, rules, {}, nullptr, context);
  require_choice(study.search, study.score, "");
  study.trained = train(data, asked.candidates[to_size(*study.search.chosen)].options, context);
  if (asked.nested > 0) expect(data, asked, rules, context, study);
  study.remarks = study.folds.warnings;
  for (std::string& remark : grid_remarks(asked.candidates, *study.search.best, "widen it")) {
    study.remarks.push_back(std::move(remark));
  }
  study.warnings = study.trained.warnings;
  if (study.expected) {
    for (Warning& one : expected_warnings(*study.expected, "")) {
      study.warnings.push_back(std::move(one));
    }
  }
  return study;
}

std::vector<ComparedMethod> baselines(const Dataset& data,
                                      const std::vector<Candidate>& candidates) {
  ComparedMethod average{"average kernel", candidates};
  for (Candidate& candidate : average.candidates) candidate.options.regularizer = "average";
  ComparedMethod single{"best single kernel", single_kernel_candidates(data, average.candidates)};
  return {std::move(average), std::move(single)};
}

}  // namespace kernmix
