/// Reported bounds against the same sums in four times the precision: no rounding gets past them.

#include "base/rounding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "kernmix/bounded_certificate.hpp"
#include "problem/mixed_kernels.hpp"
#include "problem/quad.hpp"
#include "random_problem.hpp"

namespace kernmix::test {
namespace {

using Quads = std::vector<Quad>;

/// K_m a for each kernel, from the entries that the kernels evaluate to.
std::vector<Quads> exact_products(const KernelBank& bank, ConstSpan a) {
  const Index n = bank.samples();
  std::vector<Index> all;
  for (Index i = 0; i < n; ++i) all.push_back(i);
  std::vector<Quads> products;
  Matrix K(n, n);
  for (Index m = 0; m < bank.kernels(); ++m) {
    bank.block(m, all, all, K.values);
    Quads& u = products.emplace_back(a.size(), 0);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        u[static_cast<std::size_t>(i)] += Quad(K(i, j)) * Quad(a[static_cast<std::size_t>(j)]);
      }
    }
  }
  return products;
}

struct ExactPoint {
  Quads z, q;
};

ExactPoint exact_point(const KernelBank& bank, ConstSpan d, ConstSpan a) {
  const std::vector<Quads> products = exact_products(bank, a);
  ExactPoint point{Quads(a.size(), 0), Quads(d.size(), 0)};
  for (std::size_t m = 0; m < d.size(); ++m) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      point.z[i] += Quad(d[m]) * products[m][i];
      point.q[m] += Quad(a[i]) * products[m][i];
    }
  }
  return point;
}

/// C l(y, z) and the gain of a, as docs/reference/losses.md has them.
struct ExactLoss {
  const char* text;
  std::function<Quad(Quad y, Quad z, Quad C)> value;
  std::function<Quad(Quad y, Quad a, Quad C)> gain;
};

Quad square(Quad x) { return x * x; }

const std::vector<ExactLoss>& exact_losses() {
  static const std::vector<ExactLoss> all = {
      {"hinge", [](Quad y, Quad z, Quad C) { return C * above_zero(1 - y * z); },
       [](Quad y, Quad a, Quad) { return a * y; }},
      {"squared-hinge",
       [](Quad y, Quad z, Quad C) { return C / 2 * square(above_zero(1 - y * z)); },
       [](Quad y, Quad a, Quad C) { return a * y - a * a / (2 * C); }},
      {"squared", [](Quad y, Quad z, Quad C) { return C / 2 * square(z - y); },
       [](Quad y, Quad a, Quad C) { return a * y - a * a / (2 * C); }},
      {"epsilon:eps=0.125",
       [](Quad y, Quad z, Quad C) { return C * above_zero(absolute(z - y) - 0.125); },
       [](Quad y, Quad a, Quad) { return a * y - absolute(a) / 8; }},
      {"huber:delta=0.5",
       [](Quad y, Quad z, Quad C) {
         const Quad u = absolute(z - y);
         return u <= 0.5 ? C / 2 * u * u : C / 2 * (u - 0.25);
       },
       [](Quad y, Quad a, Quad C) { return a * y - a * a / (2 * C); }},
      {"pinball:tau=0.25",
       [](Quad y, Quad z, Quad C) { return y >= z ? C / 4 * (y - z) : 3 * C / 4 * (z - y); },
       [](Quad y, Quad a, Quad) { return a * y; }},
  };
  return all;
}

struct ExactRegularizer {
  const char* text;
  std::function<Quad(const Quads& s)> omega;
  std::function<Quad(const Quads& q)> sigma;
};

const std::vector<ExactRegularizer>& exact_regularizers() {
  const auto sum = [](const Quads& x, const std::function<Quad(Quad)>& f) {
    Quad total = 0;
    for (const Quad value : x) total += f(value);
    return total;
  };
  static const std::vector<ExactRegularizer> all = {
      {"l1", [sum](const Quads& s) { return square(sum(s, [](Quad x) { return x; })) / 2; },
       [](const Quads& q) { return *std::ranges::max_element(q) / 2; }},
      {"sum", [sum](const Quads& s) { return sum(s, square) / 2; },
       [sum](const Quads& q) { return sum(q, [](Quad x) { return x; }) / 2; }},
      {"elastic-net:l1=0.5,l2=2",
       [sum](const Quads& s) { return sum(s, [](Quad x) { return x / 2 + x * x; }); },
       [sum](const Quads& q) {
         return sum(q, [](Quad x) { return square(above_zero(root(x) - 0.5)) / 4; });
       }},
  };
  return all;
}

/// A problem, a point of it, and its bounds without rounding.
struct Case {
  const ExactLoss& loss;
  const ExactRegularizer& regularizer;
  Problem problem;
  Vector d;
  Vector a;

  [[nodiscard]] Quad primal(const ExactPoint& at, double bias) const {
    Quad sum = problem.bias == Bias::penalised ? square(Quad(bias)) / 2 : Quad(0);
    for (std::size_t i = 0; i < a.size(); ++i) {
      sum += loss.value(problem.y()[i], at.z[i] + Quad(bias), problem.C()[i]);
    }
    Quads norms;
    for (std::size_t m = 0; m < d.size(); ++m) norms.push_back(Quad(d[m]) * root(at.q[m]));
    return sum + regularizer.omega(norms);
  }

  [[nodiscard]] Quad dual(const ExactPoint& at, Quad t) const {
    Quad gain = 0;
    Quad total = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      gain += loss.gain(problem.y()[i], t * Quad(a[i]), problem.C()[i]);
      total += t * Quad(a[i]);
    }
    if (problem.bias == Bias::penalised) gain -= total * total / 2;
    Quads q(at.q);
    for (Quad& form : q) form *= t * t;
    return gain - regularizer.sigma(q);
  }

  /// The largest dual value along t a within the box, by thirds of the interval.
  [[nodiscard]] Quad best_dual(const ExactPoint& at) const {
    const DualSet set = dual_set(problem.loss, problem.bias, problem.y(), problem.C());
    Quad high = 2;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double bound = a[i] > 0.0 ? set.upper[i] : set.lower[i];
      if (a[i] != 0.0 && std::isfinite(bound)) high = std::min(high, Quad(bound) / Quad(a[i]));
    }
    Quad low = 0;
    Quad best = dual(at, std::min(high, Quad(1)));
    for (int k = 0; k < 250; ++k) {
      const Quad left = low + (high - low) / 3;
      const Quad right = high - (high - low) / 3;
      const Quad at_left = dual(at, left);
      const Quad at_right = dual(at, right);
      best = std::max({best, at_left, at_right});
      (at_left < at_right ? low : high) = at_left < at_right ? left : right;
    }
    return best;
  }
};

/// Kernels that are evaluated, and one that lies in memory.
std::vector<KernelSourcePtr> sources_for(Index n, unsigned seed) {
  std::vector<KernelSourcePtr> sources = mixed_kernels(n, seed);
  sources.push_back(std::make_shared<StoredSource>(random_gram(n, 20, seed)));
  return sources;
}

/// How far reported bounds may lie from those without rounding: as much as rounding the terms of
/// these sums a few times makes of them.
Quad allowed(const Case& own, const ExactPoint& at, double bias) {
  Quad size = 0;
  for (std::size_t i = 0; i < own.a.size(); ++i) {
    const Quad C = own.problem.C()[i];
    const Quad y = own.problem.y()[i];
    const Quad shift = 1e-15 * (absolute(at.z[i]) + std::abs(bias) + absolute(y));
    const Quad z = at.z[i] + Quad(bias);
    size += own.loss.value(y, z, C) + absolute(own.a[i] * y) + square(own.a[i]) / C;
    size += 1e12 * (own.loss.value(y, z + shift, C) + own.loss.value(y, z - shift, C) -
                    2 * own.loss.value(y, z, C) + C * shift * 4);
  }
  for (std::size_t m = 0; m < own.d.size(); ++m) size += (1 + Quad(own.d[m])) * at.q[m];
  return 1e-12 * size;
}

struct Place {
  double C;
  double noise;  ///< a random dual vector instead of a solution where it is 1
};

class Rounding : public ::testing::TestWithParam<Place> {};

/// With C = 1e8 the products cancel to the last digit that double precision has.
TEST_P(Rounding, IsInsideOfTheBounds) {
  const Index n = 60;
  unsigned seed = 0;
  for (const ExactLoss& loss : exact_losses()) {
    for (const ExactRegularizer& regularizer : exact_regularizers()) {
      for (const Bias rule : {Bias::free, Bias::none, Bias::penalised}) {
        ++seed;
        const auto sources = sources_for(n, seed);
        const ReferenceKernels exact(sources);
        const kernmix::testing::RandomData data(seed, n, 3);
        const Loss own_loss = parse_loss(loss.text);
        const bool numbers = loss_target(own_loss) == Target::numbers;
        Case own{loss,
                 regularizer,
                 {exact.bank(), own_loss, parse_regularizer(regularizer.text),
                  numbers ? data.targets(seed, 0.3) : data.y,
                  Vector(static_cast<std::size_t>(n), GetParam().C), rule},
                 Vector(sources.size(), 1.0 / static_cast<double>(sources.size() + 1)),
                 random_vector(n, seed + 100, 0.2)};
        if (regularizer.text == std::string("sum")) own.d.assign(sources.size(), 1.0);
        for (double& value : own.a) value *= GetParam().C;
        if (GetParam().noise == 0.0) {
          SolverOptions options;
          options.tolerance = 3e-8;
          options.max_iterations = 30;
          const Answer solution = solve(own.problem, options, Context());
          own.d = solution.d;
          own.a = solution.a[0];
        }
        make_feasible(dual_set(own.problem.loss, rule, own.problem.y(), own.problem.C()), own.a);
        const Certificate reported =
            exact.certify(own.problem, own.d, {own.a}, {}, Context()).certificate;
        const ExactPoint at = exact_point(exact.bank(), own.d, own.a);
        const Quad primal = own.primal(at, reported.only_bias());
        const Quad dual = own.best_dual(at);
        const auto what = std::string(loss.text) + ", " + regularizer.text + ", " + bias_name(rule);
        EXPECT_TRUE(Quad(reported.primal) >= primal)
            << what << ": " << static_cast<double>(Quad(reported.primal) - primal);
        EXPECT_TRUE(Quad(reported.dual) <= dual)
            << what << ": " << static_cast<double>(dual - Quad(reported.dual));
        EXPECT_TRUE(reported.in_order()) << what;
        const Quad most = allowed(own, at, reported.only_bias());
        EXPECT_LE(static_cast<double>(Quad(reported.primal) - primal), static_cast<double>(most))
            << what;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Places, Rounding,
                         ::testing::Values(Place{1e8, 0.0}, Place{1e8, 1.0}, Place{1.0, 0.0},
                                           Place{1e-3, 1.0}, Place{1e-50, 1.0}, Place{1e50, 1.0}));

}  // namespace
}  // namespace kernmix::test
