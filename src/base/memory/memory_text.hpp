#pragma once
/// \file
/// Amounts of memory in messages.

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string>

namespace kernmix {

/// "1.25 GiB", "12.5 MiB", "64 KiB" or "20 bytes".
[[nodiscard]] inline std::string memory_text(double bytes) {
  constexpr double kib = 0x1p10;
  if (bytes < kib) return fmt::format("{:.0f} byte{}", bytes, bytes == 1.0 ? "" : "s");
  if (bytes < 0.1 * kib * kib) return fmt::format("{:.3g} KiB", bytes / kib);
  if (bytes < 0.1 * kib * kib * kib) return fmt::format("{:.3g} MiB", bytes / (kib * kib));
  return fmt::format("{:.2f} GiB", bytes / (kib * kib * kib));
}
[[nodiscard]] inline std::string memory_text(std::size_t bytes) {
  return memory_text(static_cast<double>(bytes));
}

/// The same rounded up, so that a budget of this size is enough.
[[nodiscard]] inline std::string enough_memory_text(std::size_t bytes) {
  const auto count = static_cast<double>(bytes);
  const double step = count < 0.1 * 0x1p30 ? 0x1p20 : 0x1p30 / 100.0;
  return memory_text(static_cast<std::size_t>(std::ceil(count / step) * step));
}

}  // namespace kernmix
