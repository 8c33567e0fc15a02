#pragma once
/// \file
/// Amounts of memory in messages.

#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace kernmix {

/// "1.25 GiB", and below a tenth of it "12.5 MiB".
[[nodiscard]] inline std::string memory_text(std::size_t bytes) {
  const double gib = static_cast<double>(bytes) / 0x1p30;
  return gib < 0.1 ? fmt::format("{:.3g} MiB", gib * 1024.0) : fmt::format("{:.2f} GiB", gib);
}

}  // namespace kernmix
