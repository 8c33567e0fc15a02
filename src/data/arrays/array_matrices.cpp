#include "data/arrays/array_matrices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

#include "base/memory/room.hpp"
#include "base/text.hpp"
#include "data/arrays/array_file.hpp"
#include "data/file.hpp"
#include "data/matrices/finite_matrix.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Compares runs of digits as numbers, so that "K2" stands before "K10".
bool natural_less(std::string_view a, std::string_view b) {
  const auto digits = [&](std::string_view text) {
    return std::min(text.size(),
                    to_size(std::ranges::find_if_not(text, is_decimal_digit) - text.begin()));
  };
  while (!a.empty() && !b.empty()) {
    const std::size_t m = digits(a);
    const std::size_t n = digits(b);
    if (m > 0 && n > 0 && m != n) return m < n;
    if (a.front() != b.front()) return a.front() < b.front();
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.size() < b.size();
}

bool is_square(const StoredArray& array) {
  return array.content == ArrayContent::numbers && array.shape.size() == 2 &&
         array.shape[0] == array.shape[1] && array.shape[0] > 1;
}

bool is_stack(const StoredArray& array) {
  return array.content == ArrayContent::numbers && array.shape.size() == 3 &&
         std::ranges::min(array.shape) > 0;
}

[[noreturn]] void refuse_choice(const ArrayFile& file, const std::string& why) {
  throw DataError(fmt::format("{}: {}; name an array with {}:NAME; it holds {}", file.path(), why,
                              file.path(), arrays_text(file)));
}

/// The arrays that a file without a place means.
std::vector<const StoredArray*> chosen_arrays(const ArrayFile& file) {
  std::vector<const StoredArray*> stacks;
  std::vector<const StoredArray*> squares;
  for (const StoredArray& array : file.arrays()) {
    if (is_stack(array)) stacks.push_back(&array);
    if (is_square(array)) squares.push_back(&array);
  }
  if (stacks.size() == 1 && squares.empty()) return stacks;
  if (!stacks.empty() || squares.empty()) {
    refuse_choice(file, squares.empty() && stacks.empty()
                            ? "there is no square matrix and no stack of matrices"
                            : "there are stacks beside other matrices");
  }
  const auto other = std::ranges::find_if(
      squares, [&](const StoredArray* array) { return array->shape != squares.front()->shape; });
  if (other != squares.end()) refuse_choice(file, "its square matrices have different sizes");
  std::ranges::sort(squares, [](const StoredArray* a, const StoredArray* b) {
    return natural_less(a->path, b->path);
  });
  return squares;
}

/// The position of the shape that counts matrices.
std::size_t stacked_over(const StoredArray& array, const std::vector<Index>& columns) {
  const auto has_columns = [&](std::size_t dimension) {
    return std::ranges::find(columns, array.shape[dimension]) != columns.end();
  };
  if (has_columns(1) != has_columns(2)) return has_columns(2) ? 0 : 2;
  const bool first = array.shape[1] == array.shape[2];
  const bool last = array.shape[0] == array.shape[1];
  return first == last ? (array.stacked_last ? 2 : 0) : first ? 0 : 2;
}

std::vector<Matrix> matrices_of(const ArrayFile& file, const StoredArray& array,
                                const std::vector<Index>& columns, const Context& context) {
  if (array.content != ArrayContent::numbers || array.shape.size() < 2) {
    throw DataError(fmt::format(
        "{}: matrices need numbers of the shape (n, n) or (M, n, n), this is {} of shape {}; {} "
        "holds {}",
        file.place(array), array.content == ArrayContent::group ? "a group" : array.type,
        shape_text(array.shape), file.path(), arrays_text(file)));
  }
  Vector numbers = file.numbers(array, context);
  if (array.shape.size() == 2) {
    std::vector<Matrix> one(1);
    one.front().rows = array.shape[0];
    one.front().cols = array.shape[1];
    one.front().values = std::move(numbers);
    return one;
  }
  const bool last = stacked_over(array, columns) == 2;
  const Index count = array.shape[last ? 2 : 0];
  if (last) {
    context.tell(fmt::format("{}: the shape {} is read as {} matrices over the last dimension",
                             file.place(array), shape_text(array.shape), count));
  }
  require_memory_of_numbers(file.place(array), 2 * length(numbers), context);
  std::vector<Matrix> matrices(to_size(count),
                               Matrix(array.shape[last ? 0 : 1], array.shape[last ? 1 : 2]));
  const Index size = length(matrices.front().values);
  for (Index m = 0; m < count; ++m) {
    stop_reading_if_asked(file.path(), context);
    Vector& values = matrices[to_size(m)].values;
    for (Index k = 0; k < size; ++k) {
      values[to_size(k)] = numbers[to_size(last ? k * count + m : m * size + k)];
    }
  }
  return matrices;
}

}  // namespace

std::string stack_in_file(const std::string& file, const Context& context) {
  const std::shared_ptr<const ArrayFile> open = open_arrays(file, context);
  const auto found = std::ranges::find_if(open->arrays(), [](const StoredArray& array) {
    return is_stack(array) &&
           (array.shape[1] == array.shape[2] || array.shape[0] == array.shape[1]);
  });
  return found == open->arrays().end() ? "" : open->place(*found);
}

std::vector<MatrixInFile> open_array_matrices(const FilePlace& place,
                                              const std::vector<Index>& columns,
                                              const Context& context) {
  const std::shared_ptr<const ArrayFile> file = open_arrays(place.file, context);
  std::vector<const StoredArray*> arrays;
  if (place.place.empty()) {
    arrays = chosen_arrays(*file);
  } else {
    arrays.push_back(&require_array(*file, place.place));
  }
  std::vector<MatrixInFile> all;
  std::size_t held = 0;
  for (const StoredArray* const array : arrays) {
    const Context rest = beside(context, held);
    std::vector<GivenMatrix> given;
    for (Matrix& matrix : matrices_of(*file, *array, columns, rest)) {
      require_finite(file->place(*array), matrix, length(given));
      held += matrix.values.size() * sizeof(double);
      given.emplace_back(std::make_shared<const Matrix>(std::move(matrix)));
    }
    const std::string name = arrays.size() == 1 ? place.name : array->name();
    std::ranges::move(numbered_matrices(name, std::move(given)), std::back_inserter(all));
  }
  if (place.named && arrays.size() > 1) {
    context.tell(fmt::format("{}: its {} matrices keep their names in the file, {}, ...",
                             file->path(), all.size(), in_quotes(all.front().name)));
  }
  return all;
}

std::vector<MatrixInFile> numbered_matrices(const std::string& name,
                                            std::vector<GivenMatrix> matrices) {
  std::vector<MatrixInFile> named;
  for (std::size_t m = 0; m < matrices.size(); ++m) {
    named.push_back(
        {matrices.size() == 1 ? name : fmt::format("{}[{}]", name, m), std::move(matrices[m])});
  }
  return named;
}

}  // namespace kernmix
