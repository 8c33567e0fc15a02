#include "data/npy/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <numeric>

#include "data/npy/npy_header.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Fortran order has the first position fastest, C order the last.
Vector to_c_order(const Vector& fortran, const std::vector<Index>& shape) {
  const Index planes = shape.size() > 2 ? shape[2] : 1;
  const Index rows = shape[0];
  const Index cols = shape.size() > 1 ? shape[1] : 1;
  Vector values(fortran.size());
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      for (Index k = 0; k < planes; ++k) {
        values[to_size((i * cols + j) * planes + k)] = fortran[to_size((k * cols + j) * rows + i)];
      }
    }
  }
  return values;
}

}  // namespace

Vector parse_npy(std::string_view bytes, const std::string& path, std::vector<Index>& shape) {
  return npy_values(parse_npy_header(bytes, path), bytes, path, shape);
}

Vector npy_values(const NpyHeader& header, std::string_view bytes, const std::string& path,
                  std::vector<Index>& shape) {
  const std::string_view data = bytes.substr(header.data_begin);
  Vector values(npy_numbers(header, data.size(), path));
  convert_npy(header, data.data(), values);
  shape = header.shape;
  if (header.fortran_order && shape.size() > 1) values = to_c_order(values, shape);
  return values;
}

FileTable read_npy_table(const InputFile& file, const ReadOptions& options) {
  const NpyHeader header = parse_npy_header(file.text, file.path);
  std::vector<Index> shape = header.shape;
  FileTable result;
  if (shape.size() != 2) {
    throw DataError(fmt::format("{}: a table needs an array of 2 dimensions, this one has {}",
                                file.path, shape.size()));
  }
  require_table_memory(file.path, shape[0], shape[1], options.context.memory_bytes,
                       file.text.size());
  Vector values = npy_values(header, file.text, file.path, shape);
  settle_numbers(values, shape[1], file.path, options);
  result.table.columns = numbered_columns(shape[1]);
  result.table.values.rows = shape[0];
  result.table.values.cols = shape[1];
  result.table.values.values = std::move(values);
  result.lines.resize(to_size(shape[0]));
  std::iota(result.lines.begin(), result.lines.end(), Index{1});
  return result;
}

Vector read_npy(const std::string& file, std::vector<Index>& shape, const Context& context) {
  return parse_npy(read_file(file, context), file, shape);
}

void write_npy(const std::string& file, const std::vector<Index>& shape, ConstSpan values) {
  constexpr std::size_t most_dimensions = 32;  // of NumPy
  double count = 1.0;                          // a double, so that the product cannot overflow
  for (const Index size : shape) count *= size < 0 ? std::nan("") : static_cast<double>(size);
  if (shape.size() > most_dimensions || count != static_cast<double>(values.size())) {
    throw ParameterError(fmt::format("{}: {} values do not fill an array of shape ({})", file,
                                     values.size(), fmt::join(shape, ", ")));
  }
  std::string header = "{'descr': '";
  header += std::endian::native == std::endian::little ? '<' : '>';
  header += fmt::format("f8', 'fortran_order': False, 'shape': ({}{}), }}", fmt::join(shape, ", "),
                        shape.size() == 1 ? "," : "");
  constexpr std::size_t kPreamble = 10;  // magic, version, header length; values begin at 64 k
  while ((kPreamble + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';

  std::string start("\x93NUMPY\x01\x00", 8);
  start += static_cast<char>(header.size() & 0xff);
  start += static_cast<char>(header.size() >> 8);
  std::ofstream stream(file, std::ios::binary);
  stream << start << header;
  stream.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size_bytes()));
  stream.close();
  if (!stream) throw ResourceError(file + ": cannot be written");
}

}  // namespace kernmix
