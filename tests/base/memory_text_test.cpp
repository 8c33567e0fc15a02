/// Amounts of memory in messages.

#include "base/memory/memory_text.hpp"

#include <gtest/gtest.h>

namespace kernmix {
namespace {

TEST(MemoryText, HasAUnitOfTheSizeOfTheAmount) {
  EXPECT_EQ(memory_text(std::size_t{1}), "1 byte");
  EXPECT_EQ(memory_text(std::size_t{1000}), "1000 bytes");
  EXPECT_EQ(memory_text(std::size_t{96000}), "93.8 KiB");
  EXPECT_EQ(memory_text(12.5 * 0x1p20), "12.5 MiB");
  EXPECT_EQ(memory_text(1.25 * 0x1p30), "1.25 GiB");
}

TEST(MemoryText, WritesAmountsThatNoMachineHas) {
  EXPECT_EQ(memory_text(0x1p80), "1125899906842624.00 GiB");
}

TEST(MemoryText, OfAnAmountThatIsEnoughIsRoundedUp) {
  EXPECT_EQ(enough_memory_text(1), "1 MiB");
  EXPECT_EQ(enough_memory_text((std::size_t{3} << 20) + 1), "4 MiB");
}

}  // namespace
}  // namespace kernmix
