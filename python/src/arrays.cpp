#include "arrays.hpp"

#include <cstdint>

#include "kernmix/error.hpp"
#include "run.hpp"

namespace kernmix::python {
namespace {

/// Keeps the array until its numbers are no longer read; whoever is last need not hold the GIL.
std::shared_ptr<const void> keeper(const MatrixArgument& array) {
  return {new MatrixArgument(array), [](const MatrixArgument* kept) {
            const WithGil gil;
            delete kept;
          }};
}

/// NumPy takes no null for an array without entries.
template <typename T>
T* not_null(T* first) {
  static std::remove_const_t<T> none{};
  return first == nullptr ? &none : first;
}

template <typename T>
std::pair<T*, nb::capsule> owned(T value) {
  T* const kept = new T(std::move(value));
  return {kept, nb::capsule(kept, [](void* p) noexcept { delete static_cast<T*>(p); })};
}

}  // namespace

ConstMatrix borrowed(const MatrixArgument& array, const std::string& name) {
  const auto rows = static_cast<Index>(array.shape(0));
  const auto cols = static_cast<Index>(array.shape(1));
  const Index stride = rows > 1 ? array.stride(0) : cols;
  const bool aligned = reinterpret_cast<std::uintptr_t>(array.data()) % alignof(double) == 0;
  if (stride < cols || (cols > 1 && array.stride(1) != 1) || !aligned) {
    throw ParameterError(name +
                         ": the numbers of a row must lie side by side in memory; "
                         "numpy.ascontiguousarray does that");
  }
  return {array.data(), rows, cols, stride, keeper(array)};
}

Vector vector_of(const VectorArgument& array) {
  Vector values(array.shape(0));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = array(i);
  return values;
}

nb::ndarray<nb::numpy, double, nb::ndim<2>> array_of(Matrix matrix) {
  const auto [kept, owner] = owned(std::move(matrix));
  return {not_null(kept->values.data()), {to_size(kept->rows), to_size(kept->cols)}, owner};
}

nb::ndarray<nb::numpy, double, nb::ndim<1>> array_of(Vector vector) {
  const auto [kept, owner] = owned(std::move(vector));
  return {not_null(kept->data()), {kept->size()}, owner};
}

MatrixArray array_in(nb::handle owner, const Matrix& matrix) {
  return {not_null(matrix.values.data()), {to_size(matrix.rows), to_size(matrix.cols)}, owner};
}

VectorArray array_in(nb::handle owner, const Vector& vector) {
  return {not_null(vector.data()), {vector.size()}, owner};
}

IndexArray array_in(nb::handle owner, const std::vector<Index>& index) {
  return {not_null(index.data()), {index.size()}, owner};
}

std::string path_of(const nb::object& path) {
  const nb::object bytes = nb::module_::import_("os").attr("fsencode")(path);
  const nb::bytes encoded = nb::cast<nb::bytes>(bytes);
  std::string text(encoded.c_str(), encoded.size());
  if (text.find('\0') != std::string::npos) throw ParameterError("a path has a zero byte");
  return text;
}

}  // namespace kernmix::python
