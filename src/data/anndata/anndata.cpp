#include "data/anndata/anndata.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <unordered_set>
#include <utility>

#include "base/text.hpp"
#include "data/anndata/frame.hpp"
#include "data/arrays/stored_tables.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

using ArrayPointer = std::shared_ptr<const ArrayFile>;

/// One AnnData: the file, or a modality of a MuData.
struct Modality {
  std::string path;  ///< "" or "/mod/rna"
  std::string name;  ///< "" or "rna"
};

bool is_mudata(const ArrayFile& file) { return file.find("/mod") != nullptr; }

std::vector<Modality> modalities_of(const ArrayFile& file) {
  if (!is_mudata(file)) return {{"", ""}};
  std::vector<Modality> found;
  std::vector<std::string> names = file.attribute("/mod", "mod-order");
  if (names.empty()) {
    for (const StoredArray& array : file.arrays()) {
      if (array.path == "/mod/" + array.name()) names.push_back(array.name());
    }
  }
  for (const std::string& name : names) found.push_back({"/mod/" + name, name});
  if (found.empty()) throw DataError(file.path() + ": has no modalities");
  return found;
}

/// What can be read of one AnnData, as users name it.
std::vector<std::string> places_in(const ArrayFile& file, const Modality& of) {
  std::vector<std::string> places;
  for (const StoredArray& array : file.arrays()) {
    if (!array.path.starts_with(of.path + "/")) continue;
    const std::string place = array.path.substr(of.path.size() + 1);
    const bool entry = place.find('/') == place.rfind('/');
    const bool inside = entry && (place.starts_with("layers/") || place.starts_with("obsm/"));
    if (place == "X" || place == "raw" || inside) places.push_back(place);
  }
  return places;
}

/// A matrix of an AnnData and the names of its columns.
struct NamedMatrix {
  std::string name;
  AnnMatrix matrix;
  std::vector<std::string> columns;  ///< empty: numbered
};

std::vector<std::string> unique_names(const ArrayFile& file, const std::string& path,
                                      std::vector<std::string> names) {
  std::unordered_set<std::string> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) continue;
    throw DataError(fmt::format(
        "{}:{}: the name {} occurs twice; make names unique: adata.var_names_make_unique()",
        file.path(), path, in_quotes(name)));
  }
  return names;
}

NamedMatrix named_matrix(const ArrayFile& file, const Modality& of, const std::string& place,
                         const Context& context) {
  const bool raw = place == "raw" || place == "raw/X";
  const std::string path = of.path + "/" + (raw ? "raw/X" : place);
  const bool known =
      place == "X" || raw || place.starts_with("layers/") || place.starts_with("obsm/");
  if (!known || file.find(path) == nullptr) {
    const std::vector<std::string> places = places_in(file, of);
    throw DataError(fmt::format("{}: there is no {}{} (the file holds {}, and obs with labels)",
                                file.path(), path, did_you_mean(place, places),
                                fmt::join(places, ", ")));
  }
  NamedMatrix result;
  result.name = place == "X" ? (of.name.empty() ? "X" : of.name)
                             : (raw ? "raw" : place.substr(place.rfind('/') + 1));
  result.matrix = describe_matrix(file, path);
  if (place.starts_with("obsm/")) return result;
  const std::string var = of.path + (raw ? "/raw/var" : "/var");
  result.columns = unique_names(file, var, row_names(file, read_frame(file, var), context));
  if (length(result.columns) == result.matrix.columns) return result;
  throw DataError(
      fmt::format("{}:{}: has {} columns and {} names of variables; the file is damaged",
                  file.path(), path, result.matrix.columns, result.columns.size()));
}

/// Appends the tables of one AnnData.
class AnnDataReader {
 public:
  AnnDataReader(ArrayPointer file, const Modality& of, const FilePlace& place,
                const ReadOptions& options, std::vector<InputFile>& inputs)
      : file_(std::move(file)),
        of_(of),
        place_(place),
        options_(options),
        inputs_(inputs),
        obs_(read_frame(*file_, of.path + "/obs")) {
    const bool column = std::ranges::find(obs_.columns, options.id_column) != obs_.columns.end();
    ids_ = column && !options.id_column.empty()
               ? column_texts(*file_, obs_, options.id_column, options.context)
               : row_names(*file_, obs_, options.context);
  }

  void add_matrix(const std::string& place) {
    const std::string path = of_.path + "/" + place;
    if (place.starts_with("obsm/") &&
        attribute_text(*file_, path, "encoding-type") == "dataframe") {
      return add_frame(read_frame(*file_, path), place.substr(5), false);
    }
    NamedMatrix found = named_matrix(*file_, of_, place, options_.context);
    require_rows(found.matrix.path, found.matrix.rows);
    InputFile input = input_of(found.matrix.path);
    if (!place_.named) input.name = found.name;
    input.numbered = found.columns.empty();
    input.header = input.numbered ? numbered_columns(found.matrix.columns) : found.columns;
    using ReadNumbers = std::function<Vector(const Context&)>;
    using Sparse = std::function<StoredSparse(const Context&)>;
    const AnnMatrix& matrix = found.matrix;
    const ReadNumbers numbers = [file = file_, matrix](const Context& context) {
      return file->numbers(require_array(*file, matrix.path), context);
    };
    const Sparse sparse = [file = file_, matrix](const Context& context) {
      return matrix_parts(*file, matrix, context);
    };
    input.stored = matrix.sparse ? std::make_shared<StoredMatrix>(matrix.rows, sparse)
                                 : std::make_shared<StoredMatrix>(matrix.rows, numbers);
    inputs_.push_back(std::move(input));
  }

  /// The columns of obs; those of a modality are called MODALITY:COLUMN where they are no features.
  void add_obs(bool annotation) {
    const std::string path = file_->path() + ":" + obs_.path;
    const auto same = [&](const InputFile& other) {
      return other.path == path && other.annotation && annotation;
    };
    if (obs_.columns.empty() || std::ranges::any_of(inputs_, same)) return;
    add_frame(obs_, "obs", annotation);
  }

  /// Tells what else could be read.
  void say_places() const {
    std::vector<std::string> others = places_in(*file_, of_);
    std::erase(others, "X");
    if (others.empty()) return;
    inputs_.back().notes.push_back(
        fmt::format("{}: X is read, and not {}; {}:{}/{} would be read beside it", file_->path(),
                    fmt::join(others, ", "), file_->path(), of_.path, others.front()));
  }

 private:
  void add_frame(const AnnFrame& frame, const std::string& name, bool annotation) {
    InputFile input = input_of(frame.path);
    if (!place_.named) input.name = name;
    input.annotation = annotation;
    std::vector<ColumnTexts> columns;
    for (const std::string& column : frame.columns) {
      const bool prefixed = annotation && !of_.name.empty();
      input.header.push_back(prefixed ? of_.name + ":" + column : column);
      columns.push_back([file = file_, frame, column](const Context& context) {
        return column_texts(*file, frame, column, context);
      });
    }
    input.stored = std::make_shared<StoredFrame>(length(ids_), std::move(columns));
    inputs_.push_back(std::move(input));
  }

  void require_rows(const std::string& path, Index rows) const {
    if (rows == length(ids_)) return;
    throw DataError(fmt::format("{}:{}: has {} rows and obs {}; the file is damaged", file_->path(),
                                path, rows, ids_.size()));
  }

  [[nodiscard]] InputFile input_of(const std::string& path) const {
    InputFile input;
    input.path = file_->path() + ":" + path;
    input.container = of_.name.empty() ? file_->path() : file_->path() + ":" + of_.path;
    input.name = place_.name;
    input.ids = ids_;
    return input;
  }

  ArrayPointer file_;
  Modality of_;
  const FilePlace& place_;
  const ReadOptions& options_;
  std::vector<InputFile>& inputs_;
  AnnFrame obs_;
  std::vector<std::string> ids_;
};

/// Columns of the obs that modalities share, but for those that are copies of a modality's own.
void add_shared_obs(const ArrayPointer& file, const ReadOptions& options,
                    const std::vector<Modality>& modalities, std::vector<InputFile>& inputs) {
  const AnnFrame obs = read_frame(*file, "/obs");
  InputFile input;
  input.path = file->path() + ":/obs";
  if (std::ranges::find(inputs, input.path, &InputFile::path) != inputs.end()) return;
  input.name = "obs";
  input.annotation = true;
  input.container = input.path;
  std::vector<ColumnTexts> columns;
  for (const std::string& column : obs.columns) {
    const bool copied = std::ranges::any_of(modalities, [&](const Modality& modality) {
      return column.starts_with(modality.name + ":");
    });
    if (copied) continue;
    input.header.push_back(column);
    columns.push_back([file, obs, column](const Context& context) {
      return column_texts(*file, obs, column, context);
    });
  }
  if (columns.empty()) return;
  input.ids = row_names(*file, obs, options.context);
  input.stored = std::make_shared<StoredFrame>(length(input.ids), std::move(columns));
  inputs.push_back(std::move(input));
}

/// The modality at the beginning of a place, which is taken off.
Modality take_modality(const ArrayFile& file, std::string& place) {
  const std::vector<Modality> modalities = modalities_of(file);
  if (!is_mudata(file)) return modalities.front();
  if (place.starts_with("mod/")) place.erase(0, 4);
  const std::string name = place.substr(0, place.find('/'));
  for (const Modality& modality : modalities) {
    if (modality.name != name) continue;
    place.erase(0, std::min(name.size() + 1, place.size()));
    return modality;
  }
  std::vector<std::string> names;
  for (const Modality& modality : modalities) names.push_back(modality.name);
  throw DataError(fmt::format("{}: there is no modality {}{} (the file has {})", file.path(),
                              in_quotes(name), did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace

bool is_anndata(const ArrayFile& file) {
  const std::string ending = lowercase(std::filesystem::path(file.path()).extension().string());
  if (ending == ".h5ad" || ending == ".h5mu") return true;
  return file.find("/obs") != nullptr && file.find("/var") != nullptr;
}

void open_anndata(const std::shared_ptr<const ArrayFile>& file, const FilePlace& place,
                  const ReadOptions& options, std::vector<InputFile>& inputs) {
  const std::vector<Modality> modalities = modalities_of(*file);
  std::string inside = place.place;
  if (inside.starts_with('/')) inside.erase(0, 1);
  if (!inside.empty()) {
    const Modality modality = take_modality(*file, inside);
    AnnDataReader reader(file, modality, place, options, inputs);
    if (inside != "obs") reader.add_matrix(inside.empty() ? "X" : inside);
    reader.add_obs(inside != "obs");
  } else {
    for (const Modality& modality : modalities) {
      FilePlace named = place;
      named.named = place.named && modalities.size() == 1;
      AnnDataReader reader(file, modality, named, options, inputs);
      reader.add_matrix("X");
      reader.say_places();
      reader.add_obs(true);
    }
  }
  if (is_mudata(*file)) add_shared_obs(file, options, modalities, inputs);
}

}  // namespace kernmix
