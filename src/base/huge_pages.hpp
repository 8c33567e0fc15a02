#pragma once
/// \file
/// Memory for large arrays that are written once and read often.

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace kernmix {

/// `count` numbers without a value yet, on huge pages where the system has them to give: the first
/// touch of four kilobytes costs as much as filling them.
template <typename T>
[[nodiscard]] std::shared_ptr<T[]> huge_array(std::size_t count) {
  constexpr std::size_t page = std::size_t{1} << 21;
  std::size_t bytes = count * sizeof(T);
  if (bytes < page) return std::make_shared_for_overwrite<T[]>(count);
  bytes = (bytes + page - 1) / page * page;
  void* memory = std::aligned_alloc(page, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  madvise(memory, bytes, MADV_HUGEPAGE);  // advice: nothing is lost where it is not taken
  return {static_cast<T*>(memory), [](T* begin) { std::free(begin); }};
}

}  // namespace kernmix
