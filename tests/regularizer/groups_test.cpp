// Mixed norms and composite kernel learning against their definitions, minimised by brute force.

#include "regularizer/groups/groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "kernmix/error.hpp"
#include "kernmix/regularizer.hpp"
#include "line_minimum.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

constexpr double kSupremum = std::numeric_limits<double>::infinity();

/// Of a function of the inside of (0, 1).
template <typename F>
double minimum(const F& f) {
  return testing::line_minimum(f, 1e-9, 1.0 - 1e-9);
}

/// Three kernels in groups {0, 2} and {1}.
const std::vector<Index> kGroup = {0, 1, 0};

struct Numbers {
  Vector s;
  Vector q;
};

std::vector<Numbers> some_numbers() {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> uniform(0.1, 3.0);
  std::vector<Numbers> all(4);
  for (Numbers& numbers : all) {
    for (int m = 0; m < 3; ++m) {
      numbers.s.push_back(uniform(engine));
      numbers.q.push_back(uniform(engine));
    }
  }
  return all;
}

/// Over u with 2 u_0 + u_1 = 1 and v on the simplex, the minimum of f(d), d_jk = u_j^p v_jk^q.
double over_ckl_weights(const Ckl& ckl,
                        const std::function<double(const std::array<double, 3>&)>& f) {
  return minimum([&](double x) {
    return minimum([&](double y) {
      return minimum([&](double w) {
        const std::array u = {0.5 * x, 1.0 - x};
        const std::array v = {y * w, 1.0 - y, y * (1.0 - w)};
        std::array<double, 3> d;
        for (std::size_t m = 0; m < 3; ++m) {
          d[m] = std::pow(u[static_cast<std::size_t>(kGroup[m])], ckl.p) * std::pow(v[m], ckl.q);
        }
        return f(d);
      });
    });
  });
}

TEST(CompositeKernelLearning, NormsAreThoseOfItsDefinition) {
  for (const auto& [p, q] :
       std::vector<std::pair<double, double>>{{0.5, 0.5}, {0.2, 0.3}, {0.8, 0.1}, {0.3, 0.7}}) {
    const Ckl ckl{p, q, kGroup};
    for (const Numbers& numbers : some_numbers()) {
      const double omega = over_ckl_weights(ckl, [&](const std::array<double, 3>& d) {
        double sum = 0.0;
        for (std::size_t m = 0; m < 3; ++m) sum += 0.5 * numbers.s[m] * numbers.s[m] / d[m];
        return sum;
      });
      const double minus_sigma = over_ckl_weights(ckl, [&](const std::array<double, 3>& d) {
        double sum = 0.0;
        for (std::size_t m = 0; m < 3; ++m) sum -= 0.5 * numbers.q[m] * d[m];
        return sum;
      });
      EXPECT_NEAR(ckl.omega(numbers.s), omega, 1e-6 * omega) << ckl.text();
      EXPECT_NEAR(ckl.conjugate(numbers.q), -minus_sigma, 1e-6 * -minus_sigma) << ckl.text();
    }
  }
}

// D = {|| (sum_k d_jk)_j ||_pi <= 1}: group sums h^{1/pi} and (1 - h)^{1/pi}, which are 1 for
// q = 2, the first split by w.
TEST(MixedNorms, UpToTwoAreThoseOfTheWeights) {
  for (const double q : {1.0, 1.2, 1.5, 1.9, 2.0}) {
    const MixedNorm mixed{q, kGroup};
    const double root = (2.0 - q) / q;
    for (const Numbers& numbers : some_numbers()) {
      const auto over_D = [&](const std::function<double(const Vector&)>& f) {
        return minimum([&](double h) {
          return minimum([&](double w) {
            const double first = std::pow(h, root);
            return f({first * w, std::pow(1.0 - h, root), first * (1.0 - w)});
          });
        });
      };
      const double omega = over_D([&](const Vector& d) {
        double sum = 0.0;
        for (std::size_t m = 0; m < 3; ++m) sum += 0.5 * numbers.s[m] * numbers.s[m] / d[m];
        return sum;
      });
      const double sigma = -over_D([&](const Vector& d) {
        double sum = 0.0;
        for (std::size_t m = 0; m < 3; ++m) sum -= 0.5 * numbers.q[m] * d[m];
        return sum;
      });
      EXPECT_NEAR(mixed.omega(numbers.s), omega, 1e-6 * omega) << mixed.text();
      EXPECT_NEAR(mixed.conjugate(numbers.q), sigma, 1e-6 * sigma) << mixed.text();
    }
  }
}

// gamma_j = h_j^c, ||gamma||_{q/(q-2)} = 1: Omega = max_h 1/2 sum_j h_j^c S_j^2 and
// sigma(q/2) = min_h 1/2 sum_j max_k q_jk / h_j^c.
TEST(MixedNorms, BeyondTwoAreThoseOfTheSaddle) {
  for (const double q : {2.2, 3.0, 10.0, kSupremum}) {
    const MixedNormSaddle mixed{q, kGroup};
    const double c = std::isinf(q) ? 1.0 : (q - 2.0) / q;
    for (const Numbers& numbers : some_numbers()) {
      const double first = numbers.s[0] + numbers.s[2];
      const double omega = -minimum([&](double h) {
        return -0.5 * (std::pow(h, c) * first * first +
                       std::pow(1.0 - h, c) * numbers.s[1] * numbers.s[1]);
      });
      const double sigma = minimum([&](double h) {
        return 0.5 * (std::max(numbers.q[0], numbers.q[2]) / std::pow(h, c) +
                      numbers.q[1] / std::pow(1.0 - h, c));
      });
      EXPECT_NEAR(mixed.omega(numbers.s), omega, 1e-6 * omega) << mixed.text();
      EXPECT_NEAR(mixed.conjugate(numbers.q), sigma, 1e-6 * sigma) << mixed.text();
    }
  }
}

template <typename Call>
void expect_group_refusal(Call call, const std::string& sentence) {
  try {
    call();
    FAIL() << "accepted, expected: " << sentence;
  } catch (const ParameterError& error) {
    EXPECT_EQ(std::string(error.what()), sentence);
  }
}

TEST(Groups, AreRefusedWithTheRule) {
  expect_group_refusal(
      [] {
        MixedNorm{1.5, {}}.check(3);
      },
      "mixed-norm: 0 group numbers were given for 3 kernels, give one for each kernel");
  expect_group_refusal(
      [] {
        (Ckl{0.5, 0.5, {0, 1}}.check(3));
      },
      "ckl: 2 group numbers were given for 3 kernels, give one for each kernel");
  expect_group_refusal(
      [] {
        (MixedNormSaddle{kSupremum, {0, 2, 0}}.check(3));
      },
      "mixed-norm: group 1 has no kernel, number the groups 0, 1, ... without gaps");
  expect_group_refusal(
      [] {
        (MixedNorm{1.5, {0, -1}}.check(2));
      },
      "mixed-norm: group numbers must be >= 0, got -1");
  EXPECT_NO_THROW((MixedNorm{1.5, {1, 0, 1}}.check(3)));
}

TEST(Groups, NormsAreTakenGroupByGroup) {
  const Vector x = {3.0, 5.0, 4.0};
  EXPECT_EQ(group_norms(x, kGroup, 1.0), (Vector{7.0, 5.0}));
  EXPECT_EQ(group_norms(x, kGroup, 2.0), (Vector{5.0, 5.0}));
  EXPECT_EQ(group_norms(x, kGroup, kSupremum), (Vector{4.0, 5.0}));
  EXPECT_EQ(group_norms(Vector(3, 0.0), kGroup, 2.0), (Vector{0.0, 0.0}));
  EXPECT_EQ(group_sizes(kGroup), (Vector{2.0, 1.0}));
}

}  // namespace
}  // namespace kernmix
