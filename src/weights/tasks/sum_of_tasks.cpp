#include "weights/tasks/sum_of_tasks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas_threads.hpp"
#include "base/parallel.hpp"
#include "regularizer/any.hpp"
#include "weights/curvature.hpp"
#include "weights/cuts/masters.hpp"

namespace kernmix {
namespace {

double inner_gap_of(const TaskState& state) { return std::max(state.upper - state.lower, 0.0); }

/// One task of a stacked point: what its curvature needs.
Point task_point(const TaskSolver& tasks, Index k, const Vector& d, const Vector& a) {
  const Problem& own = tasks.task_problem(k);
  Point part;
  part.d = d;
  part.a = a;
  part.free = free_samples(own.loss, tasks.dual_set(k), own.y(), a, own.C());
  return part;
}

/// U = [K_m a]_m at the free samples: at the support of a alone where the bank has that.
Eigen::MatrixXd products_at_free(const Problem& task, const Point& part,
                                 const std::vector<Index>& kernels, const Context& context) {
  Eigen::MatrixXd U;
  if (task.bank.combined(part.d)->columns() < 0) {
    const Matrix products = task.bank.products(kernels, part.a, Reach::support, context).rows;
    std::vector<Index> rows(static_cast<std::size_t>(products.rows));
    std::iota(rows.begin(), rows.end(), Index{0});
    if (products.rows > 0) U = at_free_samples(products, rows, part);
  }
  return U.size() > 0 ? U : free_products(task, part.a, kernels, part.free, context);
}

}  // namespace

Index SumOfTasks::samples() const {
  Index sum = 0;
  for (const Task& task : run_.problem().tasks) sum += length(task.y);
  return sum;
}

std::vector<Vector> SumOfTasks::split(const Vector& stacked) const {
  std::vector<Vector> parts;
  auto begin = stacked.begin();
  for (const Task& task : run_.problem().tasks) {
    parts.emplace_back(begin, begin + length(task.y));
    begin += length(task.y);
  }
  return parts;
}

void SumOfTasks::start_from(Vector a) { run_.tasks().start_from(split(a)); }

void SumOfTasks::raise_lower_bound(Vector a, double bound) {
  run_.keep_lower(bound, Vector(run_.problem().tasks.size(), 1.0), split(a));
}

/// Solves the tasks whose gaps are above `target`.
void SumOfTasks::solve_open(double target) {
  std::vector<Index> open;
  for (Index k = 0; k < run_.problem().size(); ++k) {
    if (inner_gap_of(run_.tasks().state(k)) > target) open.push_back(k);
  }
  if (!open.empty()) run_.tasks().solve(open, Vector(open.size(), target));
}

Point SumOfTasks::point_here() const {
  Point point;
  point.d = run_.tasks().weights();
  point.q.assign(point.d.size(), 0.0);
  Index first = 0;
  for (Index k = 0; k < run_.problem().size(); ++k) {
    const TaskState& state = run_.tasks().state(k);
    point.a.insert(point.a.end(), state.a.begin(), state.a.end());
    for (const Index i : task_point(run_.tasks(), k, point.d, state.a).free)
      point.free.push_back(first + i);
    for (std::size_t m = 0; m < point.q.size(); ++m) point.q[m] += state.q[m];
    point.gain += state.gain;
    point.inner_gap += inner_gap_of(state);
    first += length(state.a);
  }
  point.upper = run_.upper_here();
  CutMinimum own{{}, {}, point.gain, point.q};
  Certificate& bounds = point.certificate;
  bounds.primal = point.upper;
  bounds.dual = visit([&](const auto& r) { return bound_of(r, own); }, run_.problem().regularizer);
  bounds.least_size = least_size_of(run_.problem(), point.d);
  bounds.set_gap(point.inner_gap);
  return point;
}

Point SumOfTasks::evaluate(Vector d, const std::string& step) {
  const auto T = static_cast<double>(run_.problem().size());
  run_.tasks().move_to(d);
  Point point =
      accuracy_.reach([&] { return point_here(); }, [&](double target) { solve_open(target / T); },
                      run_.tolerance(), run_.context());
  keep(point);
  run_.record(step);
  return point;
}

void SumOfTasks::keep(const Point& point) {
  run_.keep_upper();
  raise_lower_bound(point.a, point.certificate.dual);
}

LocalModel SumOfTasks::model(const Point& point, std::vector<Index> kernels) {
  LocalModel model{std::move(kernels), {}, std::nullopt};
  model.quadratic = model_without_curvature(point, model.kernels);
  const SerialBlas serial;
  const TaskSolver& tasks = run_.tasks();
  const std::vector<Vector> a = split(point.a);
  std::vector<Eigen::MatrixXd> roots(a.size());
  Context one = run_.context();
  one.threads = 1;
  parallel_for(run_.context(), length(a), [&](Index k) {
    const auto at = static_cast<std::size_t>(k);
    const Problem& own = tasks.task_problem(k);
    const Point part = task_point(tasks, k, point.d, a[at]);
    if (part.free.empty()) return;
    const auto factor = FreeBlockFactor::of(own, part, {part.free, {}}, {}, one);
    if (!factor) return;
    roots[at] = curvature_root(tasks.dual_set(k), part.free, *factor,
                               products_at_free(own, part, model.kernels, one));
  });
  Eigen::MatrixXd all(0, length(model.kernels));
  for (const Eigen::MatrixXd& root : roots) {
    if (root.rows() == 0) continue;
    Eigen::MatrixXd both(all.rows() + root.rows(), all.cols());
    both << all, root;
    all = same_gram(std::move(both));
  }
  set_curvature(model.quadratic, all);
  return model;
}

}  // namespace kernmix
