#include "data/prediction/shifted_names.hpp"

#include <gtest/gtest.h>

#include "kernmix/error.hpp"
#include "kernmix/types.hpp"

namespace kernmix {
namespace {

using Names = std::vector<std::string>;

Names counted(Index first, Index count, const std::string& prefix = "") {
  Names names;
  for (Index j = first; j < first + count; ++j) names.push_back(prefix + std::to_string(j));
  return names;
}

/// The names at the places of ones in the binary digits of `subset`.
Names some_of(const Names& names, unsigned subset) {
  Names some;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if ((subset >> j & 1U) != 0) some.push_back(names[j]);
  }
  return some;
}

TEST(ShiftedNames, EverySubsetWithZeroAndWithoutTheLastIsShifted) {
  constexpr Index D = 5;
  for (const std::string prefix : {"", "rna.", "a.b."}) {
    for (unsigned subset = 1; subset < 1U << (D + 1); ++subset) {
      Names features = some_of(counted(0, D + 1, prefix), subset);
      const bool has_zero = (subset & 1U) != 0;
      const bool has_last = (subset >> D & 1U) != 0;
      const CountedNames found = compare_counts(features, counted(1, D, prefix));
      EXPECT_EQ(found.shifted, has_zero && !has_last) << subset;
      EXPECT_EQ(found.one_more, has_zero && has_last) << subset;
      features.insert(features.begin(), "age");  // other columns change nothing
      EXPECT_EQ(compare_counts(features, counted(1, D, prefix)).shifted, found.shifted);
    }
  }
}

TEST(ShiftedNames, TheReverseIsShiftedWhereOneNumberIsBeyondTraining) {
  constexpr Index D = 5;
  for (unsigned subset = 1; subset < 1U << (D + 1); ++subset) {
    const Names features = some_of(counted(0, D + 1), subset);
    const bool has_zero = (subset & 1U) != 0;
    const bool has_last = (subset >> D & 1U) != 0;
    EXPECT_EQ(compare_counts(features, counted(0, D)).shifted, !has_zero && has_last) << subset;
  }
}

TEST(ShiftedNames, OtherNamesAreNotCounts) {
  const Names wavelengths = {"0.1", "0.2", "0.3"};
  EXPECT_FALSE(compare_counts({"0.0", "0.1", "0.2"}, wavelengths).shifted);
  EXPECT_FALSE(compare_counts({"00", "01"}, counted(1, 2)).shifted);
  EXPECT_FALSE(compare_counts({"a0", "a1"}, {"a1", "a2"}).shifted);
  EXPECT_FALSE(compare_counts(counted(0, 3), {"1", "2", "4"}).shifted);
  EXPECT_FALSE(compare_counts(counted(0, 3), {"age"}).shifted);
  EXPECT_FALSE(compare_counts({}, counted(1, 2)).shifted);
  EXPECT_FALSE(compare_counts(counted(0, 2), {}).shifted);
}

TEST(ShiftedNames, TheRefusalNamesFileAndRemedy) {
  try {
    refuse_shifted_names(counted(0, 3), counted(1, 3), "new.csv");
    FAIL();
  } catch (const DataError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("new.csv: ")) << text;
    EXPECT_NE(text.find("--ignore 0"), std::string::npos) << text;
  }
  EXPECT_NO_THROW(refuse_shifted_names(counted(1, 3), counted(1, 3), "new.csv"));
}

}  // namespace
}  // namespace kernmix
