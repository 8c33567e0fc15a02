#include "weights/objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/blas_threads.hpp"
#include "kernmix/bank/plan.hpp"
#include "weights/curvature.hpp"
#include "weights/strategies/near_kinks.hpp"
#include "weights/strategies/strategies.hpp"

namespace kernmix {
namespace {

/// The inner gap may be this part of the outer one: with a looser inner solve the primal value, and
/// so the whole certificate, would hang on the inner solver (docs/reference/solvers/newton.md).
constexpr double kInnerShare = 0.05;
constexpr double kLeastInnerShare = 1e-6;
/// Outer gaps shrink by about this much in a good step; solving the SVM for it in the first place
/// saves a second pass over the bank.
constexpr double kExpectedDecrease = 0.2;
constexpr int kRefinements = 4;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<Index> others_than(const std::vector<Index>& some, const KernelBank& bank) {
  std::vector<Index> others;
  std::ranges::set_difference(every_kernel(bank), some, std::back_inserter(others));
  return others;
}

}  // namespace

Objective::Objective(std::string solver, const Problem& problem, const SolverOptions& options,
                     const Context& context)
    : solver_(std::move(solver)),
      problem_(problem),
      options_(options),
      context_(context),
      oracle_(problem, context),
      answer_(options, context, [this](Point& point) { make_exact(point); }),
      inner_share_(kInnerShare),
      expected_outer_(kInfinity),
      expected_size_(kInfinity) {}

double Objective::size_at(ConstSpan d) const {
  return std::max({std::abs(oracle_.lower_value()), std::abs(oracle_.upper_value()),
                   optimum_floor(problem_.loss, problem_.bank, problem_.diagonals, d)});
}

/// Half of the gap at which the solve ends.
double Objective::wanted_gap(const Point& point) const {
  return 0.5 * options_.tolerance * point.certificate.size();
}

Point Objective::evaluate(Vector d, const std::string& step) {
  Point point;
  point.d = std::move(d);
  solve_svm(point.d);
  const std::vector<Index> first = first_look(point.d);
  Matrix products;
  look(point, first, products);
  for (int k = 0; k < kRefinements && !context_.should_stop(); ++k) {
    const double outer = std::min(point.certificate.outer_gap, answer_.proven_gap());
    const double allowed = inner_share_ * std::max(outer, wanted_gap(point));
    if (point.inner_gap <= 2.0 * allowed) break;
    if (point.certificate.relative_gap() <= options_.tolerance) break;
    oracle_.solve(point.d, allowed);
    if (oracle_.inner_gap() >= point.inner_gap) break;
    look(point, first, products);
  }
  if (length(first) < kernels()) {
    read(point, others_than(first, problem_.bank), products);
    measure(point, point.inner_gap);
  }
  ++passes_;
  if (dense_) point.products = std::make_shared<const Matrix>(std::move(products));
  expected_outer_ = std::max(kExpectedDecrease * point.certificate.outer_gap, wanted_gap(point));
  expected_size_ = size_at(point.d);
  keep(point, step);
  return point;
}

/// To what the next outer gap is expected to allow.
void Objective::solve_svm(ConstSpan d) {
  oracle_.solve(
      d, inner_share_ * std::min({expected_outer_, 0.5 * expected_size_, answer_.proven_gap()}));
  // The objective may have fallen by orders of magnitude since that was expected.
  const auto allowed = [&] { return inner_share_ * size_at(d); };
  while (oracle_.inner_gap() > 2.0 * allowed() && !context_.should_stop()) {
    const double before = oracle_.inner_gap();
    oracle_.solve(d, allowed());
    if (oracle_.inner_gap() >= before) break;
  }
}

/// The weighted kernels, where looking at them first saves passes over all others: a refined dual
/// vector would need another one. Else all kernels.
std::vector<Index> Objective::first_look(ConstSpan d) const {
  std::vector<Index> some;
  for (Index m = 0; m < kernels(); ++m) {
    if (d[static_cast<std::size_t>(m)] > 0.0) some.push_back(m);
  }
  return dense_ && 2 * length(some) <= kernels() ? some : every_kernel(problem_.bank);
}

/// What the SVM's solution tells of J, as far as these kernels do: bounds are of the problem on
/// them.
void Objective::look(Point& point, const std::vector<Index>& some, Matrix& products) {
  point.a = oracle_.a();
  point.z = oracle_.z();
  point.q.assign(static_cast<std::size_t>(kernels()), 0.0);
  point.gain = oracle_.gain();
  point.exact = oracle_.exact();
  point.free = oracle_.free_set();
  read(point, some, products);
  measure(point, oracle_.inner_gap());
}

/// q, and K_m a where the bank has it, of some kernels.
/// \param products  a row for each kernel at the support of a
void Objective::read(Point& point, const std::vector<Index>& some, Matrix& products) {
  Products read = problem_.bank.products(some, point.a, Reach::support, context_);
  Matrix U = std::move(read.rows);
  dense_ = U.rows > 0;
  if (dense_ && U.rows < kernels() && (products.rows == 0 || products.cols != U.cols)) {
    products = Matrix(kernels(), U.cols);
  }
  for (Index k = 0; k < length(some); ++k) {
    const Index m = some[static_cast<std::size_t>(k)];
    point.q[static_cast<std::size_t>(m)] = read.forms(0, k);
    if (dense_ && U.rows < kernels()) std::ranges::copy(U.row(k), products.row(m).begin());
  }
  if (U.rows == kernels()) products = std::move(U);
}

/// What z = K(d) a tells of J at the point.
void Objective::measure(Point& point, double inner_gap) const {
  point.certificate = certify_values(problem_, point.d, {point.a}, {point.z}, {point.q});
  point.inner_gap = inner_gap;
  point.upper = point.gain -
                0.5 * std::inner_product(point.z.begin(), point.z.end(), point.a.begin(), 0.0) +
                inner_gap + penalty(problem_.regularizer, point.d);
}

void Objective::make_exact(Point& point) const {
  if (point.exact) return;
  point.z = product(point.d, point.a);
  measure(point,
          loss_at(problem_.loss, problem_.bias, problem_.y(), point.z, point.a, problem_.C()).gap);
  point.exact = true;
}

LocalModel Objective::model(const Point& point, std::vector<Index> some) {
  LocalModel model{std::move(some), {}, std::nullopt};
  model.quadratic = model_without_curvature(point, model.kernels);
  const FreeSet free = offers(options_, strategy::near_kinks) ? with_near_kinks(*this, point)
                                                              : FreeSet{point.free, {}};
  if (free.samples.empty()) return model;
  const SerialBlas serial;
  Eigen::MatrixXd U;
  if (point.products != nullptr) U = at_free_samples(*point.products, model.kernels, point);
  if (U.size() == 0) {
    U = free_products(problem_, point.a, model.kernels, free.samples, context_);
    count_pass();
  }
  auto factor = FreeBlockFactor::of(problem_, point, free,
                                    oracle_.kernel_at_hand(point.d, free.samples), context_);
  if (!factor) return model;
  set_curvature(model.quadratic, curvature_root(dual_set(), free.samples, *factor, std::move(U)));
  if (free.softness.empty()) model.factor = std::move(factor);
  return model;
}

bool Objective::reads_dense_kernels() const {
  return mostly_dense(samples(), kernels(), problem_.bank.bytes());
}

Vector Objective::forms(ConstSpan a) {
  ++passes_;
  return all_forms(problem_.bank, a, context_);
}

Vector Objective::product(ConstSpan d, ConstSpan a) const {
  return combined_product(problem_.bank, d, a, context_);
}

Point Objective::certify_pair(Vector d, Vector a, Vector q, const std::string& step) {
  Vector z = product(d, a);
  return certify_pair(std::move(d), std::move(a), std::move(q), std::move(z), step);
}

Point Objective::certify_pair(Vector d, Vector a, Vector q, Vector z, const std::string& step) {
  Point point;
  point.d = std::move(d);
  point.a = std::move(a);
  point.q = std::move(q);
  point.z = std::move(z);
  point.certificate = certify_values(problem_, point.d, {point.a}, {point.z}, {point.q});
  point.inner_gap = point.certificate.inner_gap;
  keep(point, step);
  return point;
}

Point Objective::certify_zero(Vector d) {
  Vector a(problem_.y().size(), 0.0);
  make_feasible(dual_set(), a);
  Vector q = forms(a);
  return certify_pair(std::move(d), std::move(a), std::move(q), "start");
}

void Objective::keep(const Point& point, const std::string& step) {
  answer_.offer(point);
  answer_.record(point, work(), step);
}

void Objective::raise_lower_bound(Vector a, double bound) {
  make_feasible(dual_set(), a);
  // Less what rounding may take when `a` is certified in the end.
  answer_.raise_dual(std::move(a), bound - 1e-12 * std::abs(bound));
}

void Objective::set_expected_gap(double objective, double relative_gap) {
  expected_size_ = std::abs(objective);
  expected_outer_ = relative_gap * expected_size_;
}

bool Objective::tighten_inner_tolerance() {
  if (inner_share_ <= kLeastInnerShare) return false;
  inner_share_ *= 0.1;
  return true;
}

Answer Objective::result() const {
  Point answer = answer_.answer();
  make_exact(answer);
  Answer solution;
  solution.d = std::move(answer.d);
  solution.a = {std::move(answer.a)};
  solution.gamma = {1.0};
  solution.certificate = answer.certificate;
  solution.bank_passes = passes_;
  solution.inner_iterations = work().inner_iterations;
  solution.solver = solver_;
  solution.history = answer_.history();
  if (answer_.is_proven()) {
    solution.witness = {answer_.witness()};
    solution.certificate.raise_dual(certify_dual(problem_, solution.witness, context_));
    ++solution.bank_passes;
  }
  solution.status = answer_.status();
  return solution;
}

}  // namespace kernmix
