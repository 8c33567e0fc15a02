#pragma once
/// \file
/// Indices of columns in a table.

#include <string>
#include <vector>

#include "kernmix/data.hpp"

namespace kernmix {

/// Index of a numbered column beyond the last one of LIBSVM data: all zeros.
inline constexpr Index no_column = -1;

/// The index of each column in table.numbers(), or no_column.
/// \throws DataError naming a column that is missing and the file
[[nodiscard]] std::vector<Index> column_places(const Table& table,
                                               const std::vector<std::string>& names);

/// Moves columns of `values` out of the table: n x |places|, in the order of `places`, which are
/// distinct.
[[nodiscard]] Matrix take_columns(Table& table, const std::vector<Index>& places);

/// Removes the numbers of these columns, not their names.
void leave_out(Table& table, const std::vector<bool>& columns);

}  // namespace kernmix
