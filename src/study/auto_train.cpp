#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernmix/error.hpp"
#include "kernmix/fitted_kernels.hpp"
#include "kernmix/study.hpp"
#include "model/landmarks/landmarks.hpp"
#include "study/answer.hpp"
#include "study/columns.hpp"
#include "study/single_columns.hpp"
#include "study/subsample.hpp"

namespace kernmix {
namespace {

/// With fewer folds, pairs of folds leave less than half of the samples for training.
constexpr Index kFewestForPairs = 5;

TrainOptions settled_options(const Dataset& data, const AutoOptions& asked) {
  TrainOptions options = asked.train;
  if (asked.loss_by_labels) options.loss = loss_for(data.table);
  return options;
}

/// Of all samples, or of the subsample.
void make_folds(const Dataset& data, const TrainOptions& options, FoldRule rule,
                const std::optional<DrawnSubsample>& drawn, const Context& context,
                AutoResult& study) {
  if (!drawn) {
    study.folds = choose_folds(data, options, rule, context);
    study.nested_folds = rule.asked.folds < kFewestForPairs
                             ? nested_folds(data, options, rule.asked.folds, rule.asked, context)
                             : nested_in_pairs(study.folds.folds);
    return;
  }
  if (!drawn->note.empty()) context.tell(landmark_remark + drawn->note);
  study.subsample = drawn->facts;
  for (Candidate& candidate : study.candidates) candidate.options.landmarks = drawn->landmarks;
  rule.samples = drawn->samples;
  rule.samples_called = drawn->called();
  study.folds = choose_folds(data, options, rule, context);
  study.nested_folds = {{drawn->estimate, study.folds.folds}};
}

void choose(const Dataset& data, const Context& context, AutoResult& study,
            std::vector<SearchedFit>& on_folds) {
  SearchRules rules;
  rules.score = study.score;
  const bool same_folds = !study.subsample && outer_folds(study.nested_folds) == study.folds.folds;
  study.search = search(
      data, study.candidates, study.folds.folds, rules, {},
      [&](SearchedFit fit) {  // models that nested_search() would otherwise train again
        fit.answer.clear();
        fit.place = {fit.place.fold, 0, -1, fit.place.candidate};
        if (same_folds) on_folds.push_back(std::move(fit));
      },
      context);
  require_choice(study.search, study.score, "");
}

/// The choice of every outer fold. With a subsample the search was inside the only one.
NestedSearch choices_inside(const Dataset& data, const std::vector<SearchedFit>& on_folds,
                            const AutoResult& study, const Context& context) {
  if (study.subsample) return {{{*study.search.chosen, std::nullopt}}};
  SearchRules rules;
  rules.score = study.score;
  return nested_search(data, study.candidates, study.nested_folds, rules, on_folds, nullptr,
                       context);
}

/// The score of the winner outside of the subsample.
void complete_nested(AutoResult& study) {
  if (!study.subsample) return;
  study.nested.complete = study.winners.complete;
  const std::vector<Metric>& metrics = study.winners.models.front().front().metrics;
  study.nested.folds.front().score = score_called(metrics, study.score.name);
  if (!study.winners.complete) study.nested.folds.clear();
}

/// The expected performance; absent if a score is undefined on some fold.
void expect(const Dataset& data, const std::vector<Index>& groups,
            const std::vector<SearchedFit>& on_folds, const Context& context, AutoResult& study) {
  try {
    study.nested = choices_inside(data, on_folds, study, context);
    study.winners =
        predict_nested(data, study.candidates, study.nested_folds, study.nested, context);
    complete_nested(study);
    study.expected =
        expected_performance(study.winners, 0, data, outer_folds(study.nested_folds), groups);
  } catch (const DataError&) {
    study.expected.reset();  // the model remains
  }
}

/// Of classes whose expected accuracy is known.
void warn_of_single_columns(const Dataset& data, const Context& context, AutoResult& study) {
  const Metric* const accuracy = study.expected ? study.expected->find("accuracy") : nullptr;
  const bool classes = study.trained.model.target == Target::classes;
  if (accuracy == nullptr || !accuracy->value || !classes || study.trained.model.of_labels())
    return;
  if (auto warning = warning_of_single_columns(data, *accuracy->value, context)) {
    study.trained.warnings.push_back(std::move(*warning));
  }
}

/// How many candidates the search finished before it was stopped.
std::string sentence_of_stop(const AutoResult& study) {
  const auto finished = std::ranges::count_if(
      study.search.cells, [](const SearchedCell& cell) { return cell.mean.has_value(); });
  return fmt::format("The search was stopped: {} of {} candidates have a mean score.", finished,
                     study.candidates.size());
}

void say(const Dataset& data, AutoResult& study) {
  study.answer = answer_of(study, data);
  study.remarks = study.folds.warnings;
  for (std::string& remark :
       grid_remarks(study.candidates, study.search,
                    "search a wider grid with kernmix tune --grid {}=VALUES or, in Python, "
                    "kernmix.nested_search")) {
    study.remarks.push_back(std::move(remark));
  }
  if (!study.search.complete) study.remarks.push_back(sentence_of_stop(study));
  study.warnings = warnings_of_study(study.trained, study.expected);
}

}  // namespace

AutoResult auto_train(const Dataset& data, const AutoOptions& asked, const Context& context) {
  const TrainOptions options = settled_options(data, asked);
  (void)expand_kernels(data,
                       options);  // so that errors have the names of the kernels, not of a fold
  check_landmark_count(options.landmarks, sample_count(data.table, data.matrices));
  AutoResult study;
  study.score = score_rule(asked.score.empty() ? default_score(data.table, options) : asked.score);
  study.candidates = automatic_candidates(data, options);
  FoldRule rule;
  rule.asked = {.folds = asked.folds, .seed = seed_of_folds("seed", context)};
  rule.group_column = asked.group_column;
  const std::optional<DrawnSubsample> drawn = draw_subsample(data, options, rule, context);
  make_folds(data, options, rule, drawn, context, study);
  std::vector<SearchedFit> on_folds;
  choose(data, context, study, on_folds);
  study.chosen = study.winner().options;
  study.chosen.similar_kernels = similar_kernels_shown;
  study.chosen.solver.tolerance = options.solver.tolerance;
  study.trained = train(data, study.chosen, context);
  if (drawn && !drawn->note.empty()) {
    study.trained.warnings.push_back({"landmarks", drawn->note, {}});
  }
  expect(data, options.groups, on_folds, context, study);
  warn_of_single_columns(data, context, study);
  study.views = ranged_view_shares(study, data, context);
  study.columns = column_shares(study, data, context);
  say(data, study);
  return study;
}

}  // namespace kernmix
