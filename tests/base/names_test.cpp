#include "base/names.hpp"

#include <gtest/gtest.h>

namespace kernmix::testing {
namespace {

enum class Fruit { apple, pear, plum };

constexpr Named<Fruit> fruit_names[] = {{Fruit::apple, "apple"}, {Fruit::pear, "pear"}};

TEST(Names, AValueAndItsNameFindEachOther) {
  EXPECT_EQ(name_in(fruit_names, Fruit::pear), "pear");
  EXPECT_EQ(find_in(fruit_names, "pear"), Fruit::pear);
}

TEST(Names, WhatTheTableDoesNotHaveIsUnknown) {
  EXPECT_EQ(name_in(fruit_names, Fruit::plum), "unknown");
  EXPECT_EQ(find_in(fruit_names, "plum"), std::nullopt);
  EXPECT_EQ(find_in(fruit_names, "Pear"), std::nullopt);
}

}  // namespace
}  // namespace kernmix::testing
