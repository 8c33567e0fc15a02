#include "solver/outer/joint_barrier.hpp"

#include <limits>
#include <numeric>

namespace kernmix {
namespace {

using JointArray = Eigen::ArrayXd;

constexpr double no_bound = std::numeric_limits<double>::infinity();

JointArray array_of(const Vector& v) { return as_vector(ConstSpan(v)).array(); }
Vector vector_of(const JointArray& v) { return {v.begin(), v.end()}; }

/// One column of ones for each held sum.
Eigen::MatrixXd held_sums(const DualSet& set) {
  Eigen::MatrixXd E = Eigen::MatrixXd::Zero(length(set.lower), length(set.totals));
  for (Index i = 0; i < length(set.block); ++i) E(i, set.block[static_cast<std::size_t>(i)]) = 1.0;
  return E;
}

/// A feasible a well inside the box, as far from 0 as the gain reaches along it.
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

}  // namespace

std::optional<QuadraticGain> quadratic_gain(const Problem& problem) {
  if (on_distances(problem.loss)) return std::nullopt;
  return std::visit(
      [&]<typename L>(const L& loss) -> std::optional<QuadraticGain> {
        if constexpr (HasQuadraticDual<L>) {
          const Index n = problem.samples();
          QuadraticGain gain{JointArray(n), JointArray(n)};
          for (Index i = 0; i < n; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const QuadraticTerm term = loss.quadratic_term(problem.y[at], problem.C[at]);
            if (term.kink != 0.0) return std::nullopt;
            gain.linear[i] = term.linear;
            gain.diagonal[i] = term.diagonal;
          }
          return gain;
        } else {
          return std::nullopt;
        }
      },
      problem.loss);
}

JointBarrier::JointBarrier(Run& run, QuadraticGain gain, double upper_bound)
    : run_(run),
      gain_(std::move(gain)),
      E_(held_sums(run.dual_set())),
      totals_(as_vector(ConstSpan(run.dual_set().totals))),
      all_(static_cast<std::size_t>(run.kernels())),
      a_low_(array_of(run.dual_set().lower), 1.0),
      a_high_(array_of(run.dual_set().upper), -1.0),
      d_low_(JointArray::Zero(run.kernels()), 1.0),
      d_high_(JointArray::Constant(run.kernels(), upper_bound < 1.0 ? upper_bound : no_bound),
              -1.0),
      U_(run.kernels(), run.samples()),
      K_(static_cast<std::size_t>(run.samples() * run.samples())) {
  std::iota(all_.begin(), all_.end(), Index{0});
  for (const Barrier* barrier : barriers()) count_ += barrier->count();
  start(upper_bound);
}

void JointBarrier::start(double /*upper_bound*/) {
  constexpr double kShare = 0.1;
  constexpr double kRoom = 1.05;
  a_ = array_of(inner_start(run_.dual_set(), gain_));
  read_forms();
  if (totals_.isZero()) {
    const double linear = (gain_.linear * a_).sum();
    const double square = q_.maxCoeff() + (gain_.diagonal * a_.square()).sum();
    if (linear > 0.0 && square > linear) {
      const double length = linear / square;
      a_ *= length;
      q_ *= length * length;
      as_matrix(U_) *= length;
    }
  }
  const Index M = run_.kernels();
  d_ = JointArray::Constant(M, 1.0 / static_cast<double>(M));
  t_ = 0.5 * kRoom * q_.maxCoeff();
  nu_ = Eigen::VectorXd::Zero(E_.cols());
  // The multipliers of held sums that balance the slopes on average.
  for (Index c = 0; c < E_.cols(); ++c) {
    nu_[c] = -(E_.col(c).array() * slope_in_a()).sum() / std::max(E_.col(c).sum(), 1.0);
  }
  const JointArray slope = slope_in_a();
  const DualSet& set = run_.dual_set();
  double open = ((t_ - 0.5 * q_) * d_).sum();
  for (Index i = 0; i < a_.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double bound = slope[i] > 0.0 ? set.lower[at] : set.upper[at];
    open += std::abs(slope[i]) * (std::isfinite(bound) ? std::abs(a_[i] - bound) : std::abs(a_[i]));
  }
  const double mu = kShare * open / count_;
  a_low_.start(a_, slope, mu);
  a_high_.start(a_, slope, mu);
  d_low_.start(d_, t_ - 0.5 * q_, mu);
  d_high_.start(d_, t_ - 0.5 * q_, mu);
}

/// One pass: U and q.
void JointBarrier::read_forms() {
  run_.problem().bank.apply_each(all_, vector_of(a_), U_.values, run_.context());
  run_.count_pass();
  q_ = (as_matrix(U_) * a_.matrix()).array().max(0.0);
}

double JointBarrier::gain_value() const {
  return ((gain_.linear - 0.5 * gain_.diagonal * a_) * a_).sum();
}

/// Of the Lagrangian, without the box.
JointArray JointBarrier::slope_in_a() const {
  JointArray slope = (as_matrix(U_).transpose() * d_.matrix() + E_ * nu_).array() - gain_.linear +
                     gain_.diagonal * a_;
  if (run_.problem().bias == Bias::penalised) slope += a_.sum();
  return slope;
}

void JointBarrier::factorise() {
  const Index n = a_.size();
  run_.problem().bank.combine(vector_of(d_), K_, run_.context());
  Eigen::MatrixXd H = Eigen::Map<const RowMatrixF>(K_.data(), n, n).cast<double>();
  const double mean = std::max(H.trace() / static_cast<double>(n), 1e-300);
  if (run_.problem().bias == Bias::penalised) H.array() += 1.0;
  H.diagonal().array() += gain_.diagonal + a_low_.stiffness() + a_high_.stiffness();
  D_ = 1.0 / (d_low_.stiffness() + d_high_.stiffness());
  const Eigen::MatrixXd scaled = D_.sqrt().matrix().asDiagonal() * as_matrix(U_);
  H.selfadjointView<Eigen::Lower>().rankUpdate(scaled.transpose());
  // K(d) is in single precision.
  for (double ridge = 1e-7 * mean;; ridge *= 100.0) {
    H.diagonal().array() += ridge;
    factor_.compute(H);
    if (factor_.info() == Eigen::Success) break;
  }
  B_.resize(n, 1 + E_.cols());
  B_.col(0) = -(as_matrix(U_).transpose() * D_.matrix());
  B_.rightCols(E_.cols()) = E_;
  solved_B_ = factor_.solve(B_);
}

JointBarrier::Direction JointBarrier::direction(double mu) const {
  const JointArray right_a =
      -(slope_in_a() + a_low_.slope() + a_high_.slope()) + a_low_.pull(mu) + a_high_.pull(mu);
  const JointArray right_d =
      -(t_ - 0.5 * q_ + d_low_.slope() + d_high_.slope()) + d_low_.pull(mu) + d_high_.pull(mu);
  const auto U = as_matrix(U_);
  Direction step;
  Eigen::VectorXd x =
      factor_.solve((right_a - (U.transpose() * (D_ * right_d).matrix()).array()).matrix());
  Eigen::VectorXd right(B_.cols());
  right[0] = (D_ * right_d).sum() - (1.0 - d_.sum());
  right.tail(E_.cols()) = totals_ - E_.transpose() * a_.matrix();
  Eigen::MatrixXd system = -B_.transpose() * solved_B_;
  system(0, 0) += D_.sum();
  const Eigen::VectorXd y = system.fullPivLu().solve(right - B_.transpose() * x);
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

double JointBarrier::longest() const {
  double length = no_bound;
  for (const Barrier* barrier : barriers()) length = std::min(length, barrier->longest());
  return length;
}

double JointBarrier::products(double length) const {
  double sum = 0.0;
  for (const Barrier* barrier : barriers()) sum += barrier->products(length);
  return sum;
}

double JointBarrier::complementarity() const { return products(0.0); }

bool JointBarrier::step() {
  constexpr double kMargin = 0.99;
  constexpr double kShortest = 1e-4;
  factorise();
  const double mu = products(0.0) / count_;
  choose(direction(0.0), 0.0);
  const double affine = std::min(1.0, longest());
  const double left = std::max(products(affine), 0.0) / count_ / mu;
  const double centred = std::clamp(left * left * left, 1e-4, 0.5) * mu;
  for (Barrier* barrier : {&a_low_, &a_high_, &d_low_, &d_high_}) {
    barrier->correct(affine * affine);
  }
  const Direction step = direction(centred);
  choose(step, centred);
  const double length = std::min(1.0, kMargin * longest());
  if (!(length > kShortest)) return false;
  a_ += length * step.a;
  d_ += length * step.d;
  t_ += length * step.t;
  nu_ += length * step.nu;
  a_low_.step(a_, length);
  a_high_.step(a_, length);
  d_low_.step(d_, length);
  d_high_.step(d_, length);
  read_forms();
  return true;
}

JointPoint JointBarrier::point() const {
  JointPoint point;
  // At the optimum either the weight or the distance of its form from the largest one vanishes.
  JointArray d = (d_ * std::max(t_, 1e-300) < d_low_.multiplier()).select(0.0, d_);
  d /= d.sum();
  d = d.min(d_ + d_high_.distance());
  point.d = vector_of(d);
  point.a = vector_of(a_);
  make_feasible(run_.dual_set(), point.a);
  const Eigen::VectorXd z = as_matrix(U_).transpose() * d.matrix();
  point.certificate =
      certify_values(run_.problem(), point.d, point.a, {z.data(), point.a.size()}, vector_of(q_));
  return point;
}

Vector JointBarrier::rounded_dual() const {
  const DualSet& set = run_.dual_set();
  Vector a = vector_of(a_);
  // Multipliers of the box are in units of the slope, distances in units of the box.
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
