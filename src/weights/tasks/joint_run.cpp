#include "weights/tasks/joint_run.hpp"

#include <algorithm>
#include <numeric>

#include "svm/crammer_singer/class_face.hpp"

namespace kernmix {

JointRun::JointRun(std::string solver, const JointProblem& problem, const SolverOptions& options,
                   const Context& context)
    : problem_(problem),
      options_(options),
      context_(context),
      solver_(std::move(solver)),
      kernel_(problem.bank),
      bounds_(options, context),
      q_(static_cast<std::size_t>(problem.kernels()), 0.0) {
  dual_.A = Matrix(problem.samples(), problem.classes);
}

Matrix JointRun::unstacked(const Vector& a) const {
  Matrix A(problem_.samples(), problem_.classes);
  A.values = a;
  return A;
}

void JointRun::evaluate_forms() {
  q_ = joint_forms(all_panel_forms(problem_.bank, transposed(dual_.A), context_));
  ++work_.bank_passes;
}

void JointRun::start_from(Vector a) {
  dual_.A = feasible_joint_dual(problem_, unstacked(a));
  dual_.free = free_entries(problem_, dual_.A);
  evaluate_forms();
}

void JointRun::raise_lower_bound(Vector a, double bound) {
  if (bounds_.offer_lower(bound)) proof_ = feasible_joint_dual(problem_, unstacked(a));
}

void JointRun::solve(double target) {
  if (dual_.gap <= target) return;
  work_.inner_iterations += solve_joint_svm(problem_, kernel(d_), target, dual_, context_);
  ++work_.svm_solves;
  evaluate_forms();
}

Point JointRun::point_here() const {
  Point point;
  point.d = d_;
  point.q = q_;
  point.a = dual_.A.values;
  point.free = dual_.free;
  point.gain = joint_gain(problem_, dual_.A);
  point.inner_gap = dual_.gap;
  point.upper = point.gain - 0.5 * std::inner_product(d_.begin(), d_.end(), q_.begin(), 0.0) +
                dual_.gap + penalty(problem_.regularizer, d_);
  Certificate& bounds = point.certificate;
  bounds.primal = point.upper;
  bounds.dual = certify_joint_dual_values(problem_, dual_.A, q_);
  bounds.set_gap(point.inner_gap);
  return point;
}

Point JointRun::evaluate(Vector d, const std::string& step) {
  d_ = std::move(d);
  measure(problem_, kernel(d_), dual_, context_);
  Point point = accuracy_.reach([&] { return point_here(); }, [&](double target) { solve(target); },
                                options_.tolerance, context_);
  if (bounds_.offer_upper(point.upper) || best_d_.empty()) {
    best_d_ = d_;
    best_A_ = dual_.A;
  }
  raise_lower_bound(point.a, point.certificate.dual);
  if (auto moment = bounds_.record(d_, best_d_, work_, step)) {
    moment->a = columns_of(best_A_);
    bounds_.keep(std::move(*moment));
  }
  return point;
}

JointSolution JointRun::result() {
  const Status ended = bounds_.status();
  JointSolution solution;
  solution.solver = solver_;
  solution.history = bounds_.history();
  solution.moments = bounds_.take_moments();
  solution.d = best_d_;
  solution.A = best_A_;
  solution.certificate = certify_joint(problem_, best_d_, best_A_, context_).certificate;
  ++work_.bank_passes;
  const double own = solution.certificate.dual;
  if (bounds_.lower() > own) {
    solution.certificate.raise_dual(certify_joint_dual(problem_, proof_, context_));
    ++work_.bank_passes;
    if (solution.certificate.dual > own) solution.proof = proof_;
  }
  solution.status = bounds_.status_of(solution.certificate, ended);
  solution.svm_solves = work_.svm_solves;
  solution.inner_iterations = work_.inner_iterations;
  solution.bank_passes = work_.bank_passes;
  return solution;
}

}  // namespace kernmix
