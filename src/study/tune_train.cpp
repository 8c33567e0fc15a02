#include <utility>

#include "kernmix/error.hpp"
#include "kernmix/study.hpp"
#include "study/answer.hpp"

namespace kernmix {
namespace {

NestedSearch search_inside(const Dataset& data, const std::vector<Candidate>& candidates,
                           const TunePlan& plan, const TuneJournal& journal,
                           const Context& context) {
  return nested_search(data, candidates, plan.nested_folds, plan.rules, journal.finished,
                       journal.keep, context);
}

void expect(const Dataset& data, const std::vector<Candidate>& candidates, const TunePlan& plan,
            const TuneJournal& journal, const Context& context, TuneResult& study) {
  study.nested = search_inside(data, candidates, plan, journal, context);
  study.winners = predict_nested(data, candidates, plan.nested_folds, study.nested, context);
  study.expected = expected_performance(study.winners, 0, data, outer_folds(plan.nested_folds),
                                        candidates.front().options.groups);
}

}  // namespace

TunePlan plan_tune(const Dataset& data, const TuneOptions& asked, const Context& context) {
  if (asked.candidates.empty()) throw ParameterError("a search needs at least one candidate");
  const TrainOptions& first = asked.candidates.front().options;
  TunePlan plan;
  plan.rules = asked.rules;
  plan.rules.score =
      score_rule(asked.score.empty() ? default_score(data.table, first) : asked.score);
  plan.folds = choose_folds(data, first, asked.folds, context);
  if (asked.nested > 0) {
    plan.nested_folds = nested_folds(data, first, asked.nested, asked.folds.asked, context);
  }
  return plan;
}

bool tune_part(const Dataset& data, const std::vector<Candidate>& candidates, const TunePlan& plan,
               const TuneJournal& journal, const Context& context) {
  const Search found = search(data, candidates, plan.folds.folds, plan.rules, journal.finished,
                              journal.keep, context);
  const NestedSearch nested = search_inside(data, candidates, plan, journal, context);
  return found.complete && nested.complete;
}

TuneResult tune_train(const Dataset& data, const std::vector<Candidate>& candidates,
                      const TunePlan& plan, const TuneJournal& journal, const Context& context) {
  TuneResult study;
  study.folds = plan.folds;
  study.nested_folds = plan.nested_folds;
  study.score = plan.rules.score;
  study.search = search(data, candidates, plan.folds.folds, plan.rules, journal.finished,
                        journal.keep, context);
  require_choice(study.search, study.score, journal.hint);
  study.trained = train(data, candidates[to_size(*study.search.chosen)].options, context);
  if (!plan.nested_folds.empty()) expect(data, candidates, plan, journal, context, study);
  study.remarks = study.folds.warnings;
  for (std::string& remark : grid_remarks(candidates, study.search, "widen it")) {
    study.remarks.push_back(std::move(remark));
  }
  for (std::string& remark : nested_remarks(study.nested, length(study.nested_folds))) {
    study.remarks.push_back(std::move(remark));
  }
  study.warnings = warnings_of_study(study.trained, study.expected);
  return study;
}

TuneResult tune_train(const Dataset& data, const TuneOptions& asked, const Context& context) {
  return tune_train(data, asked.candidates, plan_tune(data, asked, context), {}, context);
}

std::vector<ComparedMethod> baselines(const Dataset& data,
                                      const std::vector<Candidate>& candidates) {
  ComparedMethod average{"average kernel", candidates};
  for (Candidate& candidate : average.candidates) candidate.options.regularizer = "average";
  ComparedMethod single{"best single kernel", single_kernel_candidates(data, average.candidates)};
  return {std::move(average), std::move(single)};
}

}  // namespace kernmix
