#pragma once
/// \file
/// Base kernel functions: a closed set of small values. Each lives in one file of
/// `src/kernel/functions/`; the registry in `src/kernel/function.cpp` has one line for each.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernmix/given_matrix.hpp"
#include "kernmix/kernel/source.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// What a kernel function reads.
enum class KernelInput {
  features,     ///< columns of a view
  nonnegative,  ///< columns of a view that must be >= 0 (read unscaled)
  gram,         ///< a given Gram matrix
  distance      ///< a given matrix of distances
};

/// A kernel function with all its parameters fixed, e.g. {"rbf", {{"gamma", 0.5}}}.
/// Plain data: it is what an expression expands to and what a model file stores.
struct KernelFunction {
  std::string name;                          ///< registered name: "linear", "poly", "rbf", ...
  std::map<std::string, double> parameters;  ///< every parameter, defaults filled in
  [[nodiscard]] std::string text() const;    ///< "rbf(gamma=0.5)": parses back to the same value
  friend bool operator==(const KernelFunction&, const KernelFunction&) = default;
};

/// One row of `kernmix list`.
struct KernelFunctionInfo {
  std::string name;
  std::string formula;     ///< "exp(-gamma |x - z|^2)"
  std::string parameters;  ///< "gamma > 0 or width > 0 (gamma = 1 / (2 width^2))"
  KernelInput input;       ///< what it reads when applied to a view
  bool on_distances;       ///< may also be applied to a given distance matrix
  bool always_psd;
};
[[nodiscard]] const std::vector<KernelFunctionInfo>& kernel_functions();

/// Checks the name, fills in defaults, checks ranges.
/// \throws ParameterError "unknown kernel 'rfb', did you mean 'rbf'?", "rbf: gamma must be > 0, got
/// -1"
[[nodiscard]] KernelFunction make_kernel_function(std::string_view name,
                                                  const std::map<std::string, double>& parameters);

/// The kernel `function` between the rows of `left` and those of `right` (same columns).
/// Matrices are shared, not copied; pass the same pointer twice for a training kernel.
[[nodiscard]] KernelSourcePtr feature_source(const KernelFunction& function,
                                             std::shared_ptr<const Matrix> left,
                                             std::shared_ptr<const Matrix> right);

/// A given Gram matrix (function "precomputed") or a distance-based kernel of a given distance
/// matrix, left samples x right samples. Numbers of a matrix that is not in memory are looked at
/// when they are read. \param diagonal  of a square Gram matrix where it is known; {}: it is read
/// \throws DataError for one that is not finite or, of distances, negative
[[nodiscard]] KernelSourcePtr matrix_source(const KernelFunction& function, GivenMatrix matrix,
                                            Vector diagonal = {});

}  // namespace kernmix
