#include "automatic/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "data/number.hpp"
#include "json_run.hpp"
#include "kernmix/error.hpp"
#include "tune/findings.hpp"

namespace kernmix::cli {
namespace {

constexpr std::size_t kMostClasses = 20;   ///< of numbers that do not count up
constexpr std::size_t kFewestOfClass = 5;  ///< samples a class, of those that do

/// Of relative gaps while candidates are compared; the model that is kept has its own.
constexpr double kToleranceOfSearch = 1e-2;

/// Whether whole numbers are names of classes: few, or 0, 1, ... or 1, 2, ... without a gap, with
/// some samples each.
bool name_classes(const std::set<double>& different, std::size_t samples) {
  if (different.size() <= kMostClasses) return true;
  const double first = *different.begin();
  const double last = *different.rbegin();
  const bool count_up =
      (first == 0.0 || first == 1.0) && last - first + 1.0 == static_cast<double>(different.size());
  return count_up && samples >= kFewestOfClass * different.size();
}

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
  const bool classes = whole && name_classes(different, table.labels.size());
  return classes || different.size() <= 2 ? "hinge" : "squared";
}

namespace {

/// Kernels and what is tried on them.
struct Bank {
  std::string name;                  ///< empty for the first one
  std::vector<std::string> kernels;  ///< empty: the default
  std::vector<std::string> regularizers;
  std::vector<double> costs;
};

/// For numbers also one wide Gaussian, which smooth functions want.
std::vector<Bank> banks_of_numbers() {
  const std::vector<double> costs = {0.1, 1, 10, 100, 1e3, 1e4};
  return {{"", {}, {"average", "lp:p=2", "l1"}, costs},
          {"one width", {"rbf(width=median)"}, {"average"}, costs}};
}

/// For classes also directions of samples beside distances. Of many classes a model takes long and
/// is hardly ever best at a small C.
std::vector<Bank> banks_of_classes(const Table& table) {
  constexpr std::size_t many = 10;
  const std::set<std::string> classes(table.labels.begin(), table.labels.end());
  const bool few = classes.size() <= many;
  const std::vector<double> costs =
      few ? std::vector<double>{0.1, 1, 10} : std::vector<double>{1, 10};
  return {{"", {}, {"average", "l1"}, costs},
          {"directions", {"spherical_rbf(width=median*{0.5; 1; 2})", "cosine"}, {"l1"}, {10}}};
}

std::vector<Bank> banks_for(const Dataset& data, const TrainOptions& options) {
  const bool numbers = loss_target(options.loss) == Target::numbers;
  std::vector<Bank> banks = numbers ? banks_of_numbers() : banks_of_classes(data.table);
  banks.front().kernels = options.kernels;
  const auto is_gram = [](const MatrixView& view) { return view.kind == KernelInput::gram; };
  const bool views_alone = options.kernels.empty() && !data.views.empty();
  if (!views_alone || !std::ranges::all_of(data.matrices, is_gram)) banks.resize(1);
  for (std::size_t b = 1; b < banks.size(); ++b) {
    if (!data.matrices.empty()) banks[b].kernels.emplace_back("precomputed");
  }
  return banks;
}

}  // namespace

std::vector<Candidate> automatic_candidates(const Dataset& data, const TrainOptions& options) {
  std::vector<Candidate> candidates;
  Index path = 0;
  for (const Bank& bank : banks_for(data, options)) {
    const std::string of_bank = bank.name.empty() ? "" : bank.name + ", ";
    for (const std::string& regularizer : bank.regularizers) {
      for (const double C : bank.costs) {
        Candidate candidate{
            fmt::format("{}{}, C={}", of_bank, regularizer, C), options, {{"C", C}}, path};
        candidate.options.kernels = bank.kernels;
        candidate.options.regularizer = regularizer;
        candidate.options.C = C;
        candidate.options.solver.tolerance = std::max(options.solver.tolerance, kToleranceOfSearch);
        candidates.push_back(std::move(candidate));
      }
      ++path;
    }
  }
  return candidates;
}

AutomaticStudy study_automatically(const Dataset& data, const std::vector<Candidate>& candidates,
                                   const std::vector<Fold>& folds,
                                   const std::vector<NestedFold>& nested,
                                   const std::vector<Index>& groups, const ScoreRule& score,
                                   double tolerance, const Context& context) {
  AutomaticStudy study;
  SearchRules rules;
  rules.score = score;
  std::vector<SearchedFit> on_folds;  // what nested_search() would train again
  const bool same_folds = outer_folds(nested) == folds;
  study.search = search(
      data, candidates, folds, rules, {},
      [&](SearchedFit fit) {
        fit.answer.clear();
        fit.place = {fit.place.fold, 0, -1, fit.place.candidate};
        if (same_folds) on_folds.push_back(std::move(fit));
      },
      context);
  require_choice(study.search, score, "");
  TrainOptions chosen = candidates[to_size(*study.search.chosen)].options;
  chosen.similar_kernels = kSimilarKernels;
  chosen.solver.tolerance = tolerance;
  study.trained = train(data, chosen, context);
  try {
    study.nested = nested_search(data, candidates, nested, rules, on_folds, nullptr, context);
    study.winners = predict_nested(data, candidates, nested, study.nested, context);
    study.expected = expected_performance(study.winners, 0, data, outer_folds(nested), groups);
  } catch (const DataError&) {
    study.expected.reset();  // some fold lacks what its score needs; the model stands
  }
  return study;
}

}  // namespace kernmix::cli
