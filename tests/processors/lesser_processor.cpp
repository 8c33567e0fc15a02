/// \file
/// To be preloaded: HIGHWAY_TARGET in the environment (AVX2, SSE4 or baseline) is the best
/// instruction set that Highway takes, where the processor has it.

#include <hwy/highway.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

std::int64_t target_called(std::string_view name) {
  if (name == "AVX2") return HWY_AVX2;
  if (name == "SSE4") return HWY_SSE4;
  if (name == "baseline") return HWY_STATIC_TARGET;
  std::fprintf(stderr, "lesser_processor: HIGHWAY_TARGET is AVX2, SSE4 or baseline\n");
  std::abort();
}

const bool restricted = [] {
  const char* name = std::getenv("HIGHWAY_TARGET");
  if (name != nullptr) hwy::DisableTargets(target_called(name) - 1);  // better ones are lower bits
  return true;
}();

}  // namespace
