// Every cell of loss x regularizer x solver, generated from support_matrix(): a supported one is
// solved to its gap on real data, any other is refused before any work.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <ostream>

#include "kernmix/bank/build.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/kernmix.hpp"
#include "kernmix/solve.hpp"
#include "kernmix/two_stage.hpp"
#include "loss/any.hpp"
#include "random_problem.hpp"
#include "real_samples.hpp"

namespace kernmix {
namespace {

/// A bank that must not be touched.
class Untouchable : public KernelBank {
 public:
  Untouchable(Index n, Index M) : n_(n), M_(M) {}
  [[nodiscard]] Index samples() const override { return n_; }
  [[nodiscard]] Index kernels() const override { return M_; }
  void block(Index, std::span<const Index>, std::span<const Index>, MutableSpan) const override {
    touched();
  }
  [[nodiscard]] std::size_t bytes() const override { return 0; }

 private:
  [[noreturn]] static void touched() { throw std::logic_error("work was done before refusing"); }
  Index n_, M_;
};

/// s_i K_ij s_j: on a constant diagonal, distances would tell no more than the kernel.
std::shared_ptr<const Matrix> with_varied_diagonal(Matrix K) {
  const auto s = [](Index i) { return 1.0 + 0.2 * static_cast<double>(i % 4); };
  for (Index i = 0; i < K.rows; ++i) {
    for (Index j = 0; j < K.cols; ++j) K(i, j) *= s(i) * s(j);
  }
  return std::make_shared<const Matrix>(std::move(K));
}

/// Samples of the breast cancer data: kernels on the three views and on single columns, the
/// diagnosis as classes and one measurement, which no kernel reads, as numbers.
struct RealProblem {
  static constexpr Index samples = 80;
  testing::RealSamples data{testing::kBreastCancer, samples};
  std::unique_ptr<KernelBank> bank = dense_bank(data.kernels);
  std::unique_ptr<KernelBank> distances;  ///< of kernels with other diagonals, shifted by `shift`
  double shift = 0.0;

  RealProblem() {
    const KernelFunction precomputed = make_kernel_function("precomputed", {});
    std::vector<KernelSourcePtr> sources;
    for (const Matrix& K : data.kernels) {
      sources.push_back(matrix_source(precomputed, with_varied_diagonal(K)));
    }
    const DistanceKernels measured = distance_kernels(sources);
    shift = measured.shift;
    BankOptions options;
    options.double_precision = true;
    distances = build_bank(measured.sources, std::vector<std::string>(sources.size(), "distances"),
                           options, {});
  }

  [[nodiscard]] const KernelBank& bank_for(const Loss& loss) const {
    return on_distances(loss) ? *distances : *bank;
  }
};

const RealProblem& real_problem() {
  static const RealProblem problem;
  return problem;
}

/// A parameter of the cost suits most cells: losses that have C.
Vector weights(const Loss& loss) {
  const double C = takes_cost(loss) ? 2.0 : 1.0;
  return Vector(RealProblem::samples, loss_weight(loss, C, RealProblem::samples));
}

Problem problem_of(const KernelBank& bank, const Loss& loss, const Regularizer& regularizer) {
  const testing::RealSamples& data = real_problem().data;
  Vector y(RealProblem::samples, 0.0);
  if (loss_target(loss) == Target::classes) y = data.classes;
  if (joins_classes(loss)) y = testing::class_numbers(y);
  if (loss_target(loss) == Target::numbers) y = data.numbers;
  return {bank,
          with_shift(loss, real_problem().shift),
          with_groups(regularizer, data.group),
          y,
          weights(loss),
          Bias::free};
}

/// The relative gap that a solver is asked for here. First order methods crawl: their pages under
/// docs/solvers say how far they get.
double target_of(const std::string& solver) {
  static const std::map<std::string, double> coarse = {{"ufo", 0.2},
                                                       {"mixed-norm-sound", 0.02},
                                                       {"mixed-norm-printed", 0.02},
                                                       {"mirror-descent", 0.01},
                                                       {"simple", 0.01}};
  const auto found = coarse.find(solver);
  return found == coarse.end() ? 1e-3 : found->second;
}

std::vector<std::string> loss_examples() {
  std::vector<std::string> examples;
  for (const LossInfo& row : losses()) examples.push_back(row.example);
  return examples;
}

/// Bounds on the one optimal value of a pair of loss and regularizer, by whichever solver.
struct Bounds {
  double dual = -std::numeric_limits<double>::infinity();
  double primal = std::numeric_limits<double>::infinity();

  void narrow(const Certificate& certificate) {
    dual = std::max(dual, certificate.dual);
    primal = std::min(primal, certificate.primal);
  }
};

class Cells : public ::testing::TestWithParam<std::string> {};

TEST_P(Cells, EveryCellIsSolvedToItsGapOrRefusedBeforeAnyWork) {
  const Loss loss = parse_loss(GetParam());
  std::map<std::string, std::string> example;
  for (const RegularizerInfo& row : regularizers()) example[row.syntax] = row.example;
  std::map<std::string, std::string> syntax;
  for (const LossInfo& row : losses()) syntax[row.example] = row.syntax;

  std::map<std::string, Bounds> bounds;  // of each regularizer
  for (const Support& cell : support_matrix()) {
    if (cell.loss != syntax[GetParam()] || cell.regularizer.starts_with("fixed")) continue;
    const Regularizer regularizer = parse_regularizer(example[cell.regularizer]);
    SolverOptions options;
    options.solver = cell.solver;
    options.tolerance = target_of(cell.solver);
    options.max_iterations = 20000;
    SCOPED_TRACE(cell.regularizer + ", " + cell.solver);
    if (!cell.supported) {
      EXPECT_FALSE(cell.reason.empty());
      const Untouchable bank(RealProblem::samples, real_problem().bank->kernels());
      EXPECT_THROW(static_cast<void>(solve(problem_of(bank, loss, regularizer), options, {})),
                   ParameterError);
      continue;
    }
    Problem problem = problem_of(real_problem().bank_for(loss), loss, regularizer);
    const bool separable = visit([]<typename L>(const L&) { return IsSeparableLoss<L>; }, loss);
    if (cell.solver == "ufo" && separable) problem.bias = Bias::none;  // it takes no other
    problem.regularizer = choose_weights(problem, {});
    const Answer solution = solve(problem, options, {});
    EXPECT_LE(solution.certificate.relative_gap(), options.tolerance);
    EXPECT_EQ(solution.status, Status::converged);
    EXPECT_NO_THROW(check_weights(problem.regularizer, solution.d));
    Certificate again = certify(problem, solution.d, solution.a, {}).certificate;
    if (!solution.witness.empty()) again.raise_dual(certify_dual(problem, solution.witness, {}));
    EXPECT_NEAR(again.gap, solution.certificate.gap, 1e-8 * std::abs(again.primal));
    if (problem.bias == Bias::free) bounds[cell.regularizer].narrow(again);
  }
  for (const auto& [regularizer, found] : bounds) {
    EXPECT_LE(found.dual, found.primal + 1e-10 * std::abs(found.primal))
        << regularizer << ": its solvers contradict each other";
  }
}

// At least one solver of every pair gets to one in a million.
TEST_P(Cells, EveryPairReachesOneInAMillion) {
  const Loss loss = parse_loss(GetParam());
  for (const RegularizerInfo& row : regularizers()) {
    if (row.syntax.starts_with("fixed")) continue;
    SCOPED_TRACE(row.example);
    const Regularizer regularizer = parse_regularizer(row.example);
    SolverOptions options;
    options.tolerance = 1e-6;
    try {
      check_solver({loss, regularizer, Bias::free}, options);
    } catch (const ParameterError&) {
      continue;  // no solver takes the pair: the test above saw the refusal
    }
    const Answer solution =
        solve(problem_of(real_problem().bank_for(loss), loss, regularizer), options, {});
    EXPECT_LE(solution.certificate.relative_gap(), 1e-6) << solution.solver;
  }
}

INSTANTIATE_TEST_SUITE_P(Losses, Cells, ::testing::ValuesIn(loss_examples()), [](const auto& row) {
  std::string name;
  for (const char c : row.param) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

}  // namespace
}  // namespace kernmix
