#include "classical/augmented_lagrangian.hpp"

#include <algorithm>
#include <cmath>
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

/// d gain / d a_i
Vector gain_slope(const Problem& problem, ConstSpan a) {
  Vector slope(a.size(), 0.0);
  visit(
      [&]<typename L>(const L& loss) {
        if constexpr (HasSmoothDual<L>) {
          for (std::size_t i = 0; i < a.size(); ++i) {
            slope[i] = loss.dual_slope(problem.y()[i], a[i], problem.C()[i]);
          }
        }
      },
      problem.loss);
  return slope;
}

/// sum_i -(C_i loss)*(-a_i), without a bias.
double plain_gain(const Problem& problem, ConstSpan a) {
  return dual_gain(problem.loss, Bias::none, problem.y(), a, problem.C());
}

/// The largest t <= 1 that keeps a + t step strictly inside a bounded box.
double step_inside(const DualSet& set, ConstSpan a, ConstSpan step) {
  constexpr double to_the_boundary = 0.99;
  double t = 1.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (step[i] == 0.0) continue;
    const double room = step[i] > 0.0 ? set.upper[i] - a[i] : set.lower[i] - a[i];
    t = std::min(t, to_the_boundary * room / step[i]);
  }
  return t;
}

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
      gamma_(gamma),
      gamma_b_(problem_.bias == Bias::free ? gamma : 0.0),
      a_(problem_.y().size(), 0.0),
      c_(static_cast<std::size_t>(problem_.kernels())),
      Kc_(c_.size()),
      cKc_(c_.size(), 0.0) {
  if (problem_.bias == Bias::penalised) gamma_b_ = 1.0;
  const DualSet& set = run.dual_set();
  for (std::size_t i = 0; i < a_.size(); ++i) {
    const double width = set.upper[i] - set.lower[i];
    if (std::isfinite(width)) a_[i] = set.lower[i] + 0.5 * width;
  }
  refresh();
}

Vector AugmentedLagrangian::crosses(ConstSpan a) const {
  Vector cross(c_.size(), 0.0);
  for (std::size_t m = 0; m < c_.size(); ++m) {
    if (!Kc_[m].empty()) cross[m] = inner_product_of(a, Kc_[m]);
  }
  return cross;
}

AugmentedLagrangian::Level AugmentedLagrangian::level(ConstSpan a, ConstSpan q,
                                                      ConstSpan cross) const {
  Level at{0.0, Vector(q.size()), Vector(q.size())};
  Vector x(q.size());
  for (std::size_t m = 0; m < q.size(); ++m) {
    const double square = q[m] + (2.0 * cross[m] + cKc_[m] / gamma_) / gamma_;
    at.w[m] = std::sqrt(std::max(square, 0.0));
    x[m] = gamma_ * at.w[m];
  }
  norm_.prox(gamma_, x, at.s);
  const double norm = omega(problem_.regularizer, at.s);
  const double sum = sum_of(a);
  at.value = -plain_gain(problem_, a) + inner_product_of(at.w, at.s) -
             inner_product_of(at.s, at.s) / (2.0 * gamma_) - norm + b_ * sum +
             0.5 * gamma_b_ * sum * sum;
  return at;
}

void AugmentedLagrangian::refresh() {
  q_ = run_.forms(a_);
  now_ = level(a_, q_, crosses(a_));
}

std::vector<Index> AugmentedLagrangian::active_kernels() const {
  std::vector<Index> active;
  for (std::size_t m = 0; m < now_.s.size(); ++m) {
    if (now_.s[m] > 0.0) active.push_back(static_cast<Index>(m));
  }
  return active;
}

Matrix AugmentedLagrangian::images(const std::vector<Index>& active) const {
  if (active.empty()) return {0, problem_.samples()};
  Matrix U = problem_.bank.products(active, a_, Reach::everywhere, run_.context()).rows;
  run_.count_pass();
  for (Index k = 0; k < U.rows; ++k) {
    const Vector& image = Kc_[static_cast<std::size_t>(active[static_cast<std::size_t>(k)])];
    for (std::size_t i = 0; i < image.size(); ++i) U.row(k)[i] += image[i] / gamma_;
  }
  return U;
}

/// -H^{-1} gradient with
///
///   gradient = -gain' + sum_m k_m K_m p_m + (b + gamma_b 1'a) 1,                  k = s / w
///   H = diag(-gain'') + sum_m k_m K_m + G (gamma ds/dx - diag(k)) G' + gamma_b 1 1'
///
/// where G has the columns K_m p_m / w_m.
Vector AugmentedLagrangian::direction(const std::vector<Index>& active, const Matrix& images,
                                      double& decrement) const {
  const Index n = problem_.samples();
  const ProxSlope prox = norm_.slope(gamma_, now_.s);
  const Vector slope = gain_slope(problem_, a_);
  const Vector curvature = dual_curvature(problem_.loss, problem_.y(), a_, problem_.C());
  Eigen::VectorXd gradient = -as_vector(ConstSpan(slope));
  gradient.array() += b_ + gamma_b_ * sum_of(a_);
  RowMatrix H = RowMatrix::Constant(n, n, gamma_b_);

  RowMatrix G = as_matrix(images);
  Eigen::VectorXd scale(length(active));
  Eigen::VectorXd coupling = Eigen::VectorXd::Zero(length(active));
  Vector weights(now_.s.size(), 0.0);
  for (Index k = 0; k < length(active); ++k) {
    const auto m = static_cast<std::size_t>(active[static_cast<std::size_t>(k)]);
    weights[m] = now_.s[m] / now_.w[m];
    gradient += weights[m] * G.row(k).transpose();
    G.row(k) /= now_.w[m];
    scale[k] = gamma_ * prox.diagonal[m] - weights[m];
    if (prox.factor != 0.0) coupling[k] = prox.direction[m];
  }
  if (!active.empty()) {
    std::vector<float> K(static_cast<std::size_t>(n * n));
    problem_.bank.combined(weights)->matrix(all_samples(n), std::span(K), run_.context());
    H += Eigen::Map<const RowMatrixF>(K.data(), n, n).cast<double>();
    H.noalias() += G.transpose() * (scale.asDiagonal() * G);
    if (prox.factor != 0.0) {
      const Eigen::VectorXd along = G.transpose() * coupling;
      H.noalias() += (gamma_ * prox.factor) * (along * along.transpose());
    }
  }
  H.diagonal() += as_vector(ConstSpan(curvature));
  Vector step = solve_positive(std::move(H), -gradient);
  decrement = step.empty() ? 0.0 : -gradient.dot(as_vector(ConstSpan(step)));
  return step;
}

/// a <- a + t step. Along the step every form is a quadratic in t; 2 a'K_m step comes from the
/// images of active kernels and from three forms for the others.
bool AugmentedLagrangian::backtrack(const Vector& step, const std::vector<Index>& active,
                                    const Matrix& images, double decrement) {
  constexpr int kHalvings = 30;
  Vector there(a_.size());
  const auto move_to = [&](double t) {
    for (std::size_t i = 0; i < a_.size(); ++i) there[i] = a_[i] + t * step[i];
  };
  double t = step_inside(run_.dual_set(), a_, step);
  move_to(t);
  const Vector square = run_.forms(step);
  const Vector far = run_.forms(there);
  const Vector cross = crosses(a_);
  const Vector cross_step = crosses(step);
  Vector mixed(q_.size());  // a' K_m step
  for (std::size_t m = 0; m < q_.size(); ++m) {
    mixed[m] = (far[m] - q_[m] - t * t * square[m]) / (2.0 * t);
  }
  for (std::size_t k = 0; k < active.size(); ++k) {
    const auto m = static_cast<std::size_t>(active[k]);
    mixed[m] = inner_product_of(images.row(static_cast<Index>(k)), step) - cross_step[m] / gamma_;
  }
  Vector q(q_.size());
  Vector c(q_.size());
  for (int halving = 0; halving < kHalvings; ++halving, t *= 0.5) {
    move_to(t);
    for (std::size_t m = 0; m < q.size(); ++m) {
      q[m] = std::max(q_[m] + t * (2.0 * mixed[m] + t * square[m]), 0.0);
      c[m] = cross[m] + t * cross_step[m];
    }
    Level trial = level(there, q, c);
    if (!(trial.value <= now_.value - 1e-4 * t * decrement)) continue;
    a_ = there;
    q_ = halving == 0 ? far : q;
    now_ = std::move(trial);
    return true;
  }
  return false;
}

double AugmentedLagrangian::newton_step() {
  const std::vector<Index> active = active_kernels();
  const Matrix U = images(active);
  double decrement = 0.0;
  const Vector step = direction(active, U, decrement);
  if (!(decrement > 0.0)) return 0.0;
  return backtrack(step, active, U, decrement) ? 0.5 * decrement : 0.0;
}

double AugmentedLagrangian::move() const {
  const Vector cross = crosses(a_);
  double sum = 0.0;
  for (std::size_t m = 0; m < c_.size(); ++m) {
    // c_m becomes k p_m, whose norm is s_m.
    const double k = now_.w[m] > 0.0 ? now_.s[m] / now_.w[m] : 0.0;
    const double product = cross[m] + cKc_[m] / gamma_;  // p_m' K_m c_m
    sum += std::max(now_.s[m] * now_.s[m] - 2.0 * k * product + cKc_[m], 0.0);
  }
  const double held = problem_.bias == Bias::free ? sum_of(a_) : 0.0;
  return 0.5 * sum / gamma_ + 0.5 * gamma_b_ * held * held;
}

void AugmentedLagrangian::update_multipliers(double factor) {
  const std::vector<Index> active = active_kernels();
  const Matrix U = images(active);
  std::vector<Vector> c(c_.size());
  std::vector<Vector> Kc(c_.size());
  for (std::size_t k = 0; k < active.size(); ++k) {
    const auto m = static_cast<std::size_t>(active[k]);
    const double weight = now_.s[m] / now_.w[m];
    c[m].resize(a_.size());
    Kc[m].resize(a_.size());
    const ConstSpan image = U.row(static_cast<Index>(k));
    for (std::size_t i = 0; i < a_.size(); ++i) {
      const double before = c_[m].empty() ? 0.0 : c_[m][i];
      c[m][i] = weight * (a_[i] + before / gamma_);
      Kc[m][i] = weight * image[i];
    }
  }
  c_ = std::move(c);
  Kc_ = std::move(Kc);
  for (std::size_t m = 0; m < c_.size(); ++m) {
    cKc_[m] = c_[m].empty() ? 0.0 : inner_product_of(c_[m], Kc_[m]);
  }
  gamma_ *= factor;
  if (problem_.bias == Bias::free) {
    b_ += gamma_b_ * sum_of(a_);
    gamma_b_ *= factor;
  }
  now_ = level(a_, q_, crosses(a_));
}

Vector AugmentedLagrangian::weights() const {
  Vector d(now_.s.size());
  norm_.best_weights(now_.s, d);
  return d;
}

}  // namespace kernmix
