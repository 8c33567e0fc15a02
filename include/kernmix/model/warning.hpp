#pragma once
/// \file
/// What a training run should be told to its user beside its answer (docs/warnings.md).

#include <string>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

struct Warning {
  std::string code;            ///< "kernel-near-identity": one of those in docs/warnings.md
  std::string message;         ///< what was seen, by name, and what to do
  std::vector<Index> kernels;  ///< those that it speaks of, if any
};

}  // namespace kernmix
