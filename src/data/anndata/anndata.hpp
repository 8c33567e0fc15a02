#pragma once
/// \file
/// AnnData and MuData, as anndata 0.8 and later write them into HDF5 files
/// (anndata.readthedocs.io/en/latest/fileformat-prose.html).

#include <memory>
#include <vector>

#include "data/arrays/array_file.hpp"
#include "data/arrays/array_place.hpp"
#include "data/file.hpp"

namespace kernmix {

/// True for the file names .h5ad and .h5mu, and for files with `obs` and `var`.
[[nodiscard]] bool is_anndata(const ArrayFile& file);

/// Appends the matrix at the place, by default X, or X of each modality; its samples are named by
/// obs_names, or by the column of obs that is the id column. The columns of obs are labels, ids and
/// the like; at the place `obs` they are features. \throws DataError
void open_anndata(const std::shared_ptr<const ArrayFile>& file, const FilePlace& place,
                  const ReadOptions& options, std::vector<InputFile>& inputs);

}  // namespace kernmix
