#include "weights/objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/blas_threads.hpp"
#include "base/parallel.hpp"
#include "kernmix/bank/plan.hpp"
#include "kernmix/error.hpp"
#include "problem/without_end.hpp"

namespace kernmix {
namespace {

/// The inner gap may be this part of the outer gap. With a looser inner solve, the primal value,
/// and so the whole certificate, would depend on the inner solver
/// (docs/reference/solvers/newton.md).
constexpr double kInnerShare = 0.05;
constexpr double kLeastInnerShare = 1e-6;
/// A good step reduces the outer gap to about this part. Solving the SVM to the corresponding
/// accuracy at once saves a second pass over the bank.
constexpr double kExpectedDecrease = 0.2;
constexpr int kRefinements = 4;
/// This part of the tolerance is used by the outer solve. The rest is reserved for the change from
/// training the tasks at the final weights.
constexpr double kShareOfSeveral = 0.9;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<Index> others_than(const std::vector<Index>& some, const KernelBank& bank) {
  std::vector<Index> others;
  std::ranges::set_difference(every_kernel(bank), some, std::back_inserter(others));
  return others;
}

/// sum_k gamma_k forms_k. An empty gamma stands for equal weights of 1.
Vector weighted_sum(const TaskSpans& forms, const Vector& gamma) {
  Vector sum(forms.front().size(), 0.0);
  for (std::size_t k = 0; k < forms.size(); ++k) {
    const double weight = gamma.empty() ? 1.0 : gamma[k];
    for (std::size_t m = 0; m < sum.size() && weight != 0.0; ++m) sum[m] += weight * forms[k][m];
  }
  return sum;
}

}  // namespace

Objective::Objective(std::string solver, const Problem& problem, const SolverOptions& options,
                     const Context& context)
    : solver_(std::move(solver)),
      problem_(problem),
      options_(options),
      context_(context),
      tasks_(problem, context_),
      answer_(options, context_, problem.coupling == Coupling::separate ? 1.0 : kShareOfSeveral,
              [this](Point& point) { make_exact(point); }),
      moments_(options.moments),
      inner_share_(kInnerShare),
      expected_outer_(kInfinity),
      expected_size_(kInfinity) {}

double Objective::coupled(ConstSpan task_values) const {
  return is_minimax() ? *std::ranges::max_element(task_values)
                      : std::accumulate(task_values.begin() + 1, task_values.end(), task_values[0]);
}

double Objective::size_at(ConstSpan d) const {
  Vector lower;
  Vector upper;
  for (const Index k : tasks_.all()) {
    lower.push_back(tasks_.oracle(k).lower_value());
    upper.push_back(lower.back() + tasks_.oracle(k).inner_gap());
  }
  return std::max({std::abs(coupled(lower)), std::abs(coupled(upper)), least_size_of(problem_, d)});
}

/// Half of the gap at which the solve ends.
double Objective::wanted_gap(const Point& point) const {
  return 0.5 * options_.tolerance * point.certificate.size();
}

double Objective::per_task(double target) const {
  return is_minimax() ? target : target / static_cast<double>(problem_.size());
}

/// Solves the SVMs that have not been solved at these weights or whose gaps exceed the target.
void Objective::solve_above(double target) {
  const std::vector<Index> open = tasks_.above(per_task(target));
  tasks_.solve(open, Vector(open.size(), per_task(target)));
}

Point Objective::evaluate(Vector d, const std::string& step) {
  const double gap_before = best_relative_gap();
  const Index steps_before = tasks_.inner_iterations();
  tasks_.go_to(d);
  tasks_.forget_forms();
  solve_svms();
  const std::vector<Index> first = first_look(d);
  Matrix products;
  Point point = look(first, products);
  for (int k = 0; k < kRefinements && !context_.should_stop(); ++k) {
    const double outer = std::min(point.certificate.outer_gap, answer_.proven_gap());
    const double allowed = inner_share_ * std::max(outer, wanted_gap(point));
    if (point.inner_gap <= 2.0 * allowed) break;
    if (point.certificate.relative_gap() <= options_.tolerance) break;
    solve_above(allowed);
    if (inner_gap_here() >= point.inner_gap) break;
    try {
      point = look(first, products);
    } catch (const ResourceError&) {  // a pass takes longer than time allows: the last one counts
      if (!ended_in_use(context_) || length(first) < kernels()) throw;
      break;
    }
  }
  if (length(first) < kernels()) {
    read(others_than(first, problem_.bank), products);
    take_forms(point);
    measure(point);
  }
  ++passes_;
  if (dense_) point.products = std::make_shared<const Matrix>(std::move(products));
  expected_outer_ = std::max(kExpectedDecrease * point.certificate.outer_gap, wanted_gap(point));
  expected_size_ = size_at(point.d);
  keep(point, step);
  watch_accuracy(point, gap_before, tasks_.inner_iterations() - steps_before);
  return point;
}

/// Stops runs that rounding keeps from converging. If the entries of the kernels span hundreds of
/// orders of magnitude, rounding prevents an accurate solution of the SVM. Each of these SVMs takes
/// thousands of steps, and no choice of weights helps.
void Objective::watch_accuracy(const Point& point, double gap_before, Index steps) {
  constexpr double kHardlySolved = 0.5;  // inner gap relative to J
  constexpr Index kMostUnsolved = 4;
  constexpr Index kManySteps = 1000;  // this many steps count as one more evaluation
  const bool is_solved = point.inner_gap <= kHardlySolved * std::abs(point.upper);
  if (is_solved || best_relative_gap() < 0.99 * std::min(gap_before, 1.0)) {
    unsolved_ = 0;
    return;
  }
  unsolved_ += 1 + steps / kManySteps;
  if (unsolved_ >= kMostUnsolved) give_up();
}

double Objective::inner_gap_here() const {
  Vector gaps;
  for (const Index k : tasks_.all()) gaps.push_back(tasks_.oracle(k).inner_gap());
  return coupled(gaps);
}

/// Solves the SVMs to the accuracy that the expected next outer gap allows.
void Objective::solve_svms() {
  solve_above(inner_share_ *
              std::min({expected_outer_, 0.5 * expected_size_, answer_.proven_gap()}));
  // The objective may have decreased by orders of magnitude since expected_size_ was computed.
  const auto allowed = [&] { return inner_share_ * size_at(tasks_.weights()); };
  while (inner_gap_here() > 2.0 * allowed() && !context_.should_stop()) {
    const double before = inner_gap_here();
    solve_above(allowed());
    if (inner_gap_here() >= before) break;
  }
}

/// The kernels to read first. These are the weighted kernels if reading them first saves passes
/// over the others, because a refined dual vector would require another pass. Otherwise they are
/// all kernels.
std::vector<Index> Objective::first_look(ConstSpan d) const {
  std::vector<Index> some;
  for (Index m = 0; m < kernels(); ++m) {
    if (d[static_cast<std::size_t>(m)] > 0.0) some.push_back(m);
  }
  return dense_ && 2 * length(some) <= kernels() ? some : every_kernel(problem_.bank);
}

/// Builds the point from the solutions of the SVMs. Its bounds refer to the problem on these
/// kernels.
Point Objective::look(const std::vector<Index>& some, Matrix& products) {
  read(some, products);
  Point point;
  point.d = tasks_.weights();
  for (const Index k : tasks_.all()) {
    const Oracle& own = tasks_.oracle(k);
    const Index first = length(point.a);
    point.a.insert(point.a.end(), own.a().begin(), own.a().end());
    point.z.insert(point.z.end(), own.z().begin(), own.z().end());
    for (const Index i : own.free_set()) point.free.push_back(first + i);
    point.exact = point.exact && own.exact();
  }
  take_forms(point);
  measure(point);
  return point;
}

/// Reads the forms, and K_m a if the bank provides it, for some kernels.
/// \param products  one row per kernel, at the support of a
void Objective::read(const std::vector<Index>& some, Matrix& products) {
  Matrix U = tasks_.read(some);
  dense_ = U.rows > 0;
  if (!dense_) return;
  if (length(some) == kernels()) {
    products = std::move(U);
    return;
  }
  if (products.rows == 0 || products.cols != U.cols) products = Matrix(kernels(), U.cols);
  for (Index k = 0; k < length(some); ++k) {
    std::ranges::copy(U.row(k), products.row(some[static_cast<std::size_t>(k)]).begin());
  }
}

/// Fills in the forms and the cut of the tasks at the current weights.
void Objective::take_forms(Point& point) const {
  Vector gains;
  Vector lower;
  for (const Index k : tasks_.all()) {
    gains.push_back(tasks_.oracle(k).gain());
    lower.push_back(gains.back() - 0.5 * dot(tasks_.weights(), tasks_.state(k).q));
  }
  point.forms.clear();
  for (const TaskState& state : tasks_.states()) {
    point.forms.insert(point.forms.end(), state.q.begin(), state.q.end());
  }
  const Vector gamma = heaviest(lower);
  point.gain = gamma.empty() ? coupled(gains) : dot(gamma, gains);
  if (problem_.size() == 1) {
    point.q = std::move(point.forms);
    point.forms.clear();
  } else {
    point.q = weighted_sum(forms_of(point), gamma);
  }
}

/// For minimax, all weight is on the task with the largest value. A sum needs no task weights.
Vector Objective::heaviest(ConstSpan task_values) const {
  if (!is_minimax()) return {};
  Vector gamma(task_values.size(), 0.0);
  const auto largest = std::ranges::max_element(task_values);
  gamma[static_cast<std::size_t>(largest - task_values.begin())] = 1.0;
  return gamma;
}

TaskSpans Objective::forms_of(const Point& point) const {
  if (point.forms.empty()) return {point.q};
  const auto M = static_cast<std::size_t>(kernels());
  TaskSpans forms;
  for (std::size_t k = 0; k < problem_.tasks.size(); ++k) {
    forms.push_back(ConstSpan(point.forms).subspan(k * M, M));
  }
  return forms;
}

/// Computes the bounds on J at the point from z = K(d) a.
void Objective::measure(Point& point, Vector gamma) const {
  const TaskSpans a = parts(point.a);
  const TaskSpans z = parts(point.z);
  const TaskSpans q = forms_of(point);
  Vector values;
  for (std::size_t k = 0; k < a.size(); ++k) {
    values.push_back(tasks_.loss(static_cast<Index>(k)).gain(a[k]) - 0.5 * dot(z[k], a[k]));
  }
  if (gamma.empty()) gamma = heaviest(values);
  point.certificate = certify_values(problem_, point.d, a, z, q, gamma);
  const Vector& gaps = point.certificate.task_gap;
  point.inner_gap = coupled(gaps);
  for (std::size_t k = 0; k < a.size(); ++k) values[k] += gaps[k];
  point.upper = coupled(values) + penalty(problem_.regularizer, point.d);
}

void Objective::make_exact(Point& point, const Context& context) const {
  if (point.exact) return;
  point.z = product(point.d, point.a, context);
  measure(point);
  point.exact = true;
}

Point Objective::part(const Point& point, Index k) const {
  if (problem_.size() == 1) return point;
  const Index begin = parts(point.a)[static_cast<std::size_t>(k)].data() - point.a.data();
  const Index end = begin + length(tasks_.oracle(k).a());
  Point part;
  part.d = point.d;
  part.a.assign(point.a.begin() + begin, point.a.begin() + end);
  for (const Index i : point.free) {
    if (i >= begin && i < end) part.free.push_back(i - begin);
  }
  return part;
}

TaskSpans Objective::parts(const Vector& a) const {
  TaskSpans parts;
  std::size_t begin = 0;
  for (const Index k : tasks_.all()) {
    const std::size_t size = tasks_.oracle(k).a().size();
    parts.push_back(ConstSpan(a).subspan(begin, size));
    begin += size;
  }
  return parts;
}

std::vector<Vector> Objective::split(const Vector& a) const {
  std::vector<Vector> vectors;
  for (const ConstSpan part : parts(a)) vectors.emplace_back(part.begin(), part.end());
  return vectors;
}

LocalModel Objective::model(const Point& point, std::vector<Index> some, const FreeSet& free) {
  const SerialBlas serial;
  std::vector<Curvature> tasks(problem_.tasks.size());
  const auto of_task = [&](Index k, const Context& context) {
    const Point own = part(point, k);
    tasks[static_cast<std::size_t>(k)] =
        tasks_.oracle(k).curvature(own, {own.free, {}}, some, context);
  };
  if (problem_.size() == 1) {
    tasks.front() = tasks_.oracle(0).curvature(point, free, some, context_);
  } else {
    Context serial_context = context_;
    serial_context.threads = 1;
    parallel_for(context_, problem_.size(), [&](Index k) { of_task(k, serial_context); });
  }
  if (point.products == nullptr && !point.free.empty()) count_pass();
  LocalModel model{std::move(some), {}, {}};
  model.quadratic = quadratic_model(point, model.kernels, tasks);
  const auto F = length(point.free);
  if (!is_single() && F * F > most_factor_entries * problem_.size()) return model;
  for (Curvature& task : tasks) model.factors.push_back(std::move(task.factor));
  return model;
}

bool Objective::reads_dense_kernels() const { return problem_.bank.dense(); }

Index Objective::samples() const {
  Index sum = 0;
  for (const Task& task : problem_.tasks) sum += length(task.y);
  return sum * problem_.functions();
}

const SvmOracle& Objective::svm(Index k) const {
  return dynamic_cast<const SvmOracle&>(tasks_.oracle(k));
}

const DualSet& Objective::dual_set(Index k) const { return svm(k).dual_set(); }

TriangleCache& Objective::triangle_cache() {
  return dynamic_cast<SvmOracle&>(tasks_.oracle(0)).triangle_cache();
}

Vector Objective::forms(const Vector& a) {
  ++passes_;
  const Matrix Q = all_panel_forms(problem_.bank, panel_of(problem_, split(a)), context_);
  return end_to_end(task_sums(problem_, Q));
}

Vector Objective::product(ConstSpan d, const Vector& a, const Context& context) const {
  const Matrix Z = problem_.bank.combined(d)->times(panel_of(problem_, split(a)), context);
  return end_to_end(from_panel(problem_, Z));
}

double Objective::inner_gap(const Vector& a, const Vector& z) const {
  const TaskSpans as = parts(a);
  const TaskSpans zs = parts(z);
  Vector gaps;
  for (std::size_t k = 0; k < as.size(); ++k) {
    gaps.push_back(tasks_.loss(static_cast<Index>(k)).at(zs[k], as[k]).gap);
  }
  return coupled(gaps);
}

Point Objective::certify_pair(Vector d, Vector a, Vector forms, const std::string& step) {
  Vector z = product(d, a);
  return certify_pair(std::move(d), std::move(a), std::move(forms), std::move(z), step);
}

Point Objective::certify_pair(Vector d, Vector a, Vector forms, Vector z, const std::string& step) {
  Point point;
  point.d = std::move(d);
  point.a = std::move(a);
  point.z = std::move(z);
  (problem_.size() == 1 ? point.q : point.forms) = std::move(forms);
  measure(point);
  keep(point, step);
  return point;
}

Point Objective::certify_zero(Vector d) {
  Vector a = tasks_.oracle(0).feasible(Vector(problem_.y().size(), 0.0));
  Vector q = forms(a);
  return certify_pair(std::move(d), std::move(a), std::move(q), "start");
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

}  // namespace kernmix
