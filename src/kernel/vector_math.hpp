#pragma once
/// \file
/// The inner loops of kernel evaluation and prediction, compiled for every instruction set of the
/// processor family and selected at run time. The value of an entry does not depend on other
/// entries or on its position.

#include "kernmix/types.hpp"

namespace kernmix {

/// values[i] = exp(factor * values[i]), within 1 unit in the last place of exp.
void exponentials(double factor, MutableSpan values);

/// The term of each column in a comparison of samples x and z.
enum class ColumnTerm {
  product,              ///< x z
  squared_difference,   ///< (x - z)^2
  absolute_difference,  ///< |x - z|
  chi2,                 ///< (x - z)^2 / (x + z), 0/0 = 0
  harmonic,             ///< 2 x z / (x + z), 0/0 = 0
  minimum               ///< min(x, z)
};

/// Number of right samples in a panel, stored side by side: column c of sample j is values[c *
/// panel_width + j].
inline constexpr Index panel_width = 16;

/// sums[j] = sum_c term(sample[c], panel[c * panel_width + j]) for j < panel_width.
void column_sums(ColumnTerm term, ConstSpan sample, const double* panel, double* sums);

/// out[r * stride + j] += sum_c rows[r][c] panel[c * panel_width + j] for c < columns, j < width.
/// Each sum has the order of its columns, one after the other, whatever else is asked for at the
/// same time. \param width  at most panel_width
void add_products(std::span<const double* const> rows, Index columns, const double* panel,
                  Index width, double* out, Index stride);

}  // namespace kernmix
