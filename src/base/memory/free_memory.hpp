#pragma once
/// \file
/// Memory that was freed goes back to the system.

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace kernmix {

/// After many small blocks were freed, by any thread: glibc keeps them for that thread.
inline void return_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace kernmix
