#pragma once
/// \file
/// Ids of samples without names in a part of a table: their rows in the file.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernmix/data.hpp"

namespace kernmix {

/// "(row 3)" of the third sample of a file, which models store.
[[nodiscard]] std::string row_id(Index sample);
/// The number of the row, from 1, if the id is one of row_id().
[[nodiscard]] std::optional<Index> row_of_id(std::string_view id);

/// Gives the samples of a part of a table the ids of their rows, unless they have ids.
/// \param rows  of the table, from 0
void name_by_rows(Table& part, const std::vector<Index>& rows);

/// The row of sample i of a table in its file, from 1. With ids of the user, in the table.
[[nodiscard]] Index file_row(const Table& table, Index i);

/// The rows, from 1, of samples with these places from 0 and ids.
[[nodiscard]] std::vector<Index> file_rows(const std::vector<Index>& places,
                                           const std::vector<std::string>& ids);
/// The ids that the user gave: none where they are rows.
[[nodiscard]] std::vector<std::string> given_ids(const std::vector<std::string>& ids);

}  // namespace kernmix
