#pragma once
/// \file
/// The kernel language: `rbf(gamma=2^-6..2^3) on color, each`, `poly(degree=1..3) on all`,
/// `chi2 on hist*`, `precomputed`. One expression describes a family of base kernels.

#include <string>
#include <string_view>
#include <vector>

#include "kernmix/kernel/function.hpp"
#include "kernmix/kernel/normalization.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// One base kernel, fully described: what an expression expands to, what a report prints, what a
/// model stores.
struct KernelDescription {
  KernelFunction function;
  std::string view;                  ///< the view it reads
  std::vector<std::string> columns;  ///< the columns of the view it reads; empty for matrices
  bool from_matrix = false;          ///< the view is a given Gram or distance matrix
  std::string group;                 ///< name of its group: the view, unless given
  Normalization normalization;
  [[nodiscard]] std::string name() const;  ///< "rbf(gamma=0.5) on color" / "... on color:red"
};

/// What the language needs to know of the data.
struct ViewNames {
  std::string name;
  std::vector<std::string> columns;  ///< empty for a given matrix
  KernelInput input = KernelInput::features;
};

/// Expands expressions over views, in order; `all` is every feature view's columns joined.
/// \param expressions  each "FUNCTION[(PARAM=VALUES, ...)] [on VIEWS] [, each] [, normalize=RULE]
///                     [, group=NAME]"; VALUES is a number, 2^k, a range `a..b` (integers, or
///                     powers with the same base), or a list `{0.1; 1; 10}`; VIEWS are names or
///                     globs separated by '|'.
/// \param default_rule the normalisation of expressions that do not say their own
/// \throws ParameterError whose message shows the expression with a caret under the character
[[nodiscard]] std::vector<KernelDescription> expand_kernels(
    const std::vector<std::string>& expressions, const std::vector<ViewNames>& views,
    const Normalization& default_rule);

}  // namespace kernmix
