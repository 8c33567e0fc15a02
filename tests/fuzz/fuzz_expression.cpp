#include "kernmix/kernel.hpp"
#include "survive.hpp"

using namespace kernmix;

KERNMIX_FUZZ {
  const std::vector<ViewNames> views = {{"color", {"red", "green"}},
                                        {"shape", {"area"}},
                                        {"K", {}, KernelInput::gram},
                                        {"D", {}, KernelInput::distance}};
  for (const KernelDescription& kernel : expand_kernels({text}, views, {})) {
    fuzz::expect(!kernel.name().empty());
  }
}
