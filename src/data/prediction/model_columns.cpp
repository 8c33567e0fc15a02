#include "data/prediction/model_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include "base/text.hpp"
#include "data/join.hpp"
#include "data/prediction/shifted_names.hpp"
#include "data/roles.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

using Names = std::vector<std::string>;
using NameSet = std::set<std::string>;

/// A column is left out of the features if it has another role.
void refuse_other_roles(const std::vector<InputFile>& files, const ReadOptions& options,
                        const ColumnRoles& roles) {
  const auto refuse = [&](const std::string& name, const std::string& role) {
    if (name.empty() || std::ranges::find(options.only, name) == options.only.end()) return;
    throw DataError(
        fmt::format("{}: column {} is one of the columns that the model reads, so it cannot be "
                    "the {}",
                    comma_list(files, &InputFile::path), in_quotes(name), role));
  };
  refuse(options.label_column, options.label_called);
  refuse(options.id_column, "sample id");
  for (const std::string& name : roles.labels) refuse(name, "indicator of a label");
  for (const std::string& name : roles.targets) refuse(name, "target");
}

/// The names of columns are known before the samples are read.
bool has_names(const InputFile& file) {
  return !file.stored && (file.format == FileFormat::csv || file.format == FileFormat::tsv ||
                          file.format == FileFormat::arff);
}

/// The columns of the table of training, or as many as are known.
NameSet known_columns(const ReadOptions& options) {
  NameSet known(options.only.begin(), options.only.end());
  for (const View& view : options.only_views) {
    known.insert(view.columns.begin(), view.columns.end());
  }
  return known;
}

/// A file, and the name that training gave to a file with its columns.
struct FormerName {
  const InputFile* file = nullptr;
  std::string name;
  std::string example;               ///< a column that the model calls "name.example"
  std::set<std::string> names = {};  ///< all that fit; `name` is a guess where there are several
  bool alike = false;                ///< the file's own name contains `name`

  [[nodiscard]] bool is_guess() const { return !alike && names.size() > 1; }
};

/// Finds files of which the model reads no column, and knows columns by the name of another file.
/// \param missing  columns of the model that the files lack
std::vector<FormerName> other_names(const std::vector<InputFile>& files, const Names& missing,
                                    const ReadOptions& options) {
  std::vector<FormerName> found;
  std::set<std::string> taken;
  for (const InputFile& file : files) {
    if (std::ranges::count(roles_of(file, options), Role::value) > 0) continue;
    const NameSet own(file.header.begin(), file.header.end());
    FormerName best;
    for (const std::string& name : missing) {
      for (std::size_t point = name.find('.'); point != std::string::npos;
           point = name.find('.', point + 1)) {
        const std::string part = name.substr(0, point);
        if (!own.contains(name.substr(point + 1)) || taken.contains(part)) continue;
        const bool alike = file.name.find(part) != std::string::npos;
        best.names.insert(part);
        if (best.file != nullptr && (!alike || best.alike)) continue;
        best.file = &file;
        best.name = part;
        best.example = name.substr(point + 1);
        best.alike = alike;
      }
    }
    if (best.file == nullptr) continue;
    if (!best.is_guess()) taken.insert(best.name);
    found.push_back(std::move(best));
  }
  return found;
}

/// "; in training 'rna.g1' was the column 'g1' of a file called 'rna': give the new file as
/// rna=rna_new.csv", or as NAME=rna_new.csv where several names fit.
std::string renaming_hint(const std::vector<FormerName>& others) {
  if (others.empty()) return "";
  std::string files;
  std::set<std::string> names;
  for (const FormerName& other : others) {
    const std::string path = other.file->path == standard_input ? "-" : other.file->path;
    const std::string name = other.is_guess() ? "NAME" : other.name;
    files += (files.empty() ? "" : " ") + shell_word(fmt::format("{}={}", name, path));
    if (other.is_guess()) names.insert(other.names.begin(), other.names.end());
  }
  const FormerName& first = others.front();
  return fmt::format(
      "; in training {} was the column {} of a file called {}: give the new file{} as {}{}",
      in_quotes(first.name + "." + first.example), in_quotes(first.example), in_quotes(first.name),
      others.size() == 1 ? "" : "s", files,
      names.empty() ? ""
                    : fmt::format(" with its NAME in training, one of {}",
                                  listed({names.begin(), names.end()}, names.size())));
}

class ModelColumns {
 public:
  ModelColumns(const std::vector<InputFile>& files, const ReadOptions& options)
      : options_(options), source_(comma_list(files, &InputFile::path)) {
    for (const Names& names : joined_headers(files)) header_.insert(names.begin(), names.end());
    const NameSet excused = absent_columns();
    for (const std::string& name : options.only) {
      if (!name.empty() && !header_.contains(name) && !excused.contains(name)) {
        missing_.push_back(name);
      }
    }
    Names unread = missing_;
    std::ranges::copy_if(excused, std::back_inserter(unread),
                         [&](const std::string& name) { return !header_.contains(name); });
    others_ = other_names(files, unread, options);
  }

  void require_all() const {
    if (missing_.empty()) return refuse_unread_files();
    const std::string example = in_quotes(missing_.front());
    if (missing_.size() == 1) {
      throw DataError(fmt::format("{}: there is no column {}{}", source_, example, hint()));
    }
    const Names views = missing_views();
    if (!views.empty() && missing_.size() < options_.only.size()) {
      throw DataError(fmt::format(
          "{}: all {} columns of view{} {}, which the model reads, are missing ({}, ...): name the "
          "file of {} too{}",
          source_, missing_.size(), views.size() == 1 ? "" : "s", comma_list(views), example,
          views.size() == 1 ? "this view" : "these views", renaming_hint(others_)));
    }
    throw DataError(
        fmt::format("{}: {} of the {} columns that the model reads are missing, for example {}{}",
                    source_, missing_.size(), options_.only.size(), example, hint()));
  }

 private:
  /// A view that new samples may lack is not absent where its file has another name.
  void refuse_unread_files() const {
    if (others_.empty()) return;
    throw DataError(fmt::format("{}: the model reads no column of this file{}",
                                others_.front().file->path, renaming_hint(others_)));
  }

  [[nodiscard]] bool lacks(const View& view) const {
    return std::ranges::none_of(view.columns,
                                [&](const std::string& name) { return header_.contains(name); });
  }

  /// Of views that new samples may lack. If a file has some column of such a view, it needs all.
  [[nodiscard]] NameSet absent_columns() const {
    const NameSet may_be_absent(options_.may_be_absent.begin(), options_.may_be_absent.end());
    NameSet absent;
    for (const View& view : options_.only_views) {
      if (view.name == columns_of_training) continue;
      const bool whole = std::ranges::all_of(
          view.columns, [&](const std::string& name) { return may_be_absent.contains(name); });
      if (whole && lacks(view)) absent.insert(view.columns.begin(), view.columns.end());
    }
    return absent;
  }

  /// The views that lack all their columns, in quotes; none if other columns are missing, too.
  [[nodiscard]] Names missing_views() const {
    Names views;
    NameSet explained;
    for (const View& view : options_.only_views) {
      if (view.name == columns_of_training || view.columns.empty() || !lacks(view)) continue;
      views.push_back(in_quotes(view.name));
      explained.insert(view.columns.begin(), view.columns.end());
    }
    const auto is_explained = [&](const std::string& name) { return explained.contains(name); };
    return std::ranges::all_of(missing_, is_explained) ? views : Names();
  }

  /// A column that the model does not read may be the missing one with another name.
  [[nodiscard]] std::string hint() const {
    if (!others_.empty()) return renaming_hint(others_);
    NameSet others = header_;
    for (const std::string& name : options_.only) others.erase(name);
    others.erase(options_.label_column);
    others.erase(options_.id_column);
    return did_you_mean(missing_.front(), Names(others.begin(), others.end()));
  }

  const ReadOptions& options_;
  std::vector<FormerName> others_;
  std::string source_;
  NameSet header_;
  Names missing_;
};

}  // namespace

void name_by_model(std::vector<InputFile>& files, const ReadOptions& options) {
  if (options.only_views.empty()) return;
  const NameSet known = known_columns(options);
  for (InputFile& file : files) {
    const std::string prefix = file.name + ".";
    const NameSet header(file.header.begin(), file.header.end());
    for (auto name = known.lower_bound(prefix); name != known.end() && name->starts_with(prefix);
         ++name) {
      std::string own = name->substr(prefix.size());
      const bool other = known.contains(own) || header.contains(*name);
      if (!other) file.with_prefix.insert(std::move(own));
    }
  }
}

void refuse_shifted_columns(InputFile& file, const Names& names, const ReadOptions& options) {
  const auto training = std::ranges::find(options.only_views, columns_of_training, &View::name);
  if (training == options.only_views.end() || file.annotation) return;
  const CountedNames found = compare_counts(names, training->columns);
  if (found.shifted) refuse_shifted_names(names, training->columns, file.path);
  if (found.one_more) file.notes.push_back(fmt::format("{}: {}", file.path, found.sentence));
}

namespace {

/// The columns that may be features, by the names that the model would have for them.
Names features_of(const InputFile& file, Names names, const ReadOptions& options,
                  const ColumnRoles& roles) {
  const auto is_other = [&](const std::string& name) {
    const auto matches = [&](const std::string& item) { return glob_match(item, name); };
    return name == options.label_column || name == options.id_column ||
           std::ranges::count(roles.labels, name) > 0 ||
           std::ranges::count(roles.targets, name) > 0 ||
           std::ranges::any_of(options.ignore, matches);
  };
  if (file.row_names && !names.empty()) names.erase(names.begin());
  std::erase_if(names, is_other);
  return names;
}

}  // namespace

void require_model_columns(std::vector<InputFile>& files, const ReadOptions& options,
                           const ColumnRoles& roles) {
  if (options.only_views.empty()) return;
  refuse_other_roles(files, options, roles);
  const std::vector<Names> headers = joined_headers(files);
  for (std::size_t f = 0; f < files.size(); ++f) {
    refuse_shifted_columns(files[f], features_of(files[f], headers[f], options, roles), options);
  }
  if (std::ranges::all_of(files, has_names)) ModelColumns(files, options).require_all();
}

}  // namespace kernmix
