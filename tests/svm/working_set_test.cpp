#include "svm/smo/working_set.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <limits>
#include <random>
#include <vector>

namespace kernmix::smo {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Arrays {
  Vector gradient;
  std::vector<float> rise, fall, diagonal, row_i, row_j;

  Arrays(Index n, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    for (Index k = 0; k < n; ++k) {
      gradient.push_back(std::round(8.0 * unit(random)) / 8.0);  // with ties
      rise.push_back(unit(random) < 0.3 ? 0.0F : std::numeric_limits<float>::infinity());
      fall.push_back(unit(random) < 0.3 ? 0.0F : -std::numeric_limits<float>::infinity());
      diagonal.push_back(1.0F);
      row_i.push_back(0.25F * static_cast<float>(std::round(2.0 * unit(random))));
      row_j.push_back(0.25F * static_cast<float>(std::round(2.0 * unit(random))));
    }
  }
  PassArrays view() {
    return {length(gradient), gradient.data(), rise.data(), fall.data(), diagonal.data()};
  }
  [[nodiscard]] Candidate naive_riser() const {
    Candidate best{-1, infinity};
    for (Index k = 0; k < length(gradient); ++k) {
      if (rise[k] == 0.0F && gradient[k] < best.gradient) best = {k, gradient[k]};
    }
    return best;
  }
  [[nodiscard]] Partner naive_faller(Candidate riser) const {
    Partner best;
    float best_gain = 0.0F;
    for (Index k = 0; k < length(gradient); ++k) {
      const double difference = gradient[k] - riser.gradient;
      if (fall[k] != 0.0F || difference <= 0.0) continue;
      best.violation = std::max(best.violation, difference);
      const float single = static_cast<float>(difference);
      const float gain = single * single / (2.0F - 2.0F * row_i[k]);
      if (gain > best_gain) {
        best_gain = gain;
        best.index = k;
      }
    }
    return best;
  }
};

/// Runs on one instruction set at a time; the machine's own choice is restored at the end.
class WorkingSet : public ::testing::TestWithParam<int64_t> {
 protected:
  void SetUp() override {
    hwy::SetSupportedTargetsForTest(GetParam());
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  void TearDown() override {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

TEST_P(WorkingSet, AgreesWithTheDefinitions) {
  for (Index n = 1; n < 70; ++n) {
    Arrays arrays(n, static_cast<std::uint64_t>(n));
    const Candidate riser = select_riser(arrays.view());
    const Candidate naive = arrays.naive_riser();
    ASSERT_EQ(riser.index, naive.index) << "n = " << n;
    if (naive.index < 0) continue;
    EXPECT_EQ(riser.gradient, naive.gradient);
    const Partner partner = select_faller(arrays.view(), riser, arrays.row_i.data());
    const Partner expected = arrays.naive_faller(riser);
    ASSERT_EQ(partner.index, expected.index) << "n = " << n;
    EXPECT_EQ(partner.violation, expected.violation);

    Arrays moved = arrays;
    for (Index k = 0; k < n; ++k) {
      moved.gradient[k] += 0.5 * (double{arrays.row_i[k]} - double{arrays.row_j[k]});
    }
    const Candidate next =
        move_and_select_riser(arrays.view(), 0.5, arrays.row_i.data(), arrays.row_j.data());
    EXPECT_EQ(arrays.gradient, moved.gradient);
    EXPECT_EQ(next.index, moved.naive_riser().index);

    add_row(-0.5, arrays.row_i.data(), arrays.gradient.data(), n);
    for (Index k = 0; k < n; ++k) moved.gradient[k] -= 0.5 * double{arrays.row_i[k]};
    EXPECT_EQ(arrays.gradient, moved.gradient);
  }
}

/// The square of a difference of 1e-30 is 0 in single precision; the pair must still be found.
TEST_P(WorkingSet, FindsAPairWhoseGainUnderflows) {
  Arrays arrays(9, 1);
  arrays.gradient.assign(9, 0.0);
  arrays.rise.assign(9, 0.0F);
  arrays.fall.assign(9, 0.0F);
  arrays.gradient[4] = 1e-30;
  arrays.gradient[6] = 2e-30;
  const Candidate riser = select_riser(arrays.view());
  EXPECT_EQ(riser.index, 0);
  EXPECT_EQ(select_faller(arrays.view(), riser, arrays.row_i.data()).index, 6);
}

INSTANTIATE_TEST_SUITE_P(EveryInstructionSet, WorkingSet,
                         ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& target) {
                           return std::string(hwy::TargetName(target.param));
                         });

}  // namespace
}  // namespace kernmix::smo
