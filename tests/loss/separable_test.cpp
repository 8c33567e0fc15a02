/// \file
/// What every loss that is a sum over samples must satisfy, one sample at a time, from the
/// definitions: the conjugate is a supremum over z, found by search.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "loss/any.hpp"
#include "losses.hpp"

namespace kernmix::test {
namespace {

class SeparableLoss : public ::testing::TestWithParam<std::string> {
 protected:
  /// body(loss, y, C) for labels or targets and weights that fit; nothing for other losses.
  template <typename Body>
  void for_each_sample(const Body& body) const {
    visit(
        [&]<typename L>(const L& loss) {
          if constexpr (IsSeparableLoss<L>) {
            const bool classes = L::target == Target::classes;
            for (const double y : classes ? Vector{1.0, -1.0} : Vector{-1.7, 0.0, 0.4}) {
              for (const double C : {0.05, 1.0, 30.0}) body(loss, y, C);
            }
          }
        },
        parse_loss(GetParam()));
  }
};

INSTANTIATE_TEST_SUITE_P(Every, SeparableLoss, ::testing::ValuesIn(loss_texts()),
                         [](const auto& entry) { return test_name(entry.param); });

const Vector z_values = {-40.0, -3.0, -1.3, -1.0, -0.6, -0.1, 0.0,
                         0.05,  0.3,  0.9,  1.0,  1.7,  2.6,  40.0};

/// Points of the box, its ends included where they are finite.
Vector dual_values(const DualBounds& bounds, double C) {
  const double low = std::isfinite(bounds.lower) ? bounds.lower : -5.0 * C;
  const double high = std::isfinite(bounds.upper) ? bounds.upper : 5.0 * C;
  Vector values = {low, high};
  for (const double share : {1e-9, 0.01, 0.2, 0.5, 0.7, 0.97, 1.0 - 1e-9}) {
    values.push_back(low + share * (high - low));
  }
  if (low < 0.0 && high > 0.0) values.push_back(0.0);
  return values;
}

/// sup_z -a z - C l(y, z): the function is concave, so sections find it.
template <typename L>
double conjugate(const L& loss, double y, double a, double C) {
  const auto at = [&](double z) { return -a * z - loss.value(y, z, C); };
  double low = -60.0;
  double high = 60.0;
  for (int k = 0; k < 200; ++k) {
    const double left = low + 0.382 * (high - low);
    const double right = low + 0.618 * (high - low);
    if (at(left) < at(right)) {
      low = left;
    } else {
      high = right;
    }
  }
  return std::max({at(0.5 * (low + high)), at(-60.0), at(60.0)});
}

TEST_P(SeparableLoss, DualValueIsMinusTheConjugate) {
  for_each_sample([](const auto& loss, double y, double C) {
    for (const double a : dual_values(loss.dual_bounds(y, C), C)) {
      EXPECT_NEAR(-loss.dual_value(y, a, C), conjugate(loss, y, a, C), 1e-8 * (C + std::abs(a)))
          << "y = " << y << ", a = " << a << ", C = " << C;
    }
  });
}

TEST_P(SeparableLoss, FenchelYoungIsTheSumOfItsPartsAndNeverNegative) {
  for_each_sample([](const auto& loss, double y, double C) {
    for (const double a : dual_values(loss.dual_bounds(y, C), C)) {
      for (const double z : z_values) {
        const double term = loss.fenchel_young(y, z, a, C);
        const double direct = loss.value(y, z, C) - loss.dual_value(y, a, C) + a * z;
        const double size = loss.value(y, z, C) + std::abs(a * z) + std::abs(a * y) + C;
        EXPECT_GE(term, 0.0) << "y = " << y << ", z = " << z << ", a = " << a << ", C = " << C;
        EXPECT_NEAR(term, direct, 1e-13 * size)
            << "y = " << y << ", z = " << z << ", a = " << a << ", C = " << C;
      }
    }
  });
}

TEST_P(SeparableLoss, NothingBeyondTheBoundsHasAConjugate) {
  for_each_sample([](const auto& loss, double y, double C) {
    const DualBounds bounds = loss.dual_bounds(y, C);
    for (const double far : {1e4, 1e6}) {
      const double above = bounds.upper + 0.01 * C;
      const double below = bounds.lower - 0.01 * C;
      if (std::isfinite(above)) {
        EXPECT_GE(above * far - loss.value(y, -far, C), 0.005 * C * far);
      }
      if (std::isfinite(below)) {
        EXPECT_GE(-below * far - loss.value(y, far, C), 0.005 * C * far);
      }
    }
  });
}

TEST_P(SeparableLoss, TheNegativeDerivativeAttainsEquality) {
  constexpr double h = 1e-6;
  for_each_sample([](const auto& loss, double y, double C) {
    int checked = 0;
    for (double z : z_values) {
      z += 0.013;  // off the kinks
      const double left = (loss.value(y, z, C) - loss.value(y, z - h, C)) / h;
      const double right = (loss.value(y, z + h, C) - loss.value(y, z, C)) / h;
      if (std::abs(right - left) > 0.01 * C) continue;  // a kink after all
      ++checked;
      const double derivative = 0.5 * (left + right);
      const DualBounds bounds = loss.dual_bounds(y, C);
      const double a = std::clamp(-derivative, bounds.lower, bounds.upper);
      EXPECT_NEAR(a, -derivative, 1e-6 * (C + std::abs(a)));
      EXPECT_LE(loss.fenchel_young(y, z, a, C), 1e-6 * (C + std::abs(a)) * (1.0 + std::abs(z - y)))
          << "y = " << y << ", z = " << z << ", C = " << C;
      if constexpr (requires { loss.slope(y, z, C); }) {
        EXPECT_NEAR(loss.slope(y, z, C).first, derivative, 1e-6 * (C + std::abs(a)));
        const double second =
            (loss.slope(y, z + h, C).first - loss.slope(y, z - h, C).first) / (2.0 * h);
        EXPECT_NEAR(loss.slope(y, z, C).second, second, 1e-6 * C * (1.0 + second / C));
      }
    }
    EXPECT_GE(checked, 10);
  });
}

TEST_P(SeparableLoss, ValueIsConvexAndDualValueConcave) {
  for_each_sample([](const auto& loss, double y, double C) {
    for (const double one : z_values) {
      for (const double other : z_values) {
        const double ends = 0.5 * (loss.value(y, one, C) + loss.value(y, other, C));
        EXPECT_LE(loss.value(y, 0.5 * (one + other), C), ends * (1.0 + 1e-14) + 1e-14 * C);
      }
    }
    const Vector duals = dual_values(loss.dual_bounds(y, C), C);
    for (const double one : duals) {
      for (const double other : duals) {
        const double ends = 0.5 * (loss.dual_value(y, one, C) + loss.dual_value(y, other, C));
        EXPECT_GE(loss.dual_value(y, 0.5 * (one + other), C),
                  ends - 1e-13 * (C + std::abs(one) + std::abs(other)));
      }
    }
  });
}

TEST_P(SeparableLoss, ScalesWithC) {
  for_each_sample([](const auto& loss, double y, double C) {
    for (const double z : z_values) {
      EXPECT_NEAR(loss.value(y, z, 3.0 * C), 3.0 * loss.value(y, z, C), 1e-13 * C * (1.0 + z * z));
    }
  });
}

TEST_P(SeparableLoss, QuadraticTermIsTheDualValue) {
  for_each_sample([]<typename L>(const L& loss, double y, double C) {
    if constexpr (HasQuadraticDual<L>) {
      const QuadraticTerm term = loss.quadratic_term(y, C);
      EXPECT_GE(term.diagonal, 0.0);
      EXPECT_GE(term.kink, 0.0);
      for (const double a : dual_values(loss.dual_bounds(y, C), C)) {
        const double gain = term.linear * a - 0.5 * term.diagonal * a * a - term.kink * std::abs(a);
        EXPECT_NEAR(loss.dual_value(y, a, C), gain, 1e-13 * (C + std::abs(a)));
      }
    }
  });
}

TEST_P(SeparableLoss, DualSlopeAndCurvatureAreDerivatives) {
  for_each_sample([]<typename L>(const L& loss, double y, double C) {
    static_assert(HasQuadraticDual<L> || HasSmoothDual<L>, "no inner solver would take it");
    if constexpr (HasSmoothDual<L>) {
      const double h = 1e-5 * C;
      for (const double share : {0.01, 0.1, 0.4, 0.8, 0.97}) {
        const DualBounds bounds = loss.dual_bounds(y, C);
        const bool bounded = std::isfinite(bounds.upper);
        const double a = bounded ? bounds.lower + share * (bounds.upper - bounds.lower)
                                 : C * (6.0 * share - 3.0);
        const auto slope = [&](double at) { return loss.dual_slope(y, at, C); };
        const double first =
            (loss.dual_value(y, a + h, C) - loss.dual_value(y, a - h, C)) / (2.0 * h);
        EXPECT_NEAR(slope(a), first, 1e-5 * (1.0 + std::abs(first)));
        const double second = -(slope(a + h) - slope(a - h)) / (2.0 * h);
        EXPECT_GT(second, 0.0);
        EXPECT_NEAR(loss.dual_curvature(y, a, C), second, 1e-4 * second);
      }
    }
  });
}

}  // namespace
}  // namespace kernmix::test
