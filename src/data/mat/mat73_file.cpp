#include <algorithm>
#include <utility>

#include "data/arrays/sparse.hpp"
#include "data/file.hpp"
#include "data/mat/mat.hpp"
#include "data/mat/mat_element.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// The variables in the root of an HDF5 file that MATLAB 7.3 wrote: shapes are reversed.
class Mat73File final : public ArrayFile {
 public:
  explicit Mat73File(std::shared_ptr<const ArrayFile> hdf5)
      : ArrayFile(hdf5->path()), hdf5_(std::move(hdf5)) {
    for (const StoredArray& stored : hdf5_->arrays()) {
      const bool of_root = stored.path.rfind('/') == 0;
      if (of_root && !stored.path.starts_with("/#")) add(described(stored));
    }
  }

  [[nodiscard]] Vector numbers(const StoredArray& array, const Context& context) const override {
    const StoredArray& stored = require_array(*hdf5_, array.path);
    if (stored.content != ArrayContent::group) return turned(stored, array.shape, context);
    std::size_t held = 0;
    const auto part = [&](const char* name) {
      Vector numbers = hdf5_->numbers(require_array(*hdf5_, stored.path + name), context);
      held += numbers.size() * sizeof(double);
      require_memory_of_bytes(place(array), held, context);
      return numbers;
    };
    const bool has_entries = hdf5_->find(stored.path + "/data") != nullptr;
    StoredSparse sparse{SparseForm::columns, {{}, {}, part("/jc")}};
    if (has_entries) {
      sparse.parts.values = part("/data");
      sparse.parts.indices = part("/ir");
    }
    return dense_numbers(sparse, array.shape[0], array.shape[1], place(array), context);
  }

  [[nodiscard]] std::vector<std::string> texts(const StoredArray& array,
                                               const Context& context) const override {
    const StoredArray& stored = require_array(*hdf5_, array.path);
    std::vector<Index> shape(stored.shape.rbegin(), stored.shape.rend());
    const auto unit = stored.type == "uint8" ? CharacterUnit::byte : CharacterUnit::utf16;
    return texts_of_codes(turned(stored, shape, context), array.shape[0], unit, place(array));
  }

 private:
  /// The numbers in the order of `shape`.
  [[nodiscard]] Vector turned(const StoredArray& stored, const std::vector<Index>& shape,
                              const Context& context) const {
    const Vector numbers = hdf5_->numbers(stored, context);
    require_memory_of_numbers(place(stored), 2 * length(numbers), context);
    return from_column_major(numbers, shape);
  }

  [[nodiscard]] StoredArray described(const StoredArray& stored) const {
    StoredArray array = stored;
    array.path = stored.name();
    std::ranges::reverse(array.shape);
    array.stacked_last = true;
    const std::vector<std::string> kinds = hdf5_->attribute(stored.path, "MATLAB_class");
    const std::string kind = kinds.empty() ? "" : kinds.front();
    const auto refuse = [&](const char* why) {
      array.content = ArrayContent::other;
      array.type = kind;
      array.refusal = why;
    };
    const std::vector<std::string> rows = hdf5_->attribute(stored.path, "MATLAB_sparse");
    if (!hdf5_->attribute(stored.path, "MATLAB_empty").empty()) {
      refuse("is empty");
    } else if (kind == "cell") {
      refuse("is a cell array; save matrices as one array, cat(3, X{:}), and texts as char(X)");
    } else if (!rows.empty()) {
      describe_sparse(stored, parse_number(rows.front()).value_or(0.0), array);
    } else if (stored.content == ArrayContent::group || kind.starts_with("function")) {
      refuse("is a structure or an object; save its arrays by themselves");
    } else if (kind == "char" && array.shape.size() == 2) {
      array.content = ArrayContent::texts;
      array.type = "text";
      array.shape.resize(1);
    } else if (kind == "logical") {
      array.type = "bool";
    }
    return array;
  }

  void describe_sparse(const StoredArray& stored, double rows, StoredArray& array) const {
    const StoredArray* const starts = hdf5_->find(stored.path + "/jc");
    const bool known = starts != nullptr && starts->shape.size() == 1 && rows >= 1.0;
    array.content = known ? ArrayContent::numbers : ArrayContent::other;
    array.type = "float (sparse)";
    if (!known) array.refusal = "is a damaged sparse matrix";
    if (known) array.shape = {static_cast<Index>(rows), starts->shape[0] - 1};
  }

  std::shared_ptr<const ArrayFile> hdf5_;
};

}  // namespace

std::shared_ptr<const ArrayFile> open_mat73(std::shared_ptr<const ArrayFile> hdf5) {
  return std::make_shared<Mat73File>(std::move(hdf5));
}

}  // namespace kernmix
