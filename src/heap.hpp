#pragma once
/// \file
/// What the heap keeps of memory that was freed.

#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace kernmix {

/// Gives the system what is free back: each thread's part of the heap keeps what it held for work
/// that is over, which the others cannot use.
inline void return_free_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace kernmix
