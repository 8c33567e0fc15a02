#include "automatic/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "data/number.hpp"
#include "json_run.hpp"
#include "tune/findings.hpp"

namespace kernmix::cli {
namespace {

constexpr std::size_t kMostClasses = 20;

}  // namespace

std::string loss_for(const Table& table) {
  if (table.targets.values.cols > 0) return "squared";
  if (table.labels.empty() || !table.multi_labels.names.empty()) return "hinge";
  std::set<double> different;
  bool whole = true;
  for (const std::string& label : table.labels) {
    const std::optional<double> number = parse_number(label);
    if (!number) return "hinge";
    different.insert(*number);
    whole = whole && std::floor(*number) == *number;
  }
  return different.size() > 2 && (!whole || different.size() > kMostClasses) ? "squared" : "hinge";
}

std::vector<Candidate> automatic_candidates(const TrainOptions& options) {
  std::vector<Candidate> candidates;
  Index path = 0;
  for (const char* regularizer : {"average", "lp:p=2", "lp:p=1.33", "l1"}) {
    for (const double C : {0.01, 0.1, 1.0, 10.0, 100.0}) {
      Candidate candidate{fmt::format("{}, C={}", regularizer, C), options, {{"C", C}}, path};
      candidate.options.regularizer = regularizer;
      candidate.options.C = C;
      candidates.push_back(std::move(candidate));
    }
    ++path;
  }
  return candidates;
}

AutomaticStudy study_automatically(const Dataset& data, const std::vector<Candidate>& candidates,
                                   const std::vector<Fold>& folds,
                                   const std::vector<NestedFold>& nested,
                                   const std::vector<Index>& groups, const ScoreRule& score,
                                   const Context& context) {
  AutomaticStudy study;
  SearchRules rules;
  rules.score = score;
  study.search = search(data, candidates, folds, rules, {}, nullptr, context);
  require_choice(study.search, score, "");
  TrainOptions chosen = candidates[to_size(*study.search.chosen)].options;
  chosen.similar_kernels = kSimilarKernels;
  study.trained = train(data, chosen, context);
  study.nested = nested_search(data, candidates, nested, rules, {}, nullptr, context);
  study.winners = predict_nested(data, candidates, nested, study.nested, context);
  study.expected = expected_performance(study.winners, 0, data, outer_folds(nested), groups);
  return study;
}

}  // namespace kernmix::cli
