#pragma once
/// \file
/// The views that given matrices count to in results.

#include <map>
#include <string>

#include "kernmix/kernel.hpp"

namespace kernmix {

/// For matrices that are computed from the columns of a view, by the name of the matrix: this view.
/// Other matrices are views of their own.
using ViewOfMatrix = std::map<std::string, std::string>;

/// The view that a kernel counts to in results.
[[nodiscard]] inline const std::string& counted_view(const KernelDescription& kernel,
                                                     const ViewOfMatrix& view_of_matrix) {
  if (!kernel.from_matrix) return kernel.view;
  const auto found = view_of_matrix.find(kernel.view);
  return found == view_of_matrix.end() ? kernel.view : found->second;
}

}  // namespace kernmix
