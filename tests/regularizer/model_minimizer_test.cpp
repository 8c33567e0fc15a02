// minimize_quadratic of every regularizer that has one: in D, never worse than what anybody else
// finds, and optimal by a certificate of its own.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "kernmix/regularizer.hpp"
#include "regularizer/any.hpp"
#include "regularizer/norms.hpp"

namespace kernmix {
namespace {

/// Random models; every number is drawn from here.
class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}

  double uniform() { return std::uniform_real_distribution<double>()(engine_); }
  double normal() { return std::normal_distribution<double>()(engine_); }
  Vector uniforms(Index count, double share_of_zeros) {
    Vector values(static_cast<std::size_t>(count));
    for (double& value : values) value = uniform() < share_of_zeros ? 0.0 : uniform();
    return values;
  }
  /// W x columns of the given rank.
  Matrix low_rank(Index W, Index columns, Index rank) {
    Matrix left(W, rank);
    Matrix right(rank, columns);
    for (double& value : left.values) value = normal();
    for (double& value : right.values) value = normal();
    Matrix product(W, columns);
    for (Index i = 0; i < W; ++i) {
      for (Index k = 0; k < rank; ++k) {
        for (Index j = 0; j < columns; ++j) product(i, j) += left(i, k) * right(k, j);
      }
    }
    return product;
  }

 private:
  std::mt19937 engine_;
};

/// -1/2 q'(x - d) + 1/2 |B'(x - d)|^2 and its gradient, from the definition.
struct Quadratic {
  const WeightModel& model;

  [[nodiscard]] Vector along_columns(const Vector& x) const {
    Vector products(static_cast<std::size_t>(model.B.cols), 0.0);
    for (std::size_t m = 0; m < x.size(); ++m) {
      const ConstSpan row = model.B.row(static_cast<Index>(m));
      for (std::size_t j = 0; j < row.size(); ++j) products[j] += row[j] * (x[m] - model.d[m]);
    }
    return products;
  }
  [[nodiscard]] double value(const Vector& x) const {
    double sum = 0.5 * sum_of_squares(along_columns(x));
    for (std::size_t m = 0; m < x.size(); ++m) sum -= 0.5 * model.q[m] * (x[m] - model.d[m]);
    return sum;
  }
  [[nodiscard]] Vector slope(const Vector& x) const {
    const Vector products = along_columns(x);
    Vector slope(x.size());
    for (std::size_t m = 0; m < x.size(); ++m) {
      const ConstSpan row = model.B.row(static_cast<Index>(m));
      slope[m] = std::inner_product(row.begin(), row.end(), products.begin(), -0.5 * model.q[m]);
    }
    return slope;
  }
};

double total(ConstSpan x) { return std::accumulate(x.begin(), x.end(), 0.0); }

/// sup_{y in D} -g'y - Phi(y), where g may have any sign. D holds every point below one of its
/// points, so only negative slopes count; on the simplex a shift of g is a constant.
template <typename R>
double conjugate(const R& r, const Vector& g) {
  Vector q(g.size());
  const double shift = OnSimplex<R> ? *std::ranges::max_element(g) : 0.0;
  for (std::size_t m = 0; m < g.size(); ++m) q[m] = std::max(2.0 * (shift - g[m]), 0.0);
  return r.conjugate(q) - shift;
}

/// The unsquared norm's model is minimised below ten times the largest weight only.
double conjugate(const L1Unsquared& r, const Vector& g, double largest_weight) {
  double sum = 0.0;
  for (const double slope : g) {
    sum += 10.0 * largest_weight * std::max(-slope - 0.5 * r.lambda * r.lambda, 0.0);
  }
  return sum;
}

/// f(x) - min f <= g'x + Phi(x) + sup_{y in D} {-g'y - Phi(y)} with g the quadratic's slope at x:
/// zero exactly at the minimiser.
template <typename R>
double optimality_gap(const R& r, const WeightModel& model, const Vector& x) {
  const Vector g = Quadratic{model}.slope(x);
  const double at_x = std::inner_product(x.begin(), x.end(), g.begin(), r.penalty(x));
  if constexpr (std::is_same_v<R, L1Unsquared>) {
    return at_x + conjugate(r, g, largest(model.d));
  } else {
    return at_x + conjugate(r, g);
  }
}

/// What numbers of the model are measured against.
template <typename R>
double scale(const R& r, const WeightModel& model, const Vector& x) {
  const auto gain = [&](const Vector& y) {
    return 0.5 * std::inner_product(y.begin(), y.end(), model.q.begin(), 0.0) + r.penalty(y);
  };
  return gain(model.d) + gain(x);
}

template <typename Check>
void for_each_model_minimizer(Check check) {
  std::vector<std::string> texts = {
      "lp:p=1.1",
      "lp:p=4",
      "lp-tikhonov:p=1.1,lambda=0.01",
      "lp-tikhonov:p=4,lambda=1",
      "elastic-net:l1=0.01,l2=3",
      "elastic-net:l1=1,l2=0.0001",
      "elastic-net-bach:lambda=20",
      "elastic-net-bach:lambda=0.001",
      "sgmkl:v=0.01",
      "sgmkl:v=0.99",
      "sgmkl-norm:v=0.01",
      "sgmkl-norm:v=0.99",
      "soft-margin:theta=0.2",
      "soft-margin:theta=1",
      "soft-margin-squared:theta=0.01",
      "soft-margin-squared:theta=100",
      "soft-margin-power:theta=1,p=1.5",
      "entropy:theta=0.01",
  };
  for (const RegularizerInfo& row : regularizers()) texts.push_back(row.example);
  for (const std::string& text : texts) {
    visit(
        [&]<typename R>(const R& r) {
          if constexpr (HasModelMinimizer<R> && HasBestWeights<R> && HasProjection<R> &&
                        !IsGrouped<R>) {
            check(r);
          }
        },
        parse_regularizer(text));
  }
}

/// A point of D with zeros, as solvers visit them.
template <typename R>
Vector visited_point(const R& r, Index W, Draw& draw) {
  Vector s = draw.uniforms(W, 0.4);
  s[0] = 1.0;
  Vector d(s.size());
  r.best_weights(s, d);
  return d;
}

/// d, q and B such that d'BB'd is of the size of stiffness^2 times d'q times the size of B. Where
/// B'B is the Hessian of J, d'BB'd <= d'q, so that stiffness stays below 1.
template <typename R>
WeightModel random_model(const R& r, Index W, double q_scale, double stiffness, Draw& draw) {
  const auto columns = static_cast<Index>(draw.uniform() * 25.0);
  const Index rank =
      std::max<Index>(1, static_cast<Index>(draw.uniform() * static_cast<double>(columns)));
  WeightModel model{visited_point(r, W, draw), draw.uniforms(W, 0.2),
                    draw.low_rank(W, columns, rank)};
  model.q[0] = 1.0;
  if (draw.uniform() < 0.2) std::ranges::fill(model.q, 1.0);
  for (double& value : model.q) value *= q_scale;
  const double factor = stiffness * std::sqrt(q_scale / largest(model.d));
  for (double& value : model.B.values) value *= factor;
  return model;
}

template <typename R>
void expect_feasible(const R& r, const Vector& x) {
  Vector projected = x;
  r.project(projected);
  const double unit = std::max(largest(x), 1e-300);
  for (std::size_t m = 0; m < x.size(); ++m) {
    EXPECT_GE(x[m], 0.0) << r.text();
    EXPECT_NEAR(projected[m], x[m], 1e-12 * unit) << r.text();
  }
  if constexpr (OnSimplex<R>) {
    EXPECT_NEAR(total(x), 1.0, 1e-13) << r.text();
    EXPECT_LE(largest(x), r.upper_bound(length(x))) << r.text();
  }
}

TEST(MinimizeModel, IsOptimalByItsOwnCertificate) {
  Draw draw(1);
  for_each_model_minimizer([&](const auto& r) {
    for (int trial = 0; trial < 40; ++trial) {
      const auto W = static_cast<Index>(5 + trial % 23);
      const double q_scale = std::pow(10.0, 6.0 * draw.uniform() - 3.0);
      const double stiffness = std::pow(10.0, 3.0 * draw.uniform() - 3.0);
      const WeightModel model = random_model(r, W, q_scale, stiffness, draw);
      const Vector x = r.minimize_quadratic(model);
      expect_feasible(r, x);
      const double gap = optimality_gap(r, model, x);
      EXPECT_GE(gap, -1e-9 * scale(r, model, x)) << r.text();
      EXPECT_LE(gap, 1e-7 * scale(r, model, x))
          << r.text() << " trial " << trial << " stiffness " << stiffness << " q " << q_scale;
    }
  });
}

TEST(MinimizeModel, NobodyFindsABetterPoint) {
  Draw draw(2);
  for_each_model_minimizer([&](const auto& r) {
    using R = std::decay_t<decltype(r)>;
    for (int trial = 0; trial < 6; ++trial) {
      const Index W = 6;
      const WeightModel model = random_model(r, W, 1.0, trial < 3 ? 0.3 : 10.0, draw);
      const Quadratic quadratic{model};
      const auto value = [&](const Vector& x) { return quadratic.value(x) + r.penalty(x); };
      const Vector x = r.minimize_quadratic(model);
      const double rounding = 1e-9 * scale(r, model, x);
      EXPECT_LE(value(x), value(model.d) + 1e-15 * scale(r, model, x)) << r.text();
      for (int k = 0; k < 50; ++k) {
        Vector other = draw.uniforms(W, 0.3);
        r.project(other);
        if (std::is_same_v<R, L1Unsquared> && largest(other) > 10.0 * largest(model.d)) continue;
        EXPECT_LE(value(x), value(other) + rounding) << r.text();
      }
      Vector y = model.d;
      double step = 1.0;
      for (int k = 0; k < 100; ++k) {
        Vector slope = quadratic.slope(y);
        if constexpr (HasPenaltySlope<R>) r.add_penalty_slope(y, slope);
        Vector next(y.size());
        for (std::size_t m = 0; m < y.size(); ++m) next[m] = y[m] - step * slope[m];
        r.project(next);
        if (std::is_same_v<R, L1Unsquared>) clip(next, 0.0, 10.0 * largest(model.d));
        const bool better = value(next) < value(y);
        if (better) y = next;
        step *= better ? 1.5 : 0.5;
      }
      EXPECT_LE(value(x), value(y) + rounding) << r.text();
    }
  });
}

TEST(MinimizeModel, TheOnlyKernelToo) {
  Draw draw(3);
  for_each_model_minimizer([&](const auto& r) {
    if constexpr (OnSimplex<std::decay_t<decltype(r)>>) {
      if (r.upper_bound(1) < 1.0) return;
    }
    for (const double stiffness : {0.0, 0.1, 10.0}) {
      const WeightModel model = random_model(r, 1, 1.0, stiffness, draw);
      const Vector x = r.minimize_quadratic(model);
      expect_feasible(r, x);
      EXPECT_LE(optimality_gap(r, model, x), 1e-8 * scale(r, model, x)) << r.text();
    }
  });
}

TEST(MinimizeModel, WithoutAnyGain) {
  Draw draw(4);
  for_each_model_minimizer([&](const auto& r) {
    WeightModel model = random_model(r, 7, 1.0, 0.5, draw);
    std::ranges::fill(model.q, 0.0);
    const Vector x = r.minimize_quadratic(model);
    expect_feasible(r, x);
    const double size = r.penalty(model.d);
    EXPECT_LE(optimality_gap(r, model, x), 1e-7 * size + 1e-12) << r.text();
  });
}

// Linear models of simplex-like sets have their solution in a corner: exact zeros, exact bounds.
TEST(MinimizeModel, CornersAreExact) {
  const WeightModel model{{0.25, 0.25, 0.25, 0.25}, {1.0, 4.0, 2.0, 3.0}, Matrix(4, 0)};
  EXPECT_EQ(L1{}.minimize_quadratic(model), (Vector{0.0, 1.0, 0.0, 0.0}));
  const Vector capped = SoftMargin{0.4}.minimize_quadratic(model);
  EXPECT_EQ(capped[0], 0.0);
  EXPECT_EQ(capped[1], 0.4);
  EXPECT_EQ(capped[3], 0.4);
  EXPECT_NEAR(capped[2], 0.2, 1e-15);
  const Vector unsquared = L1Unsquared{std::sqrt(2.5)}.minimize_quadratic(model);
  EXPECT_EQ(unsquared, (Vector{0.0, 2.5, 0.0, 2.5}));
}

}  // namespace
}  // namespace kernmix
