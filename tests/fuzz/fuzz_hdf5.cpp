// Files that libhdf5 reads: every array, and some places, of a plain file, of MATLAB 7.3 and of
// MuData. The seeds are valid files, whose bytes are changed.
#include <chrono>
#include <functional>

#include "data/anndata/anndata.hpp"
#include "data/arrays/array_matrices.hpp"
#include "data/arrays/array_tables.hpp"
#include "memory_file.hpp"
#include "survive.hpp"

using namespace kernmix;

namespace {

constexpr std::size_t places_of_input = 3;  // each opens the file twice

ReadOptions limited() {
  ReadOptions options;
  options.context.memory_bytes = std::size_t{1} << 26;
  options.context.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  return options;
}

/// What one place refuses keeps no other from being read.
template <typename Read>
void each_alone(const Read& read) {
  (void)fuzz::survive(nullptr, 0, [&](const std::string&) { read(); });
}

void read_array(const ArrayFile& file, const StoredArray& array, const Context& context) {
  (void)file.attribute(array.path, "encoding-type");
  if (array.sparse) (void)file.sparse(array, context);
  if (array.content == ArrayContent::numbers) (void)file.numbers(array, context);
  if (array.content == ArrayContent::texts) (void)file.texts(array, context);
}

void read_tables(const std::vector<InputFile>& inputs, ReadOptions options) {
  for (const InputFile& input : inputs) {
    options.label_column = input.header.empty() ? "" : input.header.front();
    (void)read_stored(input, options);
  }
}

void read_place(const FilePlace& place, const ReadOptions& options) {
  each_alone([&] {
    std::vector<InputFile> inputs;
    open_stored(place, options, inputs);
    read_tables(inputs, options);
  });
  each_alone([&] {
    for (const MatrixInFile& matrix : open_array_matrices(place, {}, options.context)) {
      (void)matrix;
    }
  });
}

}  // namespace

KERNMIX_FUZZ {
  const fuzz::MemoryFile bytes(text);
  ReadOptions options = limited();
  options.keep_sparse = text.size() % 2 == 0;
  const std::shared_ptr<const ArrayFile> file = open_arrays(bytes.path(), options.context);
  read_place({"input", bytes.path(), "", false}, options);
  for (const StoredArray& array : file->arrays()) {
    each_alone([&] { read_array(*file, array, options.context); });
  }
  for (std::size_t k = 0; k < places_of_input && !file->arrays().empty(); ++k) {
    const std::size_t at = (std::hash<std::string>()(text) + k) % file->arrays().size();
    read_place({"input", bytes.path(), file->arrays()[at].path, false}, options);
  }
  if (file->find("/mod") == nullptr) return;
  std::vector<InputFile> inputs;
  open_anndata(file, {"input", bytes.path(), "", false}, options, inputs);
  read_tables(inputs, options);
}
