#pragma once
/// \file
/// Large vectors of zeros: the system clears gigabytes for seconds, in which nobody could stop it.

#include <algorithm>

#include "base/samples.hpp"
#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// \throws ResourceError if time is up or the user stops
[[nodiscard]] inline Vector zeros(std::size_t size, const Context& context) {
  constexpr std::size_t step = std::size_t{1} << 23;  // 64 MiB
  Vector numbers;
  numbers.reserve(size);
  while (numbers.size() < size) {
    stop_if_asked(context);
    numbers.resize(std::min(numbers.size() + step, size));
  }
  return numbers;
}

}  // namespace kernmix
