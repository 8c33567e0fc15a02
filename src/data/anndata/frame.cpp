#include "data/anndata/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "data/arrays/sparse.hpp"
#include "data/file.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

[[noreturn]] void refuse_encoding(const ArrayFile& file, const std::string& path,
                                  const std::string& encoding) {
  const std::string what = encoding.empty()
                               ? "has no encoding attributes, as before anndata 0.8"
                               : "has the encoding " + in_quotes(encoding) + ", which is not read";
  throw DataError(fmt::format("{}:{}: {}; {}", file.path(), path, what, rewriting_helps(file)));
}

/// Values with a mask, which is 1 where one is missing.
std::vector<std::string> masked_texts(const ArrayFile& file, const std::string& path,
                                      const Context& context) {
  std::vector<std::string> texts =
      entries_as_text(file, require_array(file, path + "/values"), context);
  const Vector mask = file.numbers(require_array(file, path + "/mask"), context);
  if (mask.size() != texts.size()) {
    throw DataError(fmt::format("{}:{}: has {} values and a mask of {}; the file is damaged",
                                file.path(), path, texts.size(), mask.size()));
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (mask[i] != 0.0) texts[i] = "NA";
  }
  return texts;
}

/// The texts of an array, or of values with a mask.
std::vector<std::string> texts_at(const ArrayFile& file, const std::string& path,
                                  const Context& context) {
  const StoredArray& array = require_array(file, path);
  if (array.content != ArrayContent::group) return entries_as_text(file, array, context);
  const std::string encoding = attribute_text(file, path, "encoding-type");
  if (encoding.starts_with("nullable-")) return masked_texts(file, path, context);
  refuse_encoding(file, path, encoding);
}

std::vector<std::string> words_of(const ArrayFile& file, const std::string& path,
                                  const Context& context) {
  const std::vector<std::string> words = texts_at(file, path + "/categories", context);
  std::size_t held = 0;
  for (const std::string& word : words) held += sizeof(std::string) + word.size();
  const std::size_t each = sizeof(double) + sizeof(std::string);
  const Index codes = require_array(file, path + "/codes").entries();
  require_memory_of_bytes(file.path() + ":" + path,
                          held + each * to_size(std::max<Index>(codes, 0)), context);
  std::vector<std::string> texts;
  for (const double code : file.numbers(require_array(file, path + "/codes"), context)) {
    const bool missing = code < 0.0;
    if (!missing && !(code < static_cast<double>(words.size()))) {
      throw DataError(fmt::format("{}:{}: code {} has no category; the file is damaged",
                                  file.path(), path, code));
    }
    texts.push_back(missing ? "NA" : words[static_cast<std::size_t>(code)]);
  }
  return texts;
}

}  // namespace

std::string rewriting_helps(const ArrayFile& file) {
  const bool many = file.path().ends_with(".h5mu");
  return many ? "rewrite it with a current mudata: mudata.read_h5mu(FILE).write_h5mu(NEW)"
              : "rewrite it with a current anndata: anndata.read_h5ad(FILE).write_h5ad(NEW)";
}

std::string attribute_text(const ArrayFile& file, const std::string& path,
                           const std::string& name) {
  const std::vector<std::string> texts = file.attribute(path, name);
  return texts.size() == 1 ? texts.front() : "";
}

AnnFrame read_frame(const ArrayFile& file, const std::string& path) {
  const StoredArray* const group = file.find(path);
  if (group == nullptr) throw DataError(fmt::format("{}: there is no {}", file.path(), path));
  const std::string encoding = attribute_text(file, path, "encoding-type");
  const std::string index = attribute_text(file, path, "_index");
  const bool old = file.find(path + "/__categories") != nullptr;
  if (group->content != ArrayContent::group || encoding != "dataframe" || index.empty() || old) {
    refuse_encoding(file, path, old || encoding == "dataframe" ? "" : encoding);
  }
  return {path, path + "/" + index, file.attribute(path, "column-order")};
}

std::vector<std::string> row_names(const ArrayFile& file, const AnnFrame& frame,
                                   const Context& context) {
  return texts_at(file, frame.index, context);
}

std::vector<std::string> column_texts(const ArrayFile& file, const AnnFrame& frame,
                                      const std::string& column, const Context& context) {
  const std::string path = frame.path + "/" + column;
  const bool group = require_array(file, path).content == ArrayContent::group;
  const bool words = group && attribute_text(file, path, "encoding-type") == "categorical";
  return words ? words_of(file, path, context) : texts_at(file, path, context);
}

AnnMatrix describe_matrix(const ArrayFile& file, const std::string& path) {
  const StoredArray& array = require_array(file, path);
  AnnMatrix matrix;
  matrix.path = array.path;
  std::vector<Index> shape = array.shape;
  if (array.content == ArrayContent::group) {
    const std::string encoding = attribute_text(file, array.path, "encoding-type");
    matrix.sparse = encoding == "csr_matrix" || encoding == "csc_matrix";
    if (!matrix.sparse) refuse_encoding(file, array.path, encoding);
    matrix.by_columns = encoding == "csc_matrix";
    for (const std::string& extent : file.attribute(array.path, "shape")) {
      shape.push_back(static_cast<Index>(parse_number(extent).value_or(0.0)));
    }
  } else if (array.content != ArrayContent::numbers) {
    throw DataError(file.place(array) + ": holds texts where numbers are needed");
  }
  if (shape.size() != 2 || shape[0] < 1 || shape[1] < 1) {
    throw DataError(
        fmt::format("{}: a table needs 2 dimensions with rows and columns, this has "
                    "the shape {}",
                    file.place(array), shape_text(shape)));
  }
  matrix.rows = shape[0];
  matrix.columns = shape[1];
  return matrix;
}

StoredSparse matrix_parts(const ArrayFile& file, const AnnMatrix& matrix, const Context& context) {
  std::size_t held = 0;
  const auto part = [&](const char* name) {
    const StoredArray& array = require_array(file, matrix.path + name);
    const bool empty = array.shape.size() == 1 && array.shape[0] == 0;  // only zeros
    if (empty) return Vector();
    held += sizeof(double) * to_size(std::max<Index>(array.entries(), 0));
    require_memory_of_bytes(file.path() + ":" + matrix.path, held, context);
    return file.numbers(array, context);
  };
  return {matrix.by_columns ? SparseForm::columns : SparseForm::rows,
          {part("/data"), part("/indices"), part("/indptr")}};
}

}  // namespace kernmix
