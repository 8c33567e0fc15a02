#include "base/samples.hpp"

#include <gtest/gtest.h>

#include <string>

namespace kernmix::testing {
namespace {

TEST(Samples, RangesCountUpToTheirEnd) {
  EXPECT_EQ(index_range(3, 6), (std::vector<Index>{3, 4, 5}));
  EXPECT_EQ(index_range<int>(0, 2), (std::vector<int>{0, 1}));
  EXPECT_TRUE(index_range(4, 4).empty());
  EXPECT_EQ(all_samples(3), (std::vector<Index>{0, 1, 2}));
}

TEST(Samples, EntriesComeInTheOrderOfTheirPlacesAndMayRepeat) {
  const std::vector<std::string> names = {"a", "b", "c"};
  const std::vector<Index> places = {2, 0, 2};
  EXPECT_EQ(entries_at(names, places), (std::vector<std::string>{"c", "a", "c"}));
  const Vector numbers = {1.0, 2.0, 3.0};
  EXPECT_EQ(entries_at(ConstSpan(numbers).subspan(1), std::vector<Index>{1}), Vector{3.0});
}

TEST(Samples, SlicesLieInPlace) {
  Vector numbers = {1.0, 2.0, 3.0, 4.0};
  const ConstSpan middle = slice(numbers, 1, 3);
  EXPECT_EQ(middle.data(), numbers.data() + 1);
  EXPECT_EQ(middle.size(), 2u);
  slice(MutableSpan(numbers), 3, 4).front() = 5.0;
  EXPECT_EQ(numbers.back(), 5.0);
  EXPECT_TRUE(slice(numbers, 4, 4).empty());
}

TEST(Samples, WhatIsLeftOutHasNoEntries) {
  EXPECT_TRUE(entries_at(Vector(), std::vector<Index>{0, 5}).empty());
}

}  // namespace
}  // namespace kernmix::testing
