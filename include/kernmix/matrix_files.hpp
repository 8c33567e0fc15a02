#pragma once
/// \file
/// Given matrices in files, with their names.

#include <string>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/given_matrix.hpp"

namespace kernmix {

/// A matrix of a file and the name of its view.
struct MatrixInFile {
  std::string name;
  GivenMatrix matrix;
};

/// The matrices of "FILE" or "NAME=FILE" as open_matrices() reads them. NAME is the stem of the
/// file unless it is given. One matrix is called NAME; several arrays of an NPZ, HDF5 or MATLAB
/// file have their own names, and the matrices of one stack are NAME[0], NAME[1], ... \param
/// columns  how many columns the matrices may have, if it is known: for prediction the number of
/// training samples and that of support vectors. Of a stack they tell which dimension counts its
/// matrices.
/// \throws as open_matrices()
[[nodiscard]] std::vector<MatrixInFile> open_matrix_file(const std::string& specification,
                                                         const std::vector<Index>& columns = {},
                                                         const Context& context = {});

}  // namespace kernmix
