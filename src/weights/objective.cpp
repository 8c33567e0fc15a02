#include "weights/objective.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "bank/plan.hpp"

namespace kernmix {
namespace {

/// The inner gap may be this part of the outer one: with a looser inner solve the primal value, and
/// so the whole certificate, would hang on the inner solver (docs/solvers/newton.md).
constexpr double kInnerShare = 0.05;
constexpr double kLeastInnerShare = 1e-6;
/// Outer gaps shrink by about this much in a good step; solving the SVM for it in the first place
/// saves a second pass over the bank.
constexpr double kExpectedDecrease = 0.2;
constexpr int kRefinements = 4;
constexpr int kNearRefinements = 2;  // of these on samples near the margin

/// The rows of U, and between them those of the kernels that were read whole: in the order of
/// `subset`, at the support of a.
Matrix with_whole(const std::vector<Index>& subset, const Point& point, const Matrix& U) {
  const WholeProducts& whole = *point.whole;
  std::vector<std::size_t> support;
  for (std::size_t i = 0; i < point.a.size(); ++i) {
    if (point.a[i] != 0.0) support.push_back(i);
  }
  Matrix all(length(subset), length(support));
  Index next = 0;
  for (Index k = 0; k < length(subset); ++k) {
    const auto at = std::ranges::lower_bound(whole.kernels, subset[static_cast<std::size_t>(k)]);
    if (at == whole.kernels.end() || *at != subset[static_cast<std::size_t>(k)]) {
      std::ranges::copy(U.row(next++), all.row(k).begin());
      continue;
    }
    const ConstSpan u = whole.rows.row(at - whole.kernels.begin());
    std::ranges::transform(support, all.row(k).begin(), [&](std::size_t i) { return u[i]; });
  }
  return all;
}

}  // namespace

Objective::Objective(std::string solver, const Problem& problem, const SolverOptions& options,
                     const Context& context)
    : problem_(problem),
      options_(options),
      context_(context),
      oracle_(problem, context),
      inner_share_(kInnerShare),
      expected_outer_(std::numeric_limits<double>::infinity()),
      expected_scale_(std::numeric_limits<double>::infinity()),
      proven_(-std::numeric_limits<double>::infinity()) {
  solution_.solver = std::move(solver);
  best_.certificate.gap = std::numeric_limits<double>::infinity();
}

/// The size of the inner objective at weights d, which may have any sign.
double Objective::objective_scale(ConstSpan d) const {
  return std::max({std::abs(oracle_.lower_value()), std::abs(oracle_.upper_value()),
                   optimum_floor(problem_.loss, problem_.bank, problem_.diagonals, d)});
}

Point Objective::evaluate(Vector d, const std::string& step) {
  whitening_.reset();
  Point point;
  point.d = std::move(d);
  const double target = std::min({expected_outer_, 0.5 * expected_scale_, proven_gap()});
  bool near = solve_near_margin(point.d, inner_share_ * target);
  if (!near) solve_inner(point, inner_share_ * target);
  const std::vector<Index> first = near && focus_.empty() ? weighted(point) : first_look(point);
  const std::vector<Index>& subset = first.empty() ? focus_ : first;
  evaluate_forms(point, subset);
  for (int k = 0; k < kRefinements && !context_.should_stop(); ++k) {
    const double outer = std::min(point.certificate.outer_gap, proven_gap());
    const double allowed = inner_share_ * std::max(outer, wanted_gap(point));
    if (point.inner_gap <= 2.0 * allowed) break;
    if (point.certificate.relative_gap() <= options_.tolerance) break;
    near = near && k < kNearRefinements && solve_near_margin(point.d, allowed);
    if (!near) oracle_.solve(point.d, allowed);
    if (oracle_.inner_gap() >= point.inner_gap) break;
    evaluate_forms(point, subset);
  }
  if (!first.empty()) complete(point);
  expected_outer_ = std::max(kExpectedDecrease * point.certificate.outer_gap, wanted_gap(point));
  expected_scale_ = objective_scale(point.d);
  record(point, step);
  return point;
}

void Objective::solve_inner(const Point& point, double gap_target) {
  oracle_.solve(point.d, gap_target);
  // The objective may have fallen by orders of magnitude since the target was set.
  const auto allowed = [&] { return inner_share_ * objective_scale(point.d); };
  while (oracle_.inner_gap() > 2.0 * allowed() && !context_.should_stop()) {
    const double before = oracle_.inner_gap();
    oracle_.solve(point.d, allowed());
    if (oracle_.inner_gap() >= before) break;
  }
}

bool Objective::reads_dense_kernels() const {
  return mostly_dense(samples(), kernels(), problem_.bank.bytes());
}

Vector Objective::forms(ConstSpan a) {
  Vector q(static_cast<std::size_t>(kernels()));
  problem_.bank.quadratic_forms(a, q, context_);
  ++passes_;
  return q;
}

Point Objective::certify_pair(Vector d, Vector a, Vector q, const std::string& step) {
  Vector z(a.size());
  problem_.bank.apply(d, a, z, context_);
  return record_pair(std::move(d), std::move(a), z, std::move(q), step);
}

/// \param z  K(d) a
Point Objective::record_pair(Vector d, Vector a, ConstSpan z, Vector q, const std::string& step) {
  Point point;
  point.d = std::move(d);
  point.a = std::move(a);
  point.q = std::move(q);
  point.certificate = certify_values(problem_, point.d, point.a, z, point.q);
  point.inner_gap = point.certificate.inner_gap;
  record(point, step);
  return point;
}

Point Objective::certify_zero(Vector d) {
  Vector a(problem_.y().size(), 0.0);
  make_feasible(dual_set(), a);
  Vector q = forms(a);
  return certify_pair(std::move(d), std::move(a), std::move(q), "start");
}

double Objective::wanted_gap(const Point& point) const {
  return 0.5 * options_.tolerance * point.certificate.size();
}

/// The weighted kernels, where looking at them first saves passes over all others: a refined dual
/// vector would need another one.
std::vector<Index> Objective::first_look(const Point& point) const {
  if (!dense_ || !focus_.empty()) return {};
  std::vector<Index> first = weighted(point);
  if (2 * length(first) > kernels()) first.clear();
  return first;
}

/// The kernels with weight; empty where these are all.
std::vector<Index> Objective::weighted(const Point& point) const {
  std::vector<Index> some = with_weight(point.d);
  if (length(some) == kernels()) some.clear();
  return some;
}

/// q, and K_m a where the bank has it, of the kernels `subset`.
void Objective::read_forms(Point& point, const std::vector<Index>& subset) {
  std::vector<Index> whole;
  std::vector<Index> others;
  const bool leaves_out = reads_whole();
  for (const Index m : subset) {
    const bool has_weight = point.d[static_cast<std::size_t>(m)] > 0.0;
    (leaves_out && has_weight ? whole : others).push_back(m);
  }
  Vector q(others.size());
  Matrix U = problem_.bank.forms_and_products(others, point.a, q, context_);
  for (std::size_t k = 0; k < others.size(); ++k) {
    point.q[static_cast<std::size_t>(others[k])] = q[k];
  }
  if (!whole.empty()) {
    known_ = point.whole =
        std::make_shared<const WholeProducts>(problem_.bank, whole, point.a, context_);
    known_->forms(point.q);
    oracle_.learn(known_->product(point.d));
    U = with_whole(subset, point, U);
  }
  dense_ = U.rows > 0;
  point.products = dense_ ? std::make_shared<const Matrix>(std::move(U)) : nullptr;
}

/// Reads the kernels that `priced` leaves out.
void Objective::complete(Point& point) {
  if (point.priced_all()) return;
  const std::vector<Index> before = std::move(point.priced);
  const std::shared_ptr<const Matrix> known = point.products;
  std::vector<Index> others;
  std::ranges::set_difference(all_kernels(), before, std::back_inserter(others));
  read_forms(point, others);
  point.priced.clear();
  last_q_ = point.q;
  Matrix U(kernels(), known->cols);
  const auto place = [&](const Matrix& part, const std::vector<Index>& numbers) {
    for (Index k = 0; k < part.rows; ++k) {
      std::ranges::copy(part.row(k), U.row(numbers[static_cast<std::size_t>(k)]).begin());
    }
  };
  place(*known, before);
  place(*point.products, others);
  point.products = std::make_shared<const Matrix>(std::move(U));
  ++passes_;
  certify(point, point.z);
}

void Objective::evaluate_forms(Point& point, const std::vector<Index>& subset) {
  point.a = oracle_.a();
  point.priced = subset;
  if (!keep_products_) {
    point.q = forms(point.a);
  } else {
    point.q = last_q_;
    point.q.resize(static_cast<std::size_t>(kernels()));
    read_forms(point, subset.empty() ? all_kernels() : subset);
    if (subset.empty()) {
      last_q_ = point.q;
      ++passes_;
    }
  }
  point.exact = oracle_.exact();
  point.gain = oracle_.gain();
  point.z = oracle_.z();
  measure(point, point.z, oracle_.inner_gap());
  point.free = oracle_.free_set();
}

/// What K(d) a = z tells of J at the point.
void Objective::measure(Point& point, ConstSpan z, double inner_gap) const {
  certify(point, z);
  point.inner_gap = inner_gap;
  point.upper = point.gain - 0.5 * std::inner_product(z.begin(), z.end(), point.a.begin(), 0.0) +
                inner_gap + penalty(problem_.regularizer, point.d);
}

/// Bounds at the point, where K(d) a = z: of the problem on the kernels that are priced.
void Objective::certify(Point& point, ConstSpan z) const {
  if (point.priced_all()) {
    point.certificate = certify_values(problem_, point.d, point.a, z, point.q);
    return;
  }
  Vector q(point.q.size(), 0.0);
  for (const Index m : point.priced) {
    q[static_cast<std::size_t>(m)] = point.q[static_cast<std::size_t>(m)];
  }
  point.certificate = certify_values(problem_, point.d, point.a, z, q);
}

std::vector<Index> Objective::all_kernels() const {
  std::vector<Index> all(static_cast<std::size_t>(kernels()));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

double Objective::best_relative_gap() const {
  const double own = best_.certificate.relative_gap();
  return proof_.empty() ? own : std::min(own, lowest_and_proof().relative_gap());
}

Certificate Objective::lowest_and_proof() const {
  Certificate certificate = lowest_.certificate;
  certificate.raise_dual(proven_);
  return certificate;
}

double Objective::proven_gap() const {
  return proof_.empty() ? std::numeric_limits<double>::infinity() : best_primal() - best_dual();
}

void Objective::raise_lower_bound(Vector a, double bound) {
  bound -= 1e-12 * std::abs(bound);  // what rounding may take when `a` is certified in the end
  if (!(bound > proven_)) return;
  make_feasible(oracle_.dual_set(), a);
  proof_ = std::move(a);
  proven_ = bound;
  recheck_in_double();
  Iteration& last = solution_.history.back();
  last.dual = std::max(last.dual, std::min(bound, last.primal));
  last.relative_gap = best_relative_gap();
}

void Objective::set_expected_gap(double objective, double relative_gap) {
  expected_scale_ = std::abs(objective);
  expected_outer_ = relative_gap * expected_scale_;
}

bool Objective::tighten_inner_tolerance() {
  if (inner_share_ <= kLeastInnerShare) return false;
  inner_share_ *= 0.1;
  return true;
}

void Objective::make_exact(Point& point) const {
  if (point.exact) return;
  Vector z(point.a.size());
  problem_.bank.apply(point.d, point.a, z, context_);
  measure(point, z,
          loss_at(problem_.loss, problem_.bias, problem_.y(), z, point.a, problem_.C()).gap);
  point.z = std::move(z);
  point.exact = true;
}

/// What would end the run must hold on the bank's kernels.
void Objective::recheck_in_double() {
  if (best_.certificate.relative_gap() <= options_.tolerance) return make_exact(best_);
  if (best_relative_gap() <= options_.tolerance) make_exact(lowest_);
}

/// Keeps the point where it is the best answer or the lowest primal value so far.
void Objective::keep(const Point& point) {
  if (point.certificate.relative_gap() < best_relative_gap() || solution_.history.empty()) {
    best_ = point;
  }
  if (solution_.history.empty() || point.certificate.primal < lowest_.certificate.primal) {
    lowest_ = point;
  }
  for (Point* kept : {&best_, &lowest_}) {
    kept->products = nullptr;
    kept->whole = nullptr;
  }
  recheck_in_double();
}

void Objective::record(const Point& point, const std::string& step) {
  Iteration now;
  if (!solution_.history.empty()) now = solution_.history.back();
  if (point.priced_all()) {
    keep(point);
    const bool first = solution_.history.empty();
    const Certificate& own = point.certificate;
    now.primal = first ? own.primal : std::min(now.primal, own.primal);
    now.dual = first ? own.dual : std::max(now.dual, own.dual);
  }
  now.number = length(solution_.history);
  now.relative_gap = best_relative_gap();
  now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  now.bank_passes = passes_;
  now.inner_iterations = oracle_.iterations() + inner_;
  now.active_kernels = std::ranges::count_if(point.d, [](double weight) { return weight > 0.0; });
  now.step = step;
  solution_.history.push_back(now);
  context_.report({"solve", now.number + 1, 0, now.relative_gap});
}

bool Objective::finished() const { return stalled_ || status() != Status::stalled; }

Status Objective::status() const {
  if (!solution_.history.empty() && best_relative_gap() <= options_.tolerance) {
    return Status::converged;
  }
  if (context_.is_cancelled()) return Status::interrupted;
  if (context_.should_stop()) return Status::time_limit;
  if (length(solution_.history) >= options_.max_iterations) return Status::iteration_limit;
  return Status::stalled;
}

Solution Objective::result() const {
  Solution solution = solution_;
  solution.bank_passes = passes_;
  solution.inner_iterations = oracle_.iterations() + inner_;
  const bool by_proof = best_relative_gap() < best_.certificate.relative_gap();
  Point answer = by_proof ? lowest_ : best_;
  make_exact(answer);
  solution.d = answer.d;
  solution.a = answer.a;
  solution.certificate = answer.certificate;
  if (by_proof) {
    solution.proof = proof_;
    solution.certificate.raise_dual(certify_dual(problem_, proof_, context_));
    ++solution.bank_passes;
  }
  solution.status = status();
  return solution;
}

}  // namespace kernmix
