#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "data/arrays/array_file.hpp"
#include "data/arrays/array_matrices.hpp"
#include "data/arrays/array_place.hpp"
#include "data/file.hpp"
#include "data/matrices/finite_matrix.hpp"
#include "data/matrices/matrix_text.hpp"
#include "data/npy/npy.hpp"
#include "data/npy/npy_file.hpp"
#include "kernmix/data.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Matrices from a pipe.
std::vector<Matrix> parse_npy_matrices(const InputFile& file) {
  std::vector<Index> shape;
  const Vector values = parse_npy(file.text, file.path, shape);
  if (shape.size() < 2) {
    throw DataError(fmt::format("{}: matrices need shape (n, n) or (M, n, n), this array has ({},)",
                                file.path, shape[0]));
  }
  std::vector<Matrix> matrices(to_size(shape.size() == 3 ? shape[0] : 1),
                               Matrix(shape[shape.size() - 2], shape.back()));
  auto first = values.begin();
  for (std::size_t m = 0; m < matrices.size(); ++m) {
    std::copy_n(first, matrices[m].values.size(), matrices[m].values.begin());
    first += length(matrices[m].values);
    require_finite(file.path, matrices[m], static_cast<Index>(m));
  }
  return matrices;
}

/// Entry (m, i, j) of a stack in Fortran order stands at m + M (i + rows j).
std::vector<Matrix> read_interleaved(const NpyFile& file, const Context& context) {
  constexpr Index together = 8;  // columns: a cache line of a row
  const Index count = file.matrices();
  require_memory_of_numbers(file.path(), count * file.rows() * file.cols(), context);
  std::vector<Matrix> matrices(to_size(count), Matrix(file.rows(), file.cols()));
  Vector numbers;
  for (Index begin = 0; begin < file.cols(); begin += together) {
    stop_reading_if_asked(file.path(), context);
    const Index columns = std::min(together, file.cols() - begin);
    numbers.resize(to_size(columns * file.rows() * count));
    file.numbers(begin * file.rows() * count, numbers);
    for (Index m = 0; m < count; ++m) {
      Matrix& matrix = matrices[to_size(m)];
      for (Index i = 0; i < matrix.rows; ++i) {
        for (Index j = 0; j < columns; ++j) {
          matrix(i, begin + j) = numbers[to_size((j * matrix.rows + i) * count + m)];
        }
      }
    }
  }
  return matrices;
}

/// True for a regular file with the signature of .npy; other defects are reported when it is
/// opened.
bool is_npy_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failure;
  if (!fs::is_regular_file(path, failure))
    return false;  // opening and closing a pipe would terminate its writer
  const Descriptor in = open_to_read(path);
  std::array<char, 6> start{};
  const ssize_t count = ::pread(in.number(), start.data(), start.size(), 0);
  return count > 0 &&
         (fs::path(path).extension() == ".npy" || is_npy({start.data(), to_size(count)}));
}

std::vector<GivenMatrix> in_memory(std::vector<Matrix> matrices) {
  std::vector<GivenMatrix> given;
  for (Matrix& matrix : matrices) {
    given.emplace_back(std::make_shared<const Matrix>(std::move(matrix)));
  }
  return given;
}

}  // namespace

std::vector<MatrixInFile> open_matrix_file(const std::string& specification,
                                           const std::vector<Index>& columns,
                                           const Context& context) {
  const FilePlace place = file_place(specification);
  if (place.place.empty() && is_npy_file(place.file)) {
    auto opened = std::make_shared<const NpyFile>(place.file);
    return numbered_matrices(place.name, interleaved(*opened)
                                             ? in_memory(read_interleaved(*opened, context))
                                             : matrices_of(opened));
  }
  if (holds_arrays(place.file)) return open_array_matrices(place, columns, context);
  InputFile input = open_input(place.file, FileFormat::automatic, context);
  if (input.format == FileFormat::npy) {
    return numbered_matrices(place.name, in_memory(parse_npy_matrices(input)));
  }
  return {{place.name, read_text_matrix(input, context)}};
}

std::vector<GivenMatrix> open_matrices(const std::string& file, const Context& context) {
  std::vector<GivenMatrix> matrices;
  for (MatrixInFile& one : open_matrix_file(file, {}, context)) {
    matrices.push_back(std::move(one.matrix));
  }
  return matrices;
}

std::vector<Matrix> read_matrices(const std::string& file, const Context& context) {
  std::vector<Matrix> matrices;
  for (const GivenMatrix& given : open_matrices(file, context)) {
    stop_reading_if_asked(file, context);
    require_memory_of_numbers(file, given.rows() * given.cols() * (length(matrices) + 1), context);
    matrices.push_back(given.whole());
  }
  return matrices;
}

}  // namespace kernmix
