#include "weights/oracle.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "kernmix/error.hpp"
#include "problem/task_loss.hpp"
#include "problem/without_end.hpp"
#include "svm/crammer_singer/class_face.hpp"
#include "svm/factor_choice.hpp"
#include "svm/newton/conjugate_gradients.hpp"

namespace kernmix {

double Oracle::lower_value() const {
  return gain() - 0.5 * std::inner_product(a_.begin(), a_.end(), z_.begin(), 0.0);
}

SvmOracle::Own::Own(const Problem& shared, Index k, CombinedKernel& kernel)
    : bank(kernel, shared.task(k)), problem{bank,
                                            shared.loss,
                                            shared.regularizer,
                                            shared.task(k).y,
                                            shared.task(k).C,
                                            shared.bias} {}

SvmOracle::SvmOracle(const Problem& problem)
    : problem_(problem), set_(kernmix::dual_set(problem, 0)) {
  inner_.emplace(problem_, set_);
  start();
}

SvmOracle::SvmOracle(const Problem& problem, Index k, CombinedKernel& kernel)
    : kernel_(&kernel),
      own_(std::make_unique<Own>(problem, k, kernel)),
      problem_(own_->problem),
      set_(kernmix::dual_set(problem, k)) {
  start();
}

void SvmOracle::start() {
  a_.assign(problem_.y().size(), 0.0);
  z_ = a_;
  make_feasible(set_, a_);
}

/// The start a = 0 has the product 0 at any weights.
bool SvmOracle::is_zero() const {
  return std::ranges::all_of(a_, [](double value) { return value == 0.0; });
}

/// The answer a = 0, for which no kernel is read.
void SvmOracle::stay_at_zero() {
  std::ranges::fill(a_, 0.0);
  std::ranges::fill(z_, 0.0);
  gap_ = loss_at(problem_.loss, problem_.bias, problem_.y(), z_, a_, problem_.C()).gap;
  exact_ = true;
}

/// \param forming  of K(d)
InnerResult SvmOracle::improve(ConstSpan d, double gap_target, const Context& context,
                               const Context& forming) {
  if (inner_) return inner_->solve(d, gap_target, a_, z_, context, forming);
  return InnerSolver(problem_, set_).solve(d, gap_target, a_, z_, context, forming);
}

/// K(d) is finished after the end of time only for a start other than 0 that is the only answer.
void SvmOracle::solve(ConstSpan d, double gap_target, const Context& context) {
  const bool zero = is_zero();
  const bool measured = std::ranges::equal(d, measured_at_);
  if (context.should_stop() && measured) return;
  if (context.should_stop() && zero) return stay_at_zero();
  const Context forming =
      zero || measured || answer_exists_ ? of_use_if_finished(context) : context;
  Vector a = measured ? a_ : Vector();
  Vector z = measured ? z_ : Vector();
  try {
    const InnerResult result = improve(d, gap_target, context, forming);
    gap_ = result.gap;
    exact_ = result.exact;
    iterations_ += result.iterations;
    measured_at_.assign(d.begin(), d.end());
  } catch (const ResourceError&) {
    if (!(zero || measured) || !ended_in_use(context)) throw;
    if (!measured) return stay_at_zero();
    a_ = std::move(a);
    z_ = std::move(z);
  }
}

void SvmOracle::prepare(ConstSpan d, const Context& context) const {
  if (kernel_ == nullptr || prefers_factor(problem_, d, 0, context)) return;
  const Context forming = is_zero() || answer_exists_ ? of_use_if_finished(context) : context;
  if (has_smooth_dual(problem_.loss)) {
    static_cast<void>(kernel_->dense(d, forming));
  } else {
    static_cast<void>(kernel_->single(d, forming));
  }
}

Vector SvmOracle::feasible(Vector a) const {
  make_feasible(set_, a);
  return a;
}

double SvmOracle::gain() const {
  return dual_gain(problem_.loss, problem_.bias, problem_.y(), a_, problem_.C());
}

std::vector<Index> SvmOracle::free_set() const {
  return free_samples(problem_.loss, set_, problem_.y(), a_, problem_.C());
}

CachedHessian SvmOracle::cached_hessian(ConstSpan d, std::span<const Index> free,
                                        const Context& context) {
  const Index F = length(free);
  const bool single = (!exact_ || !has_room_for_block<double>(problem_, F, context)) &&
                      has_room_for_block<float>(problem_, F, context);
  if (inner_)
    return {single ? inner_->hessian_block(d, free) : RowMatrixF{}, inner_->factor(d, context)};
  if (!single) return {};
  CachedHessian known;
  known.hessian.resize(F, F);
  own_->bank.combined(d)->matrix(free, {known.hessian.data(), free.size() * free.size()}, context);
  const Vector curvature = dual_curvature(problem_.loss, problem_.y(), a_, problem_.C());
  for (Index k = 0; k < F; ++k) {
    const auto i = static_cast<std::size_t>(free[static_cast<std::size_t>(k)]);
    known.hessian(k, k) += static_cast<float>(curvature[i]);
  }
  if (problem_.bias == Bias::penalised) known.hessian.array() += 1.0F;
  return known;
}

Curvature SvmOracle::curvature(const Point& point, const FreeSet& free,
                               const std::vector<Index>& kernels, const Context& whole) {
  const Context context = of_use_if_finished(whole);
  Curvature result;
  if (free.samples.empty()) return result;
  Eigen::MatrixXd U =
      products_at_free(problem_, point, free.samples, kernels, own_ != nullptr, context);
  CachedHessian known = cached_hessian(point.d, free.samples, context);
  const WeightedColumns* Z = known.hessian.size() == 0 ? known.factor : nullptr;
  if (Z != nullptr && by_conjugate_gradients(length(free.samples), Z->cols())) {
    result.root = curvature_root(*Z, set_, free.samples, free_curvature(problem_, point.a, free),
                                 std::move(U), context);
    return result;
  }
  auto factor = FreeBlockFactor::of(problem_, point, free, std::move(known), context);
  if (!factor) return result;
  result.root = curvature_root(set_, free.samples, *factor, std::move(U));
  if (free.softness.empty()) result.factor = std::move(factor);
  return result;
}

ClassOracle::ClassOracle(const Problem& problem, CombinedKernel& kernel)
    : problem_(problem), kernel_(kernel), targets_(problem.bias, problem.y(), problem.C()) {
  dual_.A = Matrix(problem.samples(), targets_.classes);
  a_ = z_ = dual_.A.values;
}

void ClassOracle::solve(ConstSpan d, double gap_target, const Context& context) {
  const Matrix& K = kernel_.dense(d, context);
  if (dual_.A.values != a_) {
    dual_.A.values = a_;
    dual_.free = free_entries(targets_, dual_.A);
  }
  measure(targets_, K, dual_, context);
  if (dual_.gap > gap_target) {
    iterations_ += solve_joint_svm(targets_, K, gap_target, dual_, context);
  }
  a_ = dual_.A.values;
  z_ = dual_.Z.values;
  gap_ = dual_.gap;
}

Vector ClassOracle::feasible(Vector a) const { return targets_.feasible(a); }

double ClassOracle::gain() const { return targets_.gain(a_); }

Curvature ClassOracle::curvature(const Point& point, const FreeSet& free,
                                 const std::vector<Index>& kernels, const Context& whole) {
  const Context context = of_use_if_finished(whole);
  const ClassFace face(free.samples, targets_.classes);
  if (face.size() == 0) return {};
  RowMatrix S = face.curvature(kernel_.dense(point.d, context), context);
  return {class_curvature_root(problem_, face, std::move(S), point.a, kernels, context), {}};
}

}  // namespace kernmix
