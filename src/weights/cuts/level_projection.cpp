#include "weights/cuts/level_projection.hpp"

#include <algorithm>
#include <cmath>

#include "base/symmetric.hpp"

namespace kernmix {
namespace {

using LevelArray = Eigen::ArrayXd;

/// min 1/2 |x - c|^2  s.t.  A x - w = b, w >= 0;  1'x = M;  0 <= x, x + r = u: the projection in
/// units in which weights are about 1 and cuts are about 1.
class LevelProgram {
 public:
  LevelProgram(const Bundle& cuts, double level, ConstSpan centre, double upper_bound)
      : M_(static_cast<double>(centre.size())),
        bounded_(upper_bound < 1.0),
        c_(as_vector(centre).array() * M_),
        A_(static_cast<Index>(cuts.size()) + 1, length(centre)),
        b_(static_cast<Index>(cuts.size())) {
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      const double scale = std::max(0.5 * *std::ranges::max_element(cuts.q(i)), 1e-300);
      const auto row = static_cast<Index>(i);
      A_.row(row) = (0.5 / (scale * M_)) * as_vector(cuts.q(i)).transpose();
      b_[row] = (cuts.gain(i) - level) / scale;
    }
    A_.row(cuts_()).setOnes();
    start(upper_bound);
  }

  Vector solve() {
    constexpr int kSteps = 80;
    constexpr double kAccuracy = 1e-13;
    double mu = 0.1;
    for (int k = 0; k < kSteps; ++k) {
      const double length = step(mu);
      const double slack = complementarity();
      if (slack <= kAccuracy && length > 0.9) break;
      mu = (length > 0.9 ? 0.05 : 0.4) * slack;
    }
    // A weight at a bound: its multiplier is larger than its distance.
    x_ = (x_ < s_).select(0.0, x_);
    if (bounded_) x_ = (r_ < v_).select(x_ + r_, x_);
    x_ /= x_.sum();
    if (!x_.isFinite().all()) return {};
    return {x_.begin(), x_.end()};
  }

 private:
  [[nodiscard]] Index cuts_() const { return b_.size(); }

  void start(double upper_bound) {
    const Index W = c_.size();
    // Strictly inside; the residuals of the equations vanish with the first full step.
    x_ = (0.5 * c_ + 0.5).max(0.1);
    if (bounded_) x_ = x_.min(0.5 * (1.0 + upper_bound * M_));
    r_ = bounded_ ? LevelArray(upper_bound * M_ - x_) : LevelArray::Zero(W);
    s_ = LevelArray::Ones(W);
    v_ = bounded_ ? LevelArray::Ones(W) : LevelArray::Zero(W);
    w_ = (product(x_) - b_).max(0.1);
    multiplier_ = LevelArray::Ones(cuts_());
  }

  [[nodiscard]] LevelArray product(const LevelArray& x) const {
    return (A_.topRows(cuts_()) * x.matrix()).array();
  }

  [[nodiscard]] double complementarity() const {
    const double pairs = (x_ * s_).sum() + (r_ * v_).sum() + (w_ * multiplier_).sum();
    return pairs / static_cast<double>(x_.size() + cuts_());
  }

  /// Longest t <= 1 that keeps 0.5 % of every entry's way to zero.
  static double longest(const LevelArray& at, const LevelArray& move) {
    double t = 1.0;
    for (Index i = 0; i < at.size(); ++i) {
      if (move[i] < 0.0) t = std::min(t, -0.995 * at[i] / move[i]);
    }
    return t;
  }

  /// One Newton step towards complementarity mu; returns its length.
  double step(double mu) {
    const Index k = cuts_();
    LevelArray diagonal = 1.0 + s_ / x_;
    LevelArray right = c_ - x_ + mu / x_;
    if (bounded_) {
      diagonal += v_ / r_;
      right -= mu / r_;
    }
    right += (A_.topRows(k).transpose() * multiplier_.matrix()).array() + sum_multiplier_;

    const RowMatrix scaled = A_ * diagonal.inverse().matrix().asDiagonal();
    Eigen::MatrixXd system = scaled * A_.transpose();
    system.diagonal().head(k) += (w_ / multiplier_).matrix();
    Eigen::VectorXd residual(k + 1);
    residual.head(k) = (b_ - product(x_) + mu / multiplier_).matrix();
    residual[k] = M_ - x_.sum();
    residual -= scaled * right.matrix();
    const Eigen::VectorXd move = solve_symmetric(system, residual);

    const LevelArray x = (right + (A_.transpose() * move).array()) / diagonal;
    const LevelArray s = mu / x_ - s_ - s_ / x_ * x;
    const LevelArray multiplier = move.head(k).array();
    const LevelArray w = mu / multiplier_ - w_ - w_ / multiplier_ * multiplier;
    double t = std::min(
        {longest(x_, x), longest(s_, s), longest(w_, w), longest(multiplier_, multiplier)});
    if (bounded_) {
      const LevelArray v = mu / r_ - v_ + v_ / r_ * x;
      t = std::min({t, longest(r_, -x), longest(v_, v)});
      v_ += t * v;
      r_ -= t * x;
    }
    x_ += t * x;
    s_ += t * s;
    w_ += t * w;
    multiplier_ += t * multiplier;
    sum_multiplier_ += t * move[k];
    return t;
  }

  double M_;
  bool bounded_;
  LevelArray c_;
  RowMatrix A_;  ///< the cuts, and a row of ones
  LevelArray b_;
  LevelArray x_, s_, r_, v_, w_, multiplier_;
  double sum_multiplier_ = 0.0;
};

}  // namespace

Vector project_onto_level_set(const Bundle& cuts, double level, ConstSpan centre,
                              double upper_bound) {
  const auto M = static_cast<double>(centre.size());
  // D is one point, without an inside for the method to move in.
  if (centre.size() == 1 || upper_bound * M <= 1.0 + 1e-9) return Vector(centre.size(), 1.0 / M);
  return LevelProgram(cuts, level, centre, upper_bound).solve();
}

}  // namespace kernmix
