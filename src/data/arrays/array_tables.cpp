#include "data/arrays/array_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <unordered_set>

#include "base/text.hpp"
#include "data/anndata/anndata.hpp"
#include "data/arrays/stored_tables.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

using ArrayPointer = std::shared_ptr<const ArrayFile>;

/// The columns that the options name in full.
std::unordered_set<std::string> named_columns(const ReadOptions& options) {
  std::unordered_set<std::string> names = {options.label_column, options.id_column};
  names.insert(options.label_columns.begin(), options.label_columns.end());
  names.insert(options.target_columns.begin(), options.target_columns.end());
  return names;
}

bool is_vector(const StoredArray& array) {
  const bool readable =
      array.content == ArrayContent::numbers || array.content == ArrayContent::texts;
  return readable && array.entries() > 0;
}

bool is_matrix(const StoredArray& array) {
  return array.content == ArrayContent::numbers && array.shape.size() == 2 && array.shape[0] > 0 &&
         array.shape[1] > 0;
}

std::string column_name(const StoredArray& array) {
  return array.path.starts_with('/') ? array.path.substr(1) : array.path;
}

/// \throws DataError for an array that the options name and that cannot be read
void require_named_readable(const ArrayFile& file, const ReadOptions& options) {
  const std::unordered_set<std::string> named = named_columns(options);
  for (const StoredArray& array : file.arrays()) {
    if (array.content != ArrayContent::other || !named.contains(column_name(array))) continue;
    throw DataError(fmt::format("{}: {}", file.place(array), array.refusal));
  }
}

InputFile input_of(const ArrayFile& file, const FilePlace& place, const std::string& path) {
  InputFile input;
  input.path = path;
  input.name = place.name;
  input.container = file.path();
  return input;
}

InputFile matrix_input(const ArrayPointer& file, const FilePlace& place, const StoredArray& array,
                       const Context& limits) {
  InputFile input = input_of(*file, place, file->place(array));
  if (!array.sparse) {
    require_table_memory(input.path, array.shape[0], array.shape[1], limits.memory_bytes);
  }
  input.numbered = true;
  input.header = numbered_columns(array.shape[1]);
  using Numbers = std::function<Vector(const Context&)>;
  using Sparse = std::function<StoredSparse(const Context&)>;
  const Numbers numbers = [file, array](const Context& c) { return file->numbers(array, c); };
  const Sparse sparse = [file, array](const Context& c) { return file->sparse(array, c); };
  input.stored = array.sparse ? std::make_shared<StoredMatrix>(array.shape[0], sparse)
                              : std::make_shared<StoredMatrix>(array.shape[0], numbers);
  return input;
}

InputFile frame_input(const ArrayPointer& file, const FilePlace& place, const std::string& path,
                      const std::vector<const StoredArray*>& vectors) {
  InputFile input = input_of(*file, place, path);
  std::vector<ColumnTexts> columns;
  for (const StoredArray* const vector : vectors) {
    input.header.push_back(column_name(*vector));
    columns.push_back([file, array = *vector](const Context& context) {
      return entries_as_text(*file, array, context);
    });
  }
  input.stored = std::make_shared<StoredFrame>(vectors.front()->entries(), std::move(columns));
  return input;
}

/// The vectors of the file with one entry for each sample, beside the table itself.
std::vector<const StoredArray*> vectors_of(const ArrayFile& file, Index samples,
                                           const StoredArray* table) {
  std::vector<const StoredArray*> found;
  for (const StoredArray& array : file.arrays()) {
    if (&array != table && is_vector(array) && array.entries() == samples) found.push_back(&array);
  }
  return found;
}

/// The array that a file without a place means: the only matrix, or null if the named columns are
/// vectors and there is no matrix. \throws DataError
const StoredArray* only_matrix(const ArrayFile& file, const ReadOptions& options) {
  const std::unordered_set<std::string> named = named_columns(options);
  std::vector<const StoredArray*> found;
  bool has_named = false;
  for (const StoredArray& array : file.arrays()) {
    const bool is_named = named.contains(column_name(array));
    has_named = has_named || (is_named && is_vector(array));
    if (!is_named && is_matrix(array) && array.entries() < 0) found.push_back(&array);
  }
  if (found.size() == 1) return found.front();
  if (found.empty() && has_named) return nullptr;
  const std::string what =
      found.empty() ? "no matrix of numbers to read as a table" : "several matrices";
  const std::string unread = found.empty() ? unread_matrices_text(file) : "";
  if (!unread.empty())
    throw DataError(fmt::format("{}: there is {}: {}", file.path(), what, unread));
  throw DataError(fmt::format("{}: there {} {}; name an array with {}:NAME; it holds {}",
                              file.path(), found.empty() ? "is" : "are", what, file.path(),
                              arrays_text(file)));
}

/// \throws DataError if a named column is a vector of another length than the table
void check_lengths(const ArrayFile& file, const StoredArray& table, const ReadOptions& options) {
  const std::unordered_set<std::string> named = named_columns(options);
  for (const StoredArray& array : file.arrays()) {
    if (!is_vector(array) || !named.contains(column_name(array))) continue;
    if (array.entries() == table.shape[0]) continue;
    throw DataError(fmt::format("{}: {} has {} entries, and {} has {} rows", file.path(),
                                array.path, array.entries(), table.path, table.shape[0]));
  }
}

Index samples_of_named(const ArrayFile& file, const ReadOptions& options) {
  const std::unordered_set<std::string> named = named_columns(options);
  const auto found = std::ranges::find_if(file.arrays(), [&](const StoredArray& array) {
    return is_vector(array) && named.contains(column_name(array));
  });
  return found == file.arrays().end() ? 0 : found->entries();
}

/// \throws DataError unless it is a matrix, or a vector, which is a table of one column
void require_table(const ArrayFile& file, const StoredArray& table) {
  if (is_vector(table) || is_matrix(table)) return;
  throw DataError(fmt::format(
      "{}: a table needs an array of 2 dimensions, this {}; {} holds {}", file.place(table),
      table.content == ArrayContent::group ? "is a group"
                                           : "has the shape " + shape_text(table.shape),
      file.path(), arrays_text(file)));
}

/// Of the table, or without one of the vectors that the options name.
Index samples_of_file(const ArrayFile& file, const StoredArray* table, const ReadOptions& options) {
  if (table == nullptr) return samples_of_named(file, options);
  return is_vector(*table) ? table->entries() : table->shape[0];
}

/// Whether the vectors of the file are among the inputs.
bool has_annotation(const std::vector<InputFile>& inputs, const std::string& file) {
  return std::ranges::any_of(
      inputs, [&](const InputFile& input) { return input.container == file && input.annotation; });
}

/// The texts of the id column give all tables of the file their ids.
void give_ids(const ArrayFile& file, const std::vector<const StoredArray*>& vectors,
              const ReadOptions& options, std::span<InputFile> inputs) {
  for (const StoredArray* const vector : vectors) {
    if (options.id_column.empty() || column_name(*vector) != options.id_column) continue;
    const std::vector<std::string> ids = entries_as_text(file, *vector, options.context);
    for (InputFile& input : inputs) input.ids = ids;
  }
}

}  // namespace

void open_stored(const FilePlace& place, const ReadOptions& options,
                 std::vector<InputFile>& inputs) {
  const ArrayPointer file = open_arrays(place.file, options.context);
  if (is_anndata(*file)) return open_anndata(file, place, options, inputs);
  require_named_readable(*file, options);
  const std::size_t before = inputs.size();
  const StoredArray* const table =
      place.place.empty() ? only_matrix(*file, options) : &require_array(*file, place.place);
  if (table != nullptr) require_table(*file, *table);
  const bool is_column = table != nullptr && is_vector(*table);
  const bool added = has_annotation(inputs, place.file);
  if (is_column) {
    inputs.push_back(frame_input(file, place, file->place(*table), {table}));
  } else if (table != nullptr) {
    check_lengths(*file, *table, options);
    inputs.push_back(matrix_input(file, place, *table, options.context));
  }
  const Index samples = samples_of_file(*file, table, options);
  const std::vector<const StoredArray*> vectors = vectors_of(*file, samples, table);
  if (!vectors.empty() && !added) {
    inputs.push_back(frame_input(file, place, file->path(), vectors));
    inputs.back().annotation = true;
  }
  std::vector<const StoredArray*> columns = vectors;
  if (is_column) columns.push_back(table);
  give_ids(*file, columns, options, std::span(inputs).subspan(before));
}

void name_apart(std::vector<InputFile>& inputs) {
  std::vector<std::size_t> renamed;
  for (std::size_t f = 0; f < inputs.size(); ++f) {
    const InputFile& own = inputs[f];
    if (own.container.empty() || own.annotation) continue;
    const auto clashes = [&](const InputFile& other) {
      return !other.annotation && other.name == own.name && other.container != own.container;
    };
    if (std::ranges::any_of(inputs, clashes)) renamed.push_back(f);
  }
  for (const std::size_t f : renamed) {
    const std::string file = inputs[f].container.substr(0, inputs[f].container.rfind(":/mod/"));
    const std::string stem = std::filesystem::path(file).stem().string();
    inputs[f].name = inputs[f].name == "X" ? stem : stem + "." + inputs[f].name;
  }
}

FileTable read_stored(const InputFile& file, const ReadOptions& options) {
  FileTable part = file.stored->read(file, options);
  part.table.notes = file.notes;
  if (file.ids.empty()) return part;
  const std::unordered_set<std::string> different(file.ids.begin(), file.ids.end());
  const bool unique = different.size() == file.ids.size();
  if (unique || !options.id_column.empty()) {
    part.table.ids = file.ids;
  } else if (!file.annotation) {
    part.table.notes.push_back(
        fmt::format("{}: the names of samples occur twice and are left out", file.container));
  }
  return part;
}

}  // namespace kernmix
