#include "weights/primal_dual/joint_barrier.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "base/samples.hpp"
#include "base/symmetric.hpp"
#include "weights/strategies/first_kernels.hpp"
#include "weights/strategies/interior_point.hpp"

namespace kernmix {
namespace {

using JointArray = Eigen::ArrayXd;

constexpr double no_bound = std::numeric_limits<double>::infinity();

JointArray array_of(const Vector& v) { return as_vector(ConstSpan(v)).array(); }
Vector vector_of(const JointArray& v) { return {v.begin(), v.end()}; }

/// One indicator column for each fixed sum.
Eigen::MatrixXd held_sums(const DualSet& set) {
  Eigen::MatrixXd E = Eigen::MatrixXd::Zero(length(set.lower), length(set.totals));
  for (Index i = 0; i < length(set.block); ++i) E(i, set.block[static_cast<std::size_t>(i)]) = 1.0;
  return E;
}

/// A feasible a well inside the box. On unbounded sides, its distance from 0 is limited by the
/// scale on which the quadratic gain peaks.
Vector inner_start(const DualSet& set, const QuadraticGain& gain) {
  Vector a(set.lower.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto k = static_cast<Index>(i);
    const double reach = gain.diagonal[k] > 0.0 ? std::abs(gain.linear[k]) / gain.diagonal[k] : 1.0;
    const double lower = std::max(set.lower[i], -2.0 * reach);
    const double upper = std::min(set.upper[i], 2.0 * reach);
    a[i] = std::isfinite(set.lower[i]) && std::isfinite(set.upper[i])
               ? 0.5 * (set.lower[i] + set.upper[i])
               : 0.5 * (lower + upper);
  }
  make_feasible(set, a);
  return a;
}

/// An estimate of the number of weighted kernels in a solution, which grows with the number of free
/// samples, plus a margin.
Index kernels_for(const std::vector<Index>& free) {
  return std::min(kernels_to_begin_with, 24 + 2 * length(free));
}

}  // namespace

std::optional<QuadraticGain> quadratic_gain(const Problem& problem) {
  if (on_distances(problem.loss)) return std::nullopt;
  const std::optional<QuadraticTerms> terms =
      quadratic_terms(problem.loss, problem.y(), problem.C());
  const auto has_kink = [](double kink) { return kink != 0.0; };
  if (!terms || std::ranges::any_of(terms->kink, has_kink)) return std::nullopt;
  return QuadraticGain{array_of(terms->linear), array_of(terms->diagonal)};
}

JointBarrier::JointBarrier(Objective& run, const Point& point, double upper_bound)
    : run_(run),
      gain_(quadratic_gain(run.problem()).value()),
      E_(held_sums(run.dual_set())),
      totals_(as_vector(ConstSpan(run.dual_set().totals))),
      upper_(upper_bound < 1.0 ? upper_bound : no_bound),
      kernels_(leading_kernels(point.q, upper_bound, kernels_for(point.free))),
      a_low_(array_of(run.dual_set().lower), 1.0),
      a_high_(array_of(run.dual_set().upper), -1.0),
      d_low_(JointArray::Zero(length(kernels_)), 1.0),
      d_high_(JointArray::Constant(length(kernels_), upper_), -1.0) {
  take_triangles(kernels_);
  start_at(point);
  start_multipliers();
}

void JointBarrier::take_triangles(const std::vector<Index>& kernels) {
  keeps_triangles_ = keeps_triangles_ && length(kernels_) <= most_triangles(run_.samples());
  if (!keeps_triangles_) return triangles_.clear();
  std::ranges::move(run_.triangle_cache().triangles(kernels, run_.context()),
                    std::back_inserter(triangles_));
}

/// Starts between the point and a dual vector well inside its box with equal weights. The point may
/// have weight on kernels outside the working set.
void JointBarrier::start_at(const Point& point) {
  constexpr double kInside = 0.3;
  constexpr double kEven = 0.3;
  a_ =
      (1.0 - kInside) * array_of(point.a) + kInside * array_of(inner_start(run_.dual_set(), gain_));
  read_products();
  d_.resize(length(kernels_));
  const double even = 1.0 / static_cast<double>(d_.size());
  for (Index k = 0; k < d_.size(); ++k) {
    const auto m = static_cast<std::size_t>(kernels_[static_cast<std::size_t>(k)]);
    d_[k] = (point.d[m] + even) * point.q[m];
  }
  const double sum = d_.sum();
  if (sum > 0.0) d_ = (d_ / sum).min(0.5 * (even + std::min(upper_, 1.0)));
  d_ = (1.0 - kEven) * d_ + kEven * even;
  d_ /= d_.sum();
}

/// Chooses multipliers whose products with the distances are equal, as far as the present slopes
/// allow.
void JointBarrier::start_multipliers() {
  constexpr double kShare = 0.1;
  constexpr double kRoom = 1.05;
  t_ = 0.5 * kRoom * q_.maxCoeff();
  nu_ = Eigen::VectorXd::Zero(E_.cols());
  a_low_.start(a_, slope_in_a(), 0.0);
  a_high_.start(a_, slope_in_a(), 0.0);
  // The multipliers of the fixed sums balance the slopes, mainly those of samples well inside the
  // box.
  const JointArray inside = a_low_.distance() * a_high_.distance();
  for (Index c = 0; c < E_.cols(); ++c) {
    const JointArray weight = E_.col(c).array() * inside;
    nu_[c] = -(weight * slope_in_a()).sum() / std::max(weight.sum(), 1e-300);
  }
  const JointArray slope = slope_in_a();
  const JointArray to_bound = (slope > 0.0).select(a_low_.distance(), a_high_.distance());
  const JointArray below = t_ - 0.5 * q_;
  const double mu =
      kShare * ((slope.abs() * to_bound).sum() + (below * d_).sum()) / count(barriers());
  a_low_.start(a_, slope, mu);
  a_high_.start(a_, slope, mu);
  d_low_.start(d_, below, mu);
  d_high_.start(d_, below, mu);
}

/// Computes U and q in one pass over the kernels of the working set.
void JointBarrier::read_products() {
  const Vector a = vector_of(a_);
  U_ = run_.problem().bank.products(kernels_, a, Reach::everywhere, run_.context()).rows;
  run_.count_pass();
  q_ = (as_matrix(U_) * a_.matrix()).array().max(0.0);
}

double JointBarrier::gain_value() const {
  const double bias = run_.problem().bias == Bias::penalised ? 0.5 * a_.sum() * a_.sum() : 0.0;
  return ((gain_.linear - 0.5 * gain_.diagonal * a_) * a_).sum() - bias;
}

/// The slope of the Lagrangian without the terms of the box.
JointArray JointBarrier::slope_in_a() const {
  JointArray slope = (as_matrix(U_).transpose() * d_.matrix() + E_ * nu_).array() - gain_.linear +
                     gain_.diagonal * a_;
  if (run_.problem().bias == Bias::penalised) slope += a_.sum();
  return slope;
}

/// The lower triangle of K(d).
void JointBarrier::combine(RowMatrix& K) {
  const Index n = a_.size();
  if (keeps_triangles_) {
    K.resize(n, n);
    return combine_triangles(triangles_, vector_of(d_), n, as_span(K), run_.context());
  }
  K_.resize(static_cast<std::size_t>(n * n));
  run_.problem().bank.combined(all_weights(d_))->matrix(all_samples(n), K_, run_.context());
  K = Eigen::Map<const RowMatrixF>(K_.data(), n, n).cast<double>();
}

bool JointBarrier::factorise() {
  const Index n = a_.size();
  RowMatrix H = std::move(memory_);
  combine(H);
  const double mean = mean_of_diagonal(H);
  if (run_.problem().bias == Bias::penalised) H.array() += 1.0;
  H.diagonal().array() += gain_.diagonal + a_low_.stiffness() + a_high_.stiffness();
  D_ = 1.0 / (d_low_.stiffness() + d_high_.stiffness());
  const Eigen::MatrixXd scaled = D_.sqrt().matrix().asDiagonal() * as_matrix(U_);
  H.selfadjointView<Eigen::Lower>().rankUpdate(scaled.transpose());
  if (!std::isfinite(mean)) return false;
  // The ridge is large because K(d) is in single precision.
  factor_ = cholesky_with_ridge(std::move(H), {1e-7 * mean, 1e-5 * mean, 100.0, 1e-2 * mean});
  if (!factor_) return false;
  B_.resize(n, 1 + E_.cols());
  B_.col(0) = -(as_matrix(U_).transpose() * D_.matrix());
  B_.rightCols(E_.cols()) = E_;
  solved_B_ = B_;
  factor_->solve_in_place(solved_B_);
  return true;
}

JointBarrier::Direction JointBarrier::direction(double mu) const {
  const JointArray right_a =
      -(slope_in_a() + a_low_.slope() + a_high_.slope()) + a_low_.pull(mu) + a_high_.pull(mu);
  const JointArray right_d =
      -(t_ - 0.5 * q_ + d_low_.slope() + d_high_.slope()) + d_low_.pull(mu) + d_high_.pull(mu);
  const auto U = as_matrix(U_);
  Direction step;
  Eigen::VectorXd x =
      factor_->solve((right_a - (U.transpose() * (D_ * right_d).matrix()).array()).matrix());
  Eigen::VectorXd right(B_.cols());
  right[0] = (D_ * right_d).sum() - (1.0 - d_.sum());
  right.tail(E_.cols()) = totals_ - E_.transpose() * a_.matrix();
  Eigen::MatrixXd system = -B_.transpose() * solved_B_;
  system(0, 0) += D_.sum();
  const Eigen::VectorXd y = solve_symmetric(system, right - B_.transpose() * x);
  x -= solved_B_ * y;
  step.a = x.array();
  step.t = y[0];
  step.nu = y.tail(E_.cols());
  step.d = D_ * (right_d - step.t + (U * x).array());
  return step;
}

void JointBarrier::choose(const Direction& step, double mu) {
  a_low_.choose(step.a, mu);
  a_high_.choose(step.a, mu);
  d_low_.choose(step.d, mu);
  d_high_.choose(step.d, mu);
}

double JointBarrier::move(const Direction& step, StepLengths lengths, double /*mu*/) {
  constexpr double kShortest = 1e-4;
  const double length = lengths.shorter();
  memory_ = std::move(*factor_).released();
  const bool finite = step.a.isFinite().all() && step.d.isFinite().all();
  if (!finite || !(length > kShortest)) return 0.0;
  a_ += length * step.a;
  d_ += length * step.d;
  t_ += length * step.t;
  nu_ += length * step.nu;
  a_low_.step(a_, length);
  a_high_.step(a_, length);
  d_low_.step(d_, length);
  d_high_.step(d_, length);
  read_products();
  return length;
}

bool JointBarrier::step() {
  constexpr int kCorrectors = 3;
  return interior_point_step(*this, kCorrectors) > 0.0;
}

Vector JointBarrier::all_weights(const Array& d) const {
  Vector all(static_cast<std::size_t>(run_.kernels()), 0.0);
  for (std::size_t k = 0; k < kernels_.size(); ++k) {
    all[static_cast<std::size_t>(kernels_[k])] = d[static_cast<Index>(k)];
  }
  return all;
}

void JointBarrier::shrink() {
  constexpr double kFar = 3.0;
  constexpr double kNegligible = 1e-5;  // the lost weight leaves a residual in a
  constexpr double kWorthwhile = 0.8;
  const double far = kFar * complementarity();
  std::vector<Index> kept;
  for (Index k = 0; k < d_.size(); ++k) {
    const double below = std::min(t_ - 0.5 * q_[k], d_low_.multiplier()[k]);
    if (below <= far || d_[k] > kNegligible) kept.push_back(k);
  }
  if (static_cast<double>(kept.size()) > kWorthwhile * static_cast<double>(d_.size())) return;
  std::vector<Index> kernels;
  std::vector<Triangle> triangles;
  for (const Index k : kept) {
    const auto at = static_cast<std::size_t>(k);
    kernels.push_back(kernels_[at]);
    if (keeps_triangles_) triangles.push_back(triangles_[at]);
  }
  kernels_ = std::move(kernels);
  triangles_ = std::move(triangles);
  d_ = JointArray(d_(kept));
  d_low_.keep(kept);
  d_high_.keep(kept);
  read_products();
}

void JointBarrier::extend(ConstSpan q) {
  constexpr double kShare = 0.1;
  std::vector<bool> present(q.size(), false);
  for (const Index m : kernels_) present[static_cast<std::size_t>(m)] = true;
  const double mu = complementarity() / count(barriers());
  const double weight = kShare / static_cast<double>(q.size());
  std::vector<Index> added;
  for (std::size_t m = 0; m < q.size(); ++m) {
    if (present[m] || 0.5 * q[m] <= t_) continue;
    added.push_back(static_cast<Index>(m));
    kernels_.push_back(static_cast<Index>(m));
    d_.conservativeResize(length(kernels_));
    d_[length(kernels_) - 1] = weight;
    d_low_.append(0.0, weight, mu / weight);
    d_high_.append(upper_, upper_ - weight, mu / (upper_ - weight));
  }
  if (added.empty()) return;
  take_triangles(added);
  read_products();
}

/// At the optimum, either the distance of a weight from its bound or its multiplier vanishes. The
/// remaining weights are rescaled to sum to 1.
JointArray JointBarrier::rounded_weights() const {
  const double unit = std::max(t_, std::numeric_limits<double>::min());
  constexpr double kRounding = 1e-12;
  JointArray d = d_;
  // Far from the optimum, the weights that tend to a bound may leave the others no feasible values.
  const JointArray lowered = (d * unit < d_low_.multiplier()).select(0.0, d);
  if (upper_ * static_cast<double>((lowered > 0.0).count()) >= 1.0 - kRounding) d = lowered;
  const JointArray raised = (d_high_.distance() * unit < d_high_.multiplier()).select(upper_, d);
  if ((raised < upper_).select(0.0, raised).sum() <= 1.0 + kRounding) d = raised;
  for (Index k = 0; k <= d.size(); ++k) {
    const JointArray below = (d < upper_).select(d, 0.0);
    const double rest = std::max(1.0 - (d - below).sum(), 0.0);
    if (!(below.sum() > 0.0)) break;
    const JointArray scaled = (rest / below.sum() * below).min(upper_);
    d = (d < upper_).select(scaled, d);
    if ((scaled < upper_).all() || !std::isfinite(upper_)) break;
  }
  return d;
}

JointPoint JointBarrier::price() {
  JointPoint point;
  const JointArray d = rounded_weights();
  point.d = all_weights(d);
  point.a = vector_of(a_);
  make_feasible(run_.dual_set(), point.a);
  const bool all = length(kernels_) == run_.kernels();
  const Vector q = all ? vector_of(q_) : run_.forms(point.a);
  const Eigen::VectorXd z = as_matrix(U_).transpose() * d.matrix();
  point.certificate = certify_values(run_.problem(), point.d, {point.a},
                                     {ConstSpan(z.data(), point.a.size())}, {q});
  if (!all) extend(q);
  return point;
}

Vector JointBarrier::rounded_dual() const {
  const DualSet& set = run_.dual_set();
  Vector a = vector_of(a_);
  // The multipliers of the box are in units of the slope, the distances in units of the box.
  const double slope = std::max(gain_.linear.abs().maxCoeff(), 1e-300);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto k = static_cast<Index>(i);
    const double width = set.upper[i] - set.lower[i];
    if (!std::isfinite(width)) continue;
    if (a_low_.distance()[k] * slope < a_low_.multiplier()[k] * width) a[i] = set.lower[i];
    if (a_high_.distance()[k] * slope < a_high_.multiplier()[k] * width) a[i] = set.upper[i];
  }
  return a;
}

}  // namespace kernmix
