#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernmix/study.hpp"

namespace kernmix {
namespace {

/// Relative gap during the search; the final model has its own tolerance.
constexpr double kToleranceOfSearch = 1e-2;

/// Kernels and the candidates on them.
struct Bank {
  std::string name;                  ///< empty for the first one
  std::vector<std::string> kernels;  ///< empty: the default
  std::vector<std::string> regularizers;
  std::vector<double> costs;
};

/// For regression also one wide Gaussian, for smooth functions.
std::vector<Bank> banks_of_numbers() {
  const std::vector<double> costs = {0.1, 1, 10, 100, 1e3, 1e4};
  return {{"", {}, {"average", "lp:p=2", "l1"}, costs},
          {"one width", {"rbf(width=median)"}, {"average"}, costs}};
}

/// For classes also directions of samples in addition to distances. With many classes a small C is
/// slow and rarely the best.
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

}  // namespace kernmix
