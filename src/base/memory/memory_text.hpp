#pragma once
/// \file
/// Amounts of memory in messages.

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string>

namespace kernmix {

/// "1.25 GiB", "12.5 MiB", "64 KiB" or "20 bytes".
[[nodiscard]] inline std::string memory_text(std::size_t bytes) {
  constexpr double kib = 0x1p10;
  const auto count = static_cast<double>(bytes);
  if (count < kib) return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
  if (count < 0.1 * kib * kib) return fmt::format("{:.3g} KiB", count / kib);
  if (count < 0.1 * kib * kib * kib) return fmt::format("{:.3g} MiB", count / (kib * kib));
  return fmt::format("{:.2f} GiB", count / (kib * kib * kib));
}

/// The same rounded up, so that a budget of this size is enough.
[[nodiscard]] inline std::string enough_memory_text(std::size_t bytes) {
  const auto count = static_cast<double>(bytes);
  const double step = count < 0.1 * 0x1p30 ? 0x1p20 : 0x1p30 / 100.0;
  return memory_text(static_cast<std::size_t>(std::ceil(count / step) * step));
}

}  // namespace kernmix
