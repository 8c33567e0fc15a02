#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "data/csv_reader.hpp"
#include "data/file.hpp"
#include "data/npy.hpp"
#include "data/number.hpp"
#include "kernmix/data/table.hpp"
#include "kernmix/error.hpp"
#include "text.hpp"

namespace kernmix {
namespace {

Matrix read_text_matrix(const InputFile& file, const Context& context) {
  CsvReader reader(file.text, detect_separator(file.text, ",;\t "), file.path);
  Matrix matrix;
  while (reader.next_record()) {
    Index column = 0;
    for (; !reader.record_ended(); ++column) {
      double value = 0.0;
      if (!reader.number(value)) {
        const std::string_view text = reader.field();
        const std::optional<double> number = parse_number(text);
        if (!number) {
          throw DataError(
              fmt::format("{}:{}: column {}: {} is not a finite number; a matrix file "
                          "holds numbers only, without a header",
                          file.path, reader.line(), column + 1, in_quotes(text)));
        }
        value = *number;
      }
      matrix.values.push_back(value);
    }
    stop_reading_if_asked(file.path, context);
    if (matrix.rows++ == 0) matrix.cols = column;
    if (column == matrix.cols) continue;
    throw DataError(fmt::format("{}:{}: {} numbers where the first row has {}", file.path,
                                reader.line(), column, matrix.cols));
  }
  if (matrix.rows == 0) throw DataError(file.path + ": holds nothing but blank lines");
  return matrix;
}

void require_finite(const std::string& path, const Matrix& matrix, Index number) {
  for (std::size_t k = 0; k < matrix.values.size(); ++k) {
    if (std::isfinite(matrix.values[k])) continue;
    const auto columns = static_cast<std::size_t>(matrix.cols);
    throw DataError(fmt::format("{}: matrix {}, row {}, column {}: {} is not a finite number", path,
                                number + 1, k / columns + 1, k % columns + 1, matrix.values[k]));
  }
}

std::vector<Matrix> read_npy_matrices(InputFile file) {
  std::vector<Index> shape;
  Vector values = parse_npy(file.text, file.path, shape);
  if (shape.size() < 2) {
    throw DataError(fmt::format("{}: matrices need shape (n, n) or (M, n, n), this array has ({},)",
                                file.path, shape[0]));
  }
  const Index count = shape.size() == 3 ? shape[0] : 1;
  const Index rows = shape[shape.size() - 2];
  const Index cols = shape[shape.size() - 1];
  std::vector<Matrix> matrices(static_cast<std::size_t>(count));
  for (Index m = 0; m < count; ++m) {
    Matrix& matrix = matrices[static_cast<std::size_t>(m)];
    matrix.rows = rows;
    matrix.cols = cols;
    const auto first = values.begin() + m * rows * cols;
    matrix.values.assign(first, first + rows * cols);
    require_finite(file.path, matrix, m);
  }
  return matrices;
}

}  // namespace

std::vector<Matrix> read_matrices(const std::string& file, const Context& context) {
  InputFile input = open_input(file, FileFormat::automatic, context);
  if (input.format == FileFormat::npy) return read_npy_matrices(std::move(input));
  return {read_text_matrix(input, context)};
}

}  // namespace kernmix
