#include "classical/augmented_lagrangian.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "base/cholesky.hpp"
#include "base/samples.hpp"
#include "loss/any.hpp"

namespace kernmix {
namespace {

double inner_product_of(ConstSpan x, ConstSpan y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

double sum_of(ConstSpan x) { return std::accumulate(x.begin(), x.end(), 0.0); }

/// H^{-1} right, or nothing if H is not finite.
Vector solve_positive(RowMatrix H, const Eigen::VectorXd& right) {
  // The kernels are in single precision; a ridge at this level keeps H positive definite.
  const double mean = H.trace() / static_cast<double>(H.rows());
  const auto factor = cholesky_with_ridge(std::move(H), {0.0, 1e-9 * mean, 10.0});
  if (!factor) return {};
  const Eigen::VectorXd x = factor->solve(right);
  return {x.begin(), x.end()};
}

}  // namespace

AugmentedLagrangian::AugmentedLagrangian(const NormProx& norm, double gamma, Objective& run)
    : norm_(norm),
      run_(run),
      problem_(run.problem()),
      loss_(problem_, run.dual_set()),
      gamma_(gamma),
      gamma_b_(problem_.bias == Bias::free ? gamma : 0.0),
      a_(loss_.start()),
      q_(to_size(problem_.kernels()), 0.0),
      c_(q_.size()),
      Kc_(q_.size()),
      cKc_(q_.size(), 0.0) {
  if (problem_.bias == Bias::penalised) gamma_b_ = 1.0;
  read_kernels(wanted_kernels());
}

Vector AugmentedLagrangian::crosses(ConstSpan a) const {
  Vector cross(c_.size(), 0.0);
  for (const Index m : kernels_) {
    const Vector& image = Kc_[to_size(m)];
    if (!image.empty()) cross[to_size(m)] = inner_product_of(a, image);
  }
  return cross;
}

/// With s_m = 0 for all others than `kernels`.
/// \param q a'K_m a, cross a'K_m c_m, of these at their places of all
AugmentedLagrangian::Level AugmentedLagrangian::level(std::span<const Index> kernels, ConstSpan a,
                                                      ConstSpan q, ConstSpan cross) const {
  Level at{0.0, Vector(q.size(), 0.0), Vector(q.size())};
  Vector x(q.size(), 0.0);
  for (const Index k : kernels) {
    const std::size_t m = to_size(k);
    const double square = q[m] + (2.0 * cross[m] + cKc_[m] / gamma_) / gamma_;
    at.w[m] = std::sqrt(std::max(square, 0.0));
    x[m] = gamma_ * at.w[m];
  }
  norm_.prox(gamma_, x, at.s);
  const double norm = omega(problem_.regularizer, at.s);
  const double sum = sum_of(a);
  at.value = loss_.value(a) + inner_product_of(at.w, at.s) -
             inner_product_of(at.s, at.s) / (2.0 * gamma_) - norm + b_ * sum +
             0.5 * gamma_b_ * sum * sum;
  return at;
}

/// K_m a of the kernels that the steps read. As many kernels as there are make a pass.
Matrix AugmentedLagrangian::read(const Vector& a) {
  if (kernels_.empty()) return {0, problem_.samples()};
  kernels_read_ += length(kernels_);
  for (; kernels_read_ >= problem_.kernels(); kernels_read_ -= problem_.kernels()) {
    run_.count_pass();
  }
  return problem_.bank.products(kernels_, a, Reach::everywhere, run_.context()).rows;
}

/// The kernels with s_m > 0 if all are looked at, and those that the steps read. One pass, unless a
/// has not moved since the last one.
std::vector<Index> AugmentedLagrangian::wanted_kernels() {
  if (forms_.empty()) forms_ = run_.forms(a_);
  const std::vector<Index> all = all_samples(problem_.kernels());
  const Level seen = level(all, a_, forms_, crosses(a_));
  std::vector<Index> active;
  for (const Index m : all) {
    if (seen.s[to_size(m)] > 0.0) active.push_back(m);
  }
  std::vector<Index> wanted;
  std::ranges::set_union(active, kernels_, std::back_inserter(wanted));
  return wanted;
}

void AugmentedLagrangian::read_kernels(std::vector<Index> kernels) {
  kernels_ = std::move(kernels);
  products_ = read(a_);
  std::ranges::fill(q_, 0.0);
  for (Index k = 0; k < length(kernels_); ++k) {
    q_[to_size(kernels_[to_size(k)])] = std::max(inner_product_of(products_.row(k), a_), 0.0);
  }
  now_ = level(kernels_, a_, q_, crosses(a_));
}

bool AugmentedLagrangian::find_active_kernels() {
  std::vector<Index> wanted = wanted_kernels();
  if (wanted.size() == kernels_.size()) return false;
  read_kernels(std::move(wanted));
  return true;
}

AugmentedLagrangian::Active AugmentedLagrangian::active_kernels() const {
  Active active;
  for (Index k = 0; k < length(kernels_); ++k) {
    const Index m = kernels_[to_size(k)];
    if (now_.s[to_size(m)] <= 0.0) continue;
    active.kernels.push_back(m);
    active.rows.push_back(k);
  }
  return active;
}

/// K_m p_m, |active| x n.
RowMatrix AugmentedLagrangian::images(const Active& active) const {
  RowMatrix U(length(active.kernels), problem_.samples());
  for (Index k = 0; k < U.rows(); ++k) {
    U.row(k) = as_vector(products_.row(active.rows[to_size(k)])).transpose();
    const Vector& image = Kc_[to_size(active.kernels[to_size(k)])];
    if (!image.empty()) U.row(k) += as_vector(ConstSpan(image)).transpose() / gamma_;
  }
  return U;
}

/// -H^{-1} gradient with
///
///   gradient = e' + sum_m k_m K_m p_m + (b + gamma_b 1'a) 1,                  k = s / w
///   H = diag(e'') + sum_m k_m K_m + G (gamma ds/dx - diag(k)) G' + gamma_b 1 1'
///
/// where G has the columns K_m p_m / w_m.
Vector AugmentedLagrangian::direction(const Active& active, double& decrement) const {
  const Index n = problem_.samples();
  const ProxSlope prox = norm_.slope(gamma_, now_.s);
  const Vector slope = loss_.slope(a_);
  const Vector curvature = loss_.curvature(a_);
  Eigen::VectorXd gradient = as_vector(ConstSpan(slope));
  gradient.array() += b_ + gamma_b_ * sum_of(a_);
  RowMatrix H = RowMatrix::Constant(n, n, gamma_b_);

  RowMatrix G = images(active);
  Eigen::VectorXd scale(G.rows());
  Eigen::VectorXd coupling = Eigen::VectorXd::Zero(G.rows());
  Vector weights(now_.s.size(), 0.0);
  for (Index k = 0; k < G.rows(); ++k) {
    const std::size_t m = to_size(active.kernels[to_size(k)]);
    weights[m] = now_.s[m] / now_.w[m];
    gradient += weights[m] * G.row(k).transpose();
    G.row(k) /= now_.w[m];
    scale[k] = gamma_ * prox.diagonal[m] - weights[m];
    if (prox.factor != 0.0) coupling[k] = prox.direction[m];
  }
  if (G.rows() > 0) {
    std::vector<float> K(to_size(n * n));
    problem_.bank.combined(weights)->matrix(all_samples(n), std::span(K), run_.context());
    H += Eigen::Map<const RowMatrixF>(K.data(), n, n).cast<double>();
    H.noalias() += G.transpose() * (scale.asDiagonal() * G);
    if (prox.factor != 0.0) {
      const Eigen::VectorXd along = G.transpose() * coupling;
      H.noalias() += (gamma_ * prox.factor) * (along * along.transpose());
    }
  }
  H.diagonal() += as_vector(ConstSpan(curvature));
  H.diagonal().array() += loss_.ridge(damping_ * gradient.cwiseAbs().maxCoeff());
  Vector step = solve_positive(std::move(H), -gradient);
  decrement = step.empty() ? 0.0 : -gradient.dot(as_vector(ConstSpan(step)));
  return step;
}

/// phi along a + t step: every form is a quadratic in t, and one product with the kernels that are
/// read serves all t.
struct AugmentedLagrangian::Line {
  const Vector& step;
  Matrix moved;   ///< K_m step
  Vector mixed;   ///< a' K_m step
  Vector square;  ///< step' K_m step
  Vector cross, cross_step;
};

AugmentedLagrangian::Line AugmentedLagrangian::line_along(const Vector& step) {
  Line line{step,        read(step),   Vector(q_.size(), 0.0), Vector(q_.size(), 0.0),
            crosses(a_), crosses(step)};
  for (Index k = 0; k < length(kernels_); ++k) {
    const std::size_t m = to_size(kernels_[to_size(k)]);
    line.mixed[m] = inner_product_of(products_.row(k), step);
    line.square[m] = inner_product_of(line.moved.row(k), step);
  }
  return line;
}

AugmentedLagrangian::Place AugmentedLagrangian::place_on(const Line& line, double t) const {
  Place there{t, a_, q_, {}, 0.0};
  for (std::size_t i = 0; i < a_.size(); ++i) there.a[i] += t * line.step[i];
  Vector cross = line.cross;
  for (const Index k : kernels_) {
    const std::size_t m = to_size(k);
    there.q[m] = std::max(q_[m] + t * (2.0 * line.mixed[m] + t * line.square[m]), 0.0);
    cross[m] += t * line.cross_step[m];
  }
  there.level = level(kernels_, there.a, there.q, cross);
  there.slope = inner_product_of(loss_.slope(there.a), line.step) +
                (b_ + gamma_b_ * sum_of(there.a)) * sum_of(line.step);
  for (const Index k : kernels_) {
    const std::size_t m = to_size(k);
    if (there.level.s[m] <= 0.0) continue;
    const double along = line.mixed[m] + t * line.square[m] + line.cross_step[m] / gamma_;
    there.slope += there.level.s[m] / there.level.w[m] * along;
  }
  return there;
}

/// Newton's step, or the part of it where phi is lowest: phi has kinks in its slope, and a step
/// that is halved until phi falls crosses one after the other. The slope along the line is
/// monotone: regula falsi, with the weight of an end that stays halved (Illinois).
bool AugmentedLagrangian::search_along(const Vector& step, double decrement) {
  constexpr int kTrials = 40;
  constexpr double kFlat = 0.1;  // of the slope at t = 0
  constexpr double kShortStep = 0.3;
  const Line line = line_along(step);
  double low = 0.0;
  double low_slope = -decrement;
  double high = loss_.longest_step(a_, step);
  double high_slope = 0.0;
  double t = high;
  Place there;
  for (int trial = 0; trial < kTrials; ++trial) {
    there = place_on(line, t);
    if (std::abs(there.slope) <= kFlat * decrement) break;
    if (there.slope < 0.0) {
      if (t == high) break;
      low = t;
      low_slope = there.slope;
      high_slope *= 0.5;
    } else {
      high = t;
      high_slope = there.slope;
      if (trial > 0) low_slope *= 0.5;
    }
    t = (low * high_slope - high * low_slope) / (high_slope - low_slope);
  }
  if (there.t < kShortStep) damping_ = std::min(4.0 * damping_, 1e3);
  if (there.t == 1.0) damping_ = std::max(0.25 * damping_, 1e-6);
  const double rounding = std::numeric_limits<double>::epsilon() * std::abs(now_.value);
  if (!(there.level.value <= now_.value + rounding)) return false;
  a_ = std::move(there.a);
  q_ = std::move(there.q);
  as_vector(MutableSpan(products_.values)) += there.t * as_vector(ConstSpan(line.moved.values));
  forms_.clear();
  now_ = std::move(there.level);
  return true;
}

double AugmentedLagrangian::newton_step() {
  double decrement = 0.0;
  const Vector step = direction(active_kernels(), decrement);
  if (!(decrement > 0.0)) return 0.0;
  return search_along(step, decrement) ? 0.5 * decrement : 0.0;
}

double AugmentedLagrangian::move() const {
  const Vector cross = crosses(a_);
  double sum = 0.0;
  for (const Index k : kernels_) {
    const std::size_t m = to_size(k);
    // c_m becomes k p_m, whose norm is s_m.
    const double ratio = now_.w[m] > 0.0 ? now_.s[m] / now_.w[m] : 0.0;
    const double product = cross[m] + cKc_[m] / gamma_;  // p_m' K_m c_m
    sum += std::max(now_.s[m] * now_.s[m] - 2.0 * ratio * product + cKc_[m], 0.0);
  }
  const double held = problem_.bias == Bias::free ? sum_of(a_) : 0.0;
  return 0.5 * sum / gamma_ + 0.5 * gamma_b_ * held * held + loss_.move(a_);
}

void AugmentedLagrangian::update_multipliers(double factor) {
  const Active active = active_kernels();
  const RowMatrix U = images(active);
  std::vector<Vector> c(c_.size());
  std::vector<Vector> Kc(c_.size());
  std::ranges::fill(cKc_, 0.0);
  for (Index k = 0; k < U.rows(); ++k) {
    const std::size_t m = to_size(active.kernels[to_size(k)]);
    const double weight = now_.s[m] / now_.w[m];
    c[m].resize(a_.size());
    Kc[m].resize(a_.size());
    for (std::size_t i = 0; i < a_.size(); ++i) {
      const double before = c_[m].empty() ? 0.0 : c_[m][i];
      c[m][i] = weight * (a_[i] + before / gamma_);
      Kc[m][i] = weight * U(k, static_cast<Index>(i));
    }
    cKc_[m] = inner_product_of(c[m], Kc[m]);
  }
  c_ = std::move(c);
  Kc_ = std::move(Kc);
  loss_.update_multipliers(a_);
  if (problem_.bias == Bias::free) b_ += gamma_b_ * sum_of(a_);
  kernels_ = active.kernels;
  scale_penalties(factor);
}

void AugmentedLagrangian::scale_penalties(double factor) {
  loss_.scale_penalty(factor);
  gamma_ *= factor;
  if (problem_.bias == Bias::free) gamma_b_ *= factor;
  read_kernels(wanted_kernels());
}

Vector AugmentedLagrangian::weights() const {
  Vector d(now_.s.size());
  norm_.best_weights(now_.s, d);
  return d;
}

}  // namespace kernmix
