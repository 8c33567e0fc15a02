#pragma once
/// \file
/// Memory for large arrays that are written once and read often.

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace kernmix {

/// `count` uninitialised numbers, on huge pages if the system provides them: the page fault of a
/// page of 4 kB takes as long as filling it.
template <typename T>
[[nodiscard]] std::shared_ptr<T[]> huge_array(std::size_t count) {
  constexpr std::size_t page = std::size_t{1} << 21;
  std::size_t bytes = count * sizeof(T);
  if (bytes < page) return std::make_shared_for_overwrite<T[]>(count);
  bytes = (bytes + page - 1) / page * page;
  void* memory = std::aligned_alloc(page, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  madvise(memory, bytes, MADV_HUGEPAGE);  // advice that the system may ignore
  return {static_cast<T*>(memory), [](T* begin) { std::free(begin); }};
}

}  // namespace kernmix
