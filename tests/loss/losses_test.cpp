/// \file
/// What every registered loss must satisfy on many samples: its bias, its bounds, its dual set.

#include "losses.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "kernmix/error.hpp"
#include "loss/any.hpp"

namespace kernmix::test {
namespace {

class EveryLoss : public ::testing::TestWithParam<std::string> {
 protected:
  /// body(loss, rule, samples) for every bias rule and several random problems.
  template <typename Body>
  void for_each_problem(const Body& body) const {
    const Loss loss = parse_loss(GetParam());
    for (const Bias rule : bias_rules(loss)) {
      for (unsigned seed = 1; seed <= 12; ++seed) {
        body(loss, rule, Samples(loss, rule, 2 + 3 * (seed - 1), seed));
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Every, EveryLoss, ::testing::ValuesIn(loss_texts()),
                         [](const auto& entry) { return test_name(entry.param); });

double dot(const Vector& u, const Vector& v) {
  return std::inner_product(u.begin(), u.end(), v.begin(), 0.0);
}

TEST_P(EveryLoss, TextParsesBack) {
  const Loss loss = parse_loss(GetParam());
  EXPECT_EQ(parse_loss(loss_text(loss)).any().index(), loss.any().index());
  EXPECT_EQ(loss_text(parse_loss(loss_text(loss))), loss_text(loss));
}

/// value - gain + a'z = gap >= 0: the inner part of the certificate.
TEST_P(EveryLoss, GapIsPrimalMinusDual) {
  for_each_problem([](const Loss& loss, Bias rule, const Samples& samples) {
    const auto& [y, z, C, a] = samples;
    const LossPoint point = loss_at(loss, rule, y, z, a, C);
    const double gain = dual_gain(loss, rule, y, a, C);
    double size = std::abs(point.value) + std::abs(gain);
    for (std::size_t i = 0; i < a.size(); ++i)
      size += std::abs(a[i] * (z[i] + point.bias[i % point.bias.size()]));
    EXPECT_GE(point.gap, 0.0);
    EXPECT_NEAR(point.gap, point.value - gain + dot(a, z), 1e-11 * size) << bias_name(rule);
  });
}

TEST_P(EveryLoss, TheFreeBiasIsBest) {
  for_each_problem([](const Loss& loss, Bias rule, const Samples& samples) {
    if (rule != Bias::free) return;
    const auto& [y, z, C, a] = samples;
    const double best = loss_at(loss, rule, y, z, a, C).value;
    visit(
        [&]<typename L>(const L& l) {
          if constexpr (IsSeparableLoss<L>) {
            const double b = best_bias(l, y, z, C);
            for (const double move : {1e-5, 1e-3, 0.05, 0.4, 1.0, 3.0, 20.0}) {
              for (const double other : {b - move, b + move}) {
                double value = 0.0;
                for (std::size_t i = 0; i < y.size(); ++i)
                  value += l.value(y[i], z[i] + other, C[i]);
                EXPECT_LE(best, value * (1.0 + 1e-12)) << "b = " << b << ", not " << other;
              }
            }
          }
        },
        loss);
  });
}

TEST_P(EveryLoss, DualSetHasTheBoundsOfTheLossAndHoldsItsSums) {
  if (joins_classes(parse_loss(GetParam()))) GTEST_SKIP() << "tests/joint has its set";
  for_each_problem([](const Loss& loss, Bias rule, const Samples& samples) {
    const auto& [y, z, C, a] = samples;
    const DualSet set = dual_set(loss, rule, y, C);
    ASSERT_EQ(set.lower.size(), y.size());
    ASSERT_EQ(set.upper.size(), y.size());
    Vector sums(set.totals.size(), 0.0);
    double size = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_GE(a[i], set.lower[i]);
      EXPECT_LE(a[i], set.upper[i]);
      if (set.balanced()) sums[static_cast<std::size_t>(set.block[i])] += a[i];
      size += std::abs(a[i]);
      visit(
          [&]<typename L>(const L& l) {
            if constexpr (IsSeparableLoss<L>) {
              EXPECT_EQ(set.lower[i], l.dual_bounds(y[i], C[i]).lower);
              EXPECT_EQ(set.upper[i], l.dual_bounds(y[i], C[i]).upper);
            }
          },
          loss);
    }
    for (std::size_t c = 0; c < sums.size(); ++c) EXPECT_NEAR(sums[c], set.totals[c], 1e-12 * size);
    Vector again = a;
    make_feasible(set, again);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(again[i], a[i], 1e-12 * size);
  });
}

TEST_P(EveryLoss, FreeSamplesMoveSmoothly) {
  if (joins_classes(parse_loss(GetParam()))) GTEST_SKIP() << "its rows move together";
  for_each_problem([](const Loss& loss, Bias rule, const Samples& samples) {
    const auto& [y, z, C, a] = samples;
    const DualSet set = dual_set(loss, rule, y, C);
    const Vector curvature = dual_curvature(loss, y, a, C);
    for (const Index free : free_samples(loss, set, y, a, C)) {
      const auto i = static_cast<std::size_t>(free);
      const double h = 1e-4 * C[i];
      const double room = std::min(set.upper[i] - a[i], a[i] - set.lower[i]);
      if (room < 10.0 * h || (std::abs(a[i]) < 10.0 * h && a[i] != 0.0)) continue;
      const auto gain = [&](double move) {
        Vector moved = a;
        moved[i] += move;
        return dual_gain(loss, Bias::free, y, moved, C);
      };
      const double second = -(gain(h) - 2.0 * gain(0.0) + gain(-h)) / (h * h);
      const double rounding = 1e-14 * (std::abs(gain(0.0)) + C[i]) / (h * h);
      EXPECT_NEAR(curvature[i], second, 1e-3 * curvature[i] + rounding);
    }
  });
}

TEST_P(EveryLoss, RefusesWhatItCannotLearnFrom) {
  const Loss loss = parse_loss(GetParam());
  Samples samples(loss, Bias::free, 6, 1);
  EXPECT_NO_THROW(check_loss(loss, Bias::free, samples.y, samples.C));
  Samples wrong = samples;
  wrong.C[2] = 0.0;
  EXPECT_THROW(check_loss(loss, Bias::free, wrong.y, wrong.C), ParameterError);
  wrong = samples;
  wrong.y[2] = std::nan("");
  EXPECT_THROW(check_loss(loss, Bias::free, wrong.y, wrong.C), DataError);
  if (loss_target(loss) != Target::classes) return;
  wrong = samples;
  wrong.y[2] = 0.5;
  EXPECT_THROW(check_loss(loss, Bias::free, wrong.y, wrong.C), DataError);
}

void expect_refusal(const std::string& text, const std::string& sentence) {
  try {
    static_cast<void>(parse_loss(text));
    FAIL() << "accepted " << text;
  } catch (const ParameterError& error) {
    EXPECT_EQ(std::string(error.what()), sentence);
  }
}

TEST(ParseLoss, RefusesParametersOutOfRange) {
  expect_refusal("epsilon:eps=-1", "epsilon: eps must be 0 or lie in [1e-50, 1e+50], got -1");
  expect_refusal("squared-epsilon:inf",
                 "squared-epsilon: eps must be 0 or lie in [1e-50, 1e+50], got inf");
  expect_refusal("huber:delta=0", "huber: delta must lie in [1e-50, 1e+50], got 0");
  expect_refusal("huber-hinge:h=0", "huber-hinge: h must lie in [1e-50, 1e+50], got 0");
  expect_refusal("pinball:tau=1", "pinball: tau must be >= 1e-50 and < 1, got 1");
  expect_refusal("nu-svc:nu=0", "nu-svc: nu must be >= 1e-50 and <= 1, got 0");
  expect_refusal("one-class:nu=3/2", "one-class: nu must be >= 1e-50 and <= 1, got 1.5");
  expect_refusal("epsilon", "epsilon: give eps, as in epsilon:eps=0.1");
  expect_refusal("logistic:1", "logistic: takes no argument, got '1'");
}

TEST(ParseLoss, NamesTheExampleForMissingNumbers) {
  for (const LossInfo& row : losses()) {
    const std::string name = row.example.substr(0, row.example.find(':'));
    if (name == row.example) continue;
    const std::string parameter = row.example.substr(name.size() + 1);
    expect_refusal(name, name + ": give " + parameter.substr(0, parameter.find('=')) + ", as in " +
                             row.example);
  }
}

TEST(ParseLoss, NamesWhatItKnows) {
  try {
    static_cast<void>(parse_loss("hing"));
    FAIL();
  } catch (const ParameterError& error) {
    const std::string sentence = error.what();
    EXPECT_EQ(sentence.rfind("unknown loss 'hing', known are hinge, squared-hinge,", 0), 0u);
    for (const LossInfo& row : losses()) EXPECT_NE(sentence.find(row.syntax), std::string::npos);
  }
}

TEST(CheckLoss, RefusesParametersThatNobodyParsed) {
  const Vector y = {1.0, -1.0};
  EXPECT_THROW(check_loss(Epsilon{-1.0}, Bias::free, y, Vector(2, 1.0)), ParameterError);
  EXPECT_THROW(check_loss(NuSvc{2.0}, Bias::free, y, Vector(2, 1.0)), ParameterError);
}

}  // namespace
}  // namespace kernmix::test
