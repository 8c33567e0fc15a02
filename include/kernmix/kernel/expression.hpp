#pragma once
/// \file
/// The kernel language: `rbf(gamma=2^-6..2^3) on color, each`, `poly(degree=1..3) on all`,
/// `chi2 on hist*`, `precomputed`. One expression describes a family of base kernels.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernmix/kernel/function.hpp"
#include "kernmix/kernel/normalization.hpp"
#include "kernmix/kernel/width.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// One base kernel, fully described: what an expression expands to, what a report prints, what a
/// model stores.
struct KernelDescription {
  KernelFunction function;
  /// Of `width=median*2`: the width follows from the training data; before it does, gamma is not a
  /// number, which every use of `function` refuses.
  std::optional<RelativeWidth> relative_width = {};
  std::string view;                  ///< the view it reads
  std::vector<std::string> columns;  ///< the columns of the view it reads; empty for matrices
  bool from_matrix = false;          ///< the view is a given Gram or distance matrix
  std::string group;                 ///< name of its group: the view, unless given
  Normalization normalization;
  /// "rbf(gamma=0.5) on color", or "... on color:red" where red is the only column it reads; of a
  /// width that follows from data "rbf(width=median*2) on color".
  [[nodiscard]] std::string name() const;
};

/// What the language needs to know of the data.
struct ViewNames {
  std::string name;
  std::vector<std::string> columns;  ///< empty for a given matrix
  KernelInput input = KernelInput::features;
};

/// Expands expressions over views, in order: for each view, for each column where `each` is said,
/// for each combination of parameter values, the last parameter running fastest.
/// \param expressions  each "FUNCTION[(PARAM=VALUES, ...)] [on VIEWS] [, each] [, normalize=RULE]
///                     [, group=NAME]"; VALUES is a number, a power `2^k`, a range `a..b` of whole
///                     numbers or of powers of the same base (2^-6..2^3, 1e-3..1e3), or a list
///                     `{0.1; 1; 2..5}`; of a width also `median`, `near`,
///                     `median*VALUES` or `near*VALUES`, relative to distances between the training
///                     samples; VIEWS are names, globs, quoted names, `all` (every
///                     feature view's columns joined, each once) or `each view`, joined by '|'.
///                     Globs and `each view` pass over views that the function cannot read; no
///                     `on` means `on each view`. A gamma that is needed and not given is
///                     1 / columns.
/// \param default_rule the normalisation of expressions that do not say their own
/// \throws ParameterError whose message shows the expression with a caret under the character
[[nodiscard]] std::vector<KernelDescription> expand_kernels(
    const std::vector<std::string>& expressions, const std::vector<ViewNames>& views,
    const Normalization& default_rule);

}  // namespace kernmix
