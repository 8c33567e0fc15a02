#include "classical/loss_term.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "loss/any.hpp"

namespace kernmix {
namespace {

/// 1 / C: the decision values of samples at their margins are of the order of 1, a of that of C.
double unit_of(const Problem& problem) {
  const double sum = std::accumulate(problem.C().begin(), problem.C().end(), 0.0);
  return static_cast<double>(problem.samples()) / sum;
}

}  // namespace

LossTerm::LossTerm(const Problem& problem, const DualSet& box)
    : problem_(problem), box_(box), unit_(unit_of(problem)), gamma_(unit_) {
  if (has_smooth_dual(problem.loss)) return;
  kinked_ = quadratic_terms(problem.loss, problem.y(), problem.C());
  zeta_.assign(problem.y().size(), 0.0);
}

double LossTerm::ridge(double gradient) const { return kinked_ ? gradient * unit_ : 0.0; }

Vector LossTerm::start() const {
  Vector a(problem_.y().size(), 0.0);
  if (kinked_) return a;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double width = box_.upper[i] - box_.lower[i];
    if (std::isfinite(width)) a[i] = box_.lower[i] + 0.5 * width;
  }
  return a;
}

/// v minimises 1/2 diagonal v^2 - linear v + kink |v| + (gamma / 2) (v - p)^2 in the box.
LossTerm::Proximal LossTerm::proximal(std::size_t i, double a) const {
  const double p = a + zeta_[i] / gamma_;
  const double pull = kinked_->linear[i] + gamma_ * p;
  const double kink = kinked_->kink[i];
  const double scale = 1.0 / (kinked_->diagonal[i] + gamma_);
  const double free = std::copysign(std::max(std::abs(pull) - kink, 0.0), pull) * scale;
  const double v = std::clamp(free, box_.lower[i], box_.upper[i]);
  const bool is_fixed = v != free || std::abs(pull) <= kink;
  return {p, v, is_fixed ? 0.0 : gamma_ * scale};
}

double LossTerm::value(ConstSpan a) const {
  if (!kinked_) return -dual_gain(problem_.loss, Bias::none, problem_.y(), a, problem_.C());
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto [p, v, slope] = proximal(i, a[i]);
    sum += (0.5 * kinked_->diagonal[i] * v - kinked_->linear[i]) * v +
           kinked_->kink[i] * std::abs(v) + 0.5 * gamma_ * (v - p) * (v - p);
  }
  return sum;
}

Vector LossTerm::slope(ConstSpan a) const {
  Vector slope(a.size(), 0.0);
  if (kinked_) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Proximal at = proximal(i, a[i]);
      slope[i] = gamma_ * (at.p - at.v);
    }
    return slope;
  }
  visit(
      [&]<typename L>(const L& loss) {
        if constexpr (HasSmoothDual<L>) {
          for (std::size_t i = 0; i < a.size(); ++i) {
            slope[i] = -loss.dual_slope(problem_.y()[i], a[i], problem_.C()[i]);
          }
        }
      },
      problem_.loss);
  return slope;
}

Vector LossTerm::curvature(ConstSpan a) const {
  if (!kinked_) return dual_curvature(problem_.loss, problem_.y(), a, problem_.C());
  Vector curvature(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    curvature[i] = gamma_ * (1.0 - proximal(i, a[i]).slope);
  }
  return curvature;
}

double LossTerm::longest_step(ConstSpan a, ConstSpan step) const {
  constexpr double to_the_boundary = 0.99;
  double t = 1.0;
  if (kinked_) return t;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (step[i] == 0.0) continue;
    const double room = step[i] > 0.0 ? box_.upper[i] - a[i] : box_.lower[i] - a[i];
    t = std::min(t, to_the_boundary * room / step[i]);
  }
  return t;
}

Vector LossTerm::in_box(ConstSpan a) const {
  Vector v(a.begin(), a.end());
  if (!kinked_) return v;
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = proximal(i, a[i]).v;
  return v;
}

double LossTerm::move(ConstSpan a) const {
  if (!kinked_) return 0.0;
  const Vector v = in_box(a);
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - v[i]) * (a[i] - v[i]);
  return 0.5 * gamma_ * sum;  // zeta moves by gamma (a - v)
}

void LossTerm::update_multipliers(ConstSpan a) {
  if (!kinked_) return;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Proximal at = proximal(i, a[i]);
    zeta_[i] = gamma_ * (at.p - at.v);
  }
}

}  // namespace kernmix
