#include "data/npz/npz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "data/arrays/sparse.hpp"
#include "data/csv/encoding.hpp"
#include "data/file.hpp"
#include "data/npy/npy.hpp"
#include "data/npz/zip.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr std::string_view ending = ".npy";
/// The name of the matrix that scipy.sparse.save_npz wrote.
constexpr const char* sparse_name = "matrix";

bool is_text(const NpyHeader& header) { return header.kind == 'U' || header.kind == 'S'; }

std::string type_of(const NpyHeader& header) {
  if (is_text(header)) return "text";
  if (header.kind == 'b') return "bool";
  const char* const word = header.kind == 'f' ? "float" : header.kind == 'i' ? "int" : "uint";
  return fmt::format("{}{}", word, 8 * header.item_bytes);
}

/// The text of one item, which zeros fill up.
std::string text_of(const NpyHeader& header, std::string_view item) {
  if (header.kind == 'S') return std::string(item.substr(0, item.find('\0')));
  std::string text;
  for (std::size_t k = 0; k + 4 <= item.size(); k += 4) {
    std::uint32_t code = 0;
    for (std::size_t b = 0; b < 4; ++b) {
      const std::size_t place = header.big_endian ? k + b : k + 3 - b;
      code = code << 8 | static_cast<unsigned char>(item[place]);
    }
    if (code == 0) break;
    const bool is_character = code <= 0x10ffff && (code < 0xd800 || code >= 0xe000);
    append_utf8(text, is_character ? code : '?');
  }
  return text;
}

class NpzFile final : public ArrayFile {
 public:
  NpzFile(std::string bytes, const std::string& path, const Context& context)
      : ArrayFile(path), bytes_(std::move(bytes)), members_(read_zip(bytes_, path)) {
    std::vector<StoredArray> found;
    for (const ZipMember& member : members_) {
      if (member.name.ends_with(ending)) found.push_back(described(member, context));
    }
    const auto has = [&](const char* name) {
      return std::ranges::find(found, name, &StoredArray::path) != found.end();
    };
    if (has("format") && has("shape") && has("data")) {
      add_sparse(context);
    } else if (found.empty()) {
      throw DataError(path + ": holds no arrays; save them with numpy.savez");
    } else {
      for (StoredArray& array : found) add(std::move(array));
    }
  }

  [[nodiscard]] Vector numbers(const StoredArray& array, const Context& context) const override {
    if (array.sparse) {
      return dense_numbers(sparse(array, context), array.shape[0], array.shape[1], path(), context);
    }
    std::vector<Index> shape;
    return values(array.path, shape, context);
  }

  [[nodiscard]] std::vector<std::string> texts(const StoredArray& array,
                                               const Context& context) const override {
    const std::string where = place(array);
    const std::string contents = unpacked(member(array.path), 0, context);
    const NpyHeader header = parse_npy_header(contents, where, true);
    const std::string_view data = std::string_view(contents).substr(header.data_begin);
    const std::size_t count = npy_numbers(header, data.size(), where);
    require_memory_of_bytes(where, bytes_.size() + contents.size() + count * sizeof(std::string),
                            context);
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < count && is_text(header); ++k) {
      texts.push_back(text_of(header, data.substr(k * header.item_bytes, header.item_bytes)));
    }
    return texts;
  }

  [[nodiscard]] StoredSparse sparse(const StoredArray& /*array*/,
                                    const Context& context) const override {
    std::vector<Index> shape;
    const bool coordinates = sparse_ == "coo";
    const SparseForm form = coordinates        ? SparseForm::coordinates
                            : sparse_ == "csr" ? SparseForm::rows
                                               : SparseForm::columns;
    StoredSparse stored{form, {}, bytes_.size()};
    std::size_t held = 0;
    const auto part = [&](const char* name) {
      Vector numbers = values(name, shape, context, held);
      held += numbers.size() * sizeof(double);
      return numbers;
    };
    stored.parts.values = part("data");
    stored.parts.indices = part(coordinates ? "col" : "indices");
    stored.parts.starts = part(coordinates ? "row" : "indptr");
    return stored;
  }

 private:
  [[nodiscard]] StoredArray described(const ZipMember& member, const Context& context) const {
    constexpr std::size_t most_header = std::size_t{1} << 14;
    StoredArray array;
    array.path = member.name.substr(0, member.name.size() - ending.size());
    try {
      const std::string start = unpack_start(member, most_header, path(), context);
      const NpyHeader header = parse_npy_header(start, "", true);
      array.shape = header.shape;
      array.type = type_of(header);
      array.content = is_text(header) ? ArrayContent::texts : ArrayContent::numbers;
    } catch (const DataError& error) {
      array.type = "unreadable";
      array.refusal = std::string(error.what()).substr(2);  // after ": " of the empty path
    }
    return array;
  }

  [[nodiscard]] const ZipMember& member(const std::string& name) const {
    const auto found = std::ranges::find(members_, name + std::string(ending), &ZipMember::name);
    if (found != members_.end()) return *found;
    throw DataError(fmt::format("{}: the array {} is missing", path(), name));
  }

  /// \param held  bytes in memory beside the file
  [[nodiscard]] std::string unpacked(const ZipMember& member, std::size_t held,
                                     const Context& context) const {
    require_memory_of_bytes(path() + ":" + member.name, bytes_.size() + held + member.size,
                            context);
    return unpack(member, path(), context);
  }

  [[nodiscard]] Vector values(const std::string& name, std::vector<Index>& shape,
                              const Context& context, std::size_t held = 0) const {
    const std::string where = path() + ":" + name;
    const std::string contents = unpacked(member(name), held, context);
    const NpyHeader header = parse_npy_header(contents, where, true);
    if (is_text(header)) throw DataError(where + ": holds texts where numbers are needed");
    const std::size_t numbers = contents.size() / header.item_bytes;
    require_memory_of_bytes(
        where, bytes_.size() + held + contents.size() + numbers * sizeof(double), context);
    return npy_values(header, contents, where, shape);
  }

  void add_sparse(const Context& context) {
    StoredArray array;
    array.path = "format";
    const std::vector<std::string> form = texts(array, context);
    sparse_ = form.empty() ? "" : form.front();
    std::vector<Index> shape;
    const Vector extents = values("shape", shape, context);
    constexpr double most = 1e15;
    const auto fits = [](double extent) { return extent >= 1.0 && extent <= most; };
    if (extents.size() != 2 || !std::ranges::all_of(extents, fits)) {
      throw DataError(path() + ": the shape of the sparse matrix is not two positive numbers");
    }
    if (sparse_ != "csr" && sparse_ != "csc" && sparse_ != "coo") {
      throw DataError(
          fmt::format("{}: sparse matrices in the form '{}' are not read; save it with "
                      "scipy.sparse.save_npz(FILE, matrix.tocsr())",
                      path(), sparse_));
    }
    array.path = sparse_name;
    array.content = ArrayContent::numbers;
    array.type = "float (sparse, " + sparse_ + ")";
    array.shape = {static_cast<Index>(extents[0]), static_cast<Index>(extents[1])};
    array.sparse = true;
    add(std::move(array));
  }

  std::string bytes_;
  std::vector<ZipMember> members_;
  std::string sparse_;  ///< form of the only matrix, or empty
};

}  // namespace

std::shared_ptr<const ArrayFile> open_npz(const std::string& path, const Context& context) {
  return parse_npz(read_file(path, context), path, context);
}

std::shared_ptr<const ArrayFile> parse_npz(std::string bytes, const std::string& path,
                                           const Context& context) {
  return std::make_shared<NpzFile>(std::move(bytes), path, context);
}

}  // namespace kernmix
