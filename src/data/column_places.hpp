#pragma once
/// \file
/// Where a table has the columns that somebody reads or takes.

#include <string>
#include <vector>

#include "kernmix/data.hpp"

namespace kernmix {

/// The place of a numbered column that LIBSVM data does not reach: all zeros.
inline constexpr Index no_column = -1;

/// The place of each column in table.numbers(), or no_column.
/// \throws DataError naming a column that is missing and the file
[[nodiscard]] std::vector<Index> column_places(const Table& table,
                                               const std::vector<std::string>& names);

/// Takes columns of `values` out of the table: n x |places|, in the order of the places, which
/// differ.
[[nodiscard]] Matrix take_columns(Table& table, const std::vector<Index>& places);

}  // namespace kernmix
