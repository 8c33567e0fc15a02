#include "svm/crammer_singer/joint_svm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/blas_threads.hpp"
#include "base/parallel.hpp"
#include "base/roots/slope_search.hpp"
#include "loss/class_balance.hpp"
#include "svm/crammer_singer/class_face.hpp"
#include "svm/crammer_singer/joint_direction.hpp"
#include "svm/crammer_singer/joint_response.hpp"

namespace kernmix {
namespace {

constexpr double kJointStepGrowth = 3.0;
constexpr double kLongestFirstStep = 30.0;
constexpr double kLongestJointStep = 1e6;
/// A proximal problem is solved to this fraction of the gap due to its anchor.
constexpr double kJointNewtonShare = 0.3;
constexpr Index kMostJointSteps = 1000;
constexpr Index kIdleJointSteps = 100;
/// With at most this number of Newton steps for one anchor the next proximal step is longer; with
/// more it was too long.
constexpr Index kFewJointSteps = 6;
constexpr Index kManyJointSteps = 15;

double joint_inner_product(const Matrix& left, const Matrix& right) {
  return as_vector(ConstSpan(left.values)).dot(as_vector(ConstSpan(right.values)));
}

double joint_svm_gap(const ClassTargets& targets, const Matrix& A, const Matrix& Z,
                     const Vector& bias) {
  double gap = 0.0;
  Vector f(bias.size());
  for (Index i = 0; i < Z.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    for (std::size_t u = 0; u < f.size(); ++u) f[u] = Z.row(i)[u] + bias[u];
    gap += crammer_singer_gap(f, A.row(i), targets.y[at], targets.C[at]);
  }
  return gap;
}

/// The same set (D) with the least C: where 1'A = 0, A_{i, y_i} is at most the sum of C over the
/// other classes. Steps and projections are of the size of C.
ClassTargets with_least_costs(ClassTargets targets) {
  if (targets.bias != Bias::free) return targets;
  Vector of_class(to_size(targets.classes), 0.0);
  for (Index i = 0; i < targets.samples(); ++i) {
    of_class[to_size(targets.y[to_size(i)])] += targets.C[to_size(i)];
  }
  Vector of_others(of_class.size(), 0.0);
  for (std::size_t u = 0; u < of_class.size(); ++u) {
    for (std::size_t v = 0; v < of_class.size(); ++v) of_others[u] += u == v ? 0.0 : of_class[v];
  }
  for (Index i = 0; i < targets.samples(); ++i) {
    double& C = targets.C[to_size(i)];
    C = std::min(C, of_others[to_size(targets.y[to_size(i)])]);
  }
  return targets;
}

class JointSearch {
 public:
  JointSearch(const ClassTargets& targets, const Matrix& K, double target, JointDual& best,
              const Context& context)
      : given_(targets),
        targets_(with_least_costs(targets)),
        K_(K),
        target_(target),
        best_(best),
        context_(context),
        response_(targets_, context) {}

  Index run();

 private:
  void start();
  void set_anchor(Matrix A);
  void look();
  [[nodiscard]] JointDual answer() const;
  void move_anchor(Index newton_steps);
  [[nodiscard]] bool newton_step();
  [[nodiscard]] bool has_biases() const { return targets_.bias == Bias::free; }

  const ClassTargets& given_;
  ClassTargets targets_;  ///< with the least C
  const Matrix& K_;
  double target_;
  JointDual& best_;
  const Context& context_;
  JointResponse response_;
  Matrix B_, G_;  ///< G = K B
  Vector bias_;
  Matrix R_;
  double newton_gap_ = 0.0;
  double anchor_gap_ = 0.0;
  double least_gap_ = std::numeric_limits<double>::infinity();
  Index idle_ = 0;
};

void JointSearch::set_anchor(Matrix A) {
  G_ = kernel_product(K_, B_, context_);  // otherwise the rounding errors of updates accumulate
  response_.set_anchor(std::move(A), best_.step);
  R_ = response_.answer(G_, bias_);
}

void JointSearch::start() {
  B_ = best_.A;
  G_ = best_.Z;
  bias_ = best_.bias;
  set_anchor(best_.A);
  // Far from the solution, where many classes are free, longer steps leave fewer free.
  while (length(free_entries(targets_, R_)) > 2 * targets_.samples() &&
         best_.step < kLongestFirstStep) {
    best_.step *= kJointStepGrowth;
    set_anchor(best_.A);
  }
}

/// One Newton step, shortened until the derivative along it, <K dB, B + t dB - R> with optimal
/// biases, is at most half of the initial one.
bool JointSearch::newton_step() {
  constexpr double flat_enough = 0.5;
  constexpr int most_trials = 40;
  const auto found = joint_direction(targets_, K_, response_.tau(), R_, B_, context_);
  if (!found) return false;
  const JointDirection& along = *found;
  const double linear = joint_inner_product(along.G, B_);
  const double quadratic = joint_inner_product(along.G, along.B);
  const double start_slope = linear - joint_inner_product(along.G, R_);
  if (!(start_slope < 0.0)) return false;
  const Matrix G = G_;
  const Vector bias = bias_;
  const double t = flat_step(start_slope, flat_enough, most_trials, [&](double trial) {
    as_matrix(G_) = as_matrix(G) + trial * as_matrix(along.G);
    for (std::size_t u = 0; u < bias.size(); ++u) bias_[u] = bias[u] + trial * along.bias[u];
    R_ = response_.answer(G_, bias_);
    return linear + trial * quadratic - joint_inner_product(along.G, R_);
  });
  as_matrix(B_) += t * as_matrix(along.B);
  return true;
}

/// The result of the Newton steps: B rather than R, in which rounding errors of f are multiplied by
/// tau.
JointDual JointSearch::answer() const {
  JointDual dual;
  dual.A = B_;
  for (Index i = 0; i < dual.A.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    clip_to_dual(dual.A.row(i), targets_.y[at], targets_.C[at]);
  }
  dual.free = free_entries(targets_, dual.A);
  if (has_biases()) balance_classes(dual.A, targets_.y);
  dual.bias = bias_;
  dual.step = best_.step;
  measure(given_, K_, dual, context_);
  return dual;
}

/// Measures the gap of the current answer, and sets the proximal targets.
void JointSearch::look() {
  Matrix rest = B_;
  as_matrix(rest) -= as_matrix(R_);
  newton_gap_ = 0.5 * joint_inner_product(rest, kernel_product(K_, rest, context_));
  anchor_gap_ = joint_svm_gap(targets_, R_, G_, bias_);
  JointDual here = answer();
  const double gap = std::min(here.gap, newton_gap_ + anchor_gap_);
  idle_ = gap < 0.9 * least_gap_ ? 0 : idle_ + 1;
  least_gap_ = std::min(least_gap_, gap);
  if (here.gap < best_.gap) best_ = std::move(here);
}

/// Moves the anchor after its problem is solved, or shortens a step that is too long.
void JointSearch::move_anchor(Index newton_steps) {
  if (newton_gap_ > kJointNewtonShare * anchor_gap_ && newton_steps >= kManyJointSteps) {
    best_.step /= kJointStepGrowth;
    set_anchor(response_.anchor());
    return;
  }
  if (newton_steps <= kFewJointSteps) {
    best_.step = std::min(best_.step * kJointStepGrowth, kLongestJointStep);
  }
  set_anchor(R_);
}

Index JointSearch::run() {
  start();
  Index steps = 0;
  Index at_anchor = 0;
  while (best_.gap > target_ && steps < kMostJointSteps && idle_ < kIdleJointSteps &&
         !context_.should_stop()) {
    const bool moved = newton_step();
    ++steps;
    ++at_anchor;
    look();
    const bool solved = !moved || newton_gap_ <= kJointNewtonShare * anchor_gap_;
    if (!solved && at_anchor < kManyJointSteps) continue;
    move_anchor(at_anchor);
    at_anchor = 0;
  }
  return steps;
}

/// Cold start from the differences between the class means and the overall mean, A = c (e_{y_i} -
/// n_u / n), with the c that maximises the dual value.
void start_at_means(const ClassTargets& targets, const Matrix& K, JointDual& dual,
                    const Context& context) {
  Vector share(static_cast<std::size_t>(targets.classes), 0.0);
  for (const Index label : targets.y) {
    share[static_cast<std::size_t>(label)] += 1.0 / static_cast<double>(targets.y.size());
  }
  const double C = *std::ranges::min_element(targets.C);
  for (Index i = 0; i < dual.A.rows; ++i) {
    for (std::size_t u = 0; u < share.size(); ++u) dual.A.row(i)[u] = -C * share[u];
    dual.A(i, targets.y[static_cast<std::size_t>(i)]) += C;
  }
  dual.Z = kernel_product(K, dual.A, context);
  const double energy = joint_inner_product(dual.A, dual.Z);
  const double scale = std::min(1.0, targets.gain(dual.A.values) / std::max(energy, 1e-300));
  for (double& value : dual.A.values) value *= scale;
  measure(targets, K, dual, context);
}

}  // namespace

void measure(const ClassTargets& targets, const Matrix& K, JointDual& dual,
             const Context& context) {
  dual.Z = kernel_product(K, dual.A, context);
  LossPoint point = targets.at(dual.Z.values, dual.A.values, dual.bias);
  dual.bias = std::move(point.bias);
  dual.gap = point.gap;
}

Index solve_joint_svm(const ClassTargets& targets, const Matrix& K, double target, JointDual& dual,
                      const Context& context) {
  const SerialBlas serial;
  const bool cold = std::ranges::all_of(dual.A.values, [](double value) { return value == 0.0; });
  if (cold) start_at_means(targets, K, dual, context);
  return JointSearch(targets, K, target, dual, context).run();
}

}  // namespace kernmix
