#include "weights/tasks/joint_run.hpp"

#include <algorithm>
#include <numeric>

#include "problem/task_loss.hpp"
#include "svm/crammer_singer/class_face.hpp"

namespace kernmix {

JointRun::JointRun(std::string solver, const Problem& problem, const SolverOptions& options,
                   const Context& context)
    : problem_(problem),
      targets_(class_targets(problem)),
      options_(options),
      context_(context),
      solver_(std::move(solver)),
      kernel_(problem.bank),
      bounds_(options, context),
      q_(static_cast<std::size_t>(problem.kernels()), 0.0) {
  dual_.A = Matrix(problem.samples(), problem.functions);
}

Matrix JointRun::unstacked(const Vector& a) const {
  Matrix A(problem_.samples(), problem_.functions);
  A.values = a;
  return A;
}

void JointRun::evaluate_forms() {
  const Matrix panel = panel_of(problem_, {dual_.A.values});
  q_ = task_sums(problem_, all_panel_forms(problem_.bank, panel, context_)).front();
  ++work_.bank_passes;
}

void JointRun::start_from(Vector a) {
  dual_.A = feasible_class_dual(targets_, unstacked(a));
  dual_.free = free_entries(targets_, dual_.A);
  evaluate_forms();
}

void JointRun::raise_lower_bound(Vector a, double bound) {
  if (bounds_.offer_lower(bound)) witness_ = feasible_class_dual(targets_, unstacked(a)).values;
}

void JointRun::solve(double target) {
  if (dual_.gap <= target) return;
  work_.inner_iterations += solve_joint_svm(targets_, kernel(d_), target, dual_, context_);
  ++work_.svm_solves;
  evaluate_forms();
}

Point JointRun::point_here() const {
  Point point;
  point.d = d_;
  point.q = q_;
  point.a = dual_.A.values;
  point.free = dual_.free;
  point.gain = class_gain(targets_, dual_.A);
  point.inner_gap = dual_.gap;
  point.upper = point.gain - 0.5 * std::inner_product(d_.begin(), d_.end(), q_.begin(), 0.0) +
                dual_.gap + penalty(problem_.regularizer, d_);
  Certificate& bounds = point.certificate;
  bounds.primal = point.upper;
  bounds.dual = certify_dual_values(problem_, {point.a}, {point.q});
  bounds.set_gap(point.inner_gap);
  return point;
}

Point JointRun::evaluate(Vector d, const std::string& step) {
  d_ = std::move(d);
  measure(targets_, kernel(d_), dual_, context_);
  Point point = accuracy_.reach([&] { return point_here(); }, [&](double target) { solve(target); },
                                options_.tolerance, context_);
  if (bounds_.offer_upper(point.upper) || best_d_.empty()) {
    best_d_ = d_;
    best_a_ = dual_.A.values;
  }
  raise_lower_bound(point.a, point.certificate.dual);
  if (auto moment = bounds_.record(d_, best_d_, work_, step)) {
    moment->a = {best_a_};
    bounds_.keep(std::move(*moment));
  }
  return point;
}

Answer JointRun::result() {
  Answer answer;
  answer.solver = solver_;
  answer.d = best_d_;
  answer.a = {best_a_};
  answer.gamma = {1.0};
  bounds_.finish(problem_, {witness_}, work_, bounds_.status(), answer);
  return answer;
}

}  // namespace kernmix
