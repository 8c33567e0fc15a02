#pragma once
/// \file
/// The refusal of work that the time limit does not allow.

#include "kernmix/error.hpp"

namespace kernmix {

/// Less time is left than a pass over the kernels and the certificate take. What is solved remains.
struct NoTimeForPass : ResourceError {
  using ResourceError::ResourceError;
};

}  // namespace kernmix
