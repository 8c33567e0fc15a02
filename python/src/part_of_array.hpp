#pragma once
/// \file
/// Some rows and columns of an array, read where they lie.

#include <string>
#include <vector>

#include "kernmix/given_matrix.hpp"

namespace kernmix::python {

/// Entries (rows[i], columns[j]) of `whole`, of which nothing is copied before it is asked for:
/// many processes that map one file share its pages. \param name  of the matrix, for messages
/// \throws ParameterError for a row or column that is not there
[[nodiscard]] GivenMatrix part_of_array(ConstMatrix whole, std::vector<Index> rows,
                                        std::vector<Index> columns, const std::string& name);

/// \throws ParameterError for a place that is none of `count`. \param what  "rows", for messages
void require_places(const std::vector<Index>& places, Index count, const char* what,
                    const std::string& name);

/// \throws DataError for an entry that is not finite
[[noreturn]] void refuse_entry(const std::string& name, Index row, Index column, double value);

}  // namespace kernmix::python
