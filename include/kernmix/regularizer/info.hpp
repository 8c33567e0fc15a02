#pragma once
/// \file
/// How a regularizer presents itself in lists.

#include <string>

namespace kernmix {

/// One row of `kernmix list`.
struct RegularizerInfo {
  std::string syntax;   ///< "lp:p=P"
  std::string weights;  ///< the set D
  std::string norm;     ///< Omega(s)
  std::string example;  ///< an instance, for tables and generic tests
};

struct Regularizer;  ///< any of them, see regularizer.hpp

}  // namespace kernmix
