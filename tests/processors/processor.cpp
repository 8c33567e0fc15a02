/// \file
/// Says as which processor OpenBLAS and Highway take this one.

#include <hwy/highway.h>

#include <cstdio>

extern "C" char* openblas_get_corename();

int main() {
  const std::int64_t targets = hwy::SupportedTargets();
  const std::int64_t best = targets & -targets;
  std::printf("%s %s\n", openblas_get_corename(),
              best == HWY_STATIC_TARGET ? "baseline" : hwy::TargetName(best));
}
