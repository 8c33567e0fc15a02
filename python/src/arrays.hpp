#pragma once
/// \file
/// Arrays of NumPy and the library's numbers.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix::python {

namespace nb = nanobind;

using MatrixArgument = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
using VectorArgument = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using MatrixArray = nb::ndarray<nb::numpy, const double, nb::ndim<2>>;
using VectorArray = nb::ndarray<nb::numpy, const double, nb::ndim<1>>;
using IndexArray = nb::ndarray<nb::numpy, const Index, nb::ndim<1>>;

/// The caller's numbers, kept alive and not copied.
/// \throws ParameterError where the numbers of a row do not lie side by side
[[nodiscard]] ConstMatrix borrowed(const MatrixArgument& array, const std::string& name);
/// A copy.
[[nodiscard]] Vector vector_of(const VectorArgument& array);

// Results, which own their numbers.
[[nodiscard]] nb::ndarray<nb::numpy, double, nb::ndim<2>> array_of(Matrix matrix);
[[nodiscard]] nb::ndarray<nb::numpy, double, nb::ndim<1>> array_of(Vector vector);

// Arrays to read that lie in `owner`.
[[nodiscard]] MatrixArray array_in(nb::handle owner, const Matrix& matrix);
[[nodiscard]] VectorArray array_in(nb::handle owner, const Vector& vector);
[[nodiscard]] IndexArray array_in(nb::handle owner, const std::vector<Index>& index);

/// The bytes of a path (str, bytes or os.PathLike) in the file system's encoding.
/// \throws ParameterError for one with a zero byte
[[nodiscard]] std::string path_of(const nb::object& path);

}  // namespace kernmix::python
