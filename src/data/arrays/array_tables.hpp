#pragma once
/// \file
/// Tables in files of arrays.

#include <string>
#include <vector>

#include "data/arrays/array_file.hpp"
#include "data/arrays/array_place.hpp"
#include "data/file.hpp"

namespace kernmix {

/// Appends the tables of the file, or the one at the place: a matrix of numbers, and the vectors of
/// as many entries, which may be labels and ids. \throws DataError if no array, or several, may be
/// meant, naming all
void open_stored(const FilePlace& place, const ReadOptions& options,
                 std::vector<InputFile>& inputs);

/// Tables of one name in different files, such as X, get the stem of their file as (part of) the
/// name.
void name_apart(std::vector<InputFile>& inputs);

/// Reads a table that open_stored() has opened.
[[nodiscard]] FileTable read_stored(const InputFile& file, const ReadOptions& options);

}  // namespace kernmix
