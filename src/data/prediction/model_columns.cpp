#include "data/prediction/model_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/text.hpp"
#include "data/join.hpp"
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
  }

  void require_all() const {
    if (missing_.empty()) return;
    const std::string example = in_quotes(missing_.front());
    if (missing_.size() == 1) {
      throw DataError(fmt::format("{}: there is no column {}{}", source_, example, hint()));
    }
    const Names views = missing_views();
    if (!views.empty() && missing_.size() < options_.only.size()) {
      throw DataError(fmt::format(
          "{}: all {} columns of view{} {}, which the model reads, are missing ({}, ...): name the "
          "file of {} too",
          source_, missing_.size(), views.size() == 1 ? "" : "s", comma_list(views), example,
          views.size() == 1 ? "this view" : "these views"));
    }
    throw DataError(
        fmt::format("{}: {} of the {} columns that the model reads are missing, for example {}{}",
                    source_, missing_.size(), options_.only.size(), example, hint()));
  }

 private:
  [[nodiscard]] bool lacks(const View& view) const {
    return std::ranges::none_of(view.columns,
                                [&](const std::string& name) { return header_.contains(name); });
  }

  /// Of views that new samples may lack. If a file has some column of such a view, it needs all.
  [[nodiscard]] NameSet absent_columns() const {
    const NameSet may_be_absent(options_.may_be_absent.begin(), options_.may_be_absent.end());
    NameSet absent;
    for (const View& view : options_.only_views) {
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
      if (view.columns.empty() || !lacks(view)) continue;
      views.push_back(in_quotes(view.name));
      explained.insert(view.columns.begin(), view.columns.end());
    }
    const auto is_explained = [&](const std::string& name) { return explained.contains(name); };
    return std::ranges::all_of(missing_, is_explained) ? views : Names();
  }

  /// A column that the model does not read may be the missing one with another name.
  [[nodiscard]] std::string hint() const {
    NameSet others = header_;
    for (const std::string& name : options_.only) others.erase(name);
    others.erase(options_.label_column);
    others.erase(options_.id_column);
    return did_you_mean(missing_.front(), Names(others.begin(), others.end()));
  }

  const ReadOptions& options_;
  std::string source_;
  NameSet header_;
  Names missing_;
};

}  // namespace

void require_model_columns(const std::vector<InputFile>& files, const ReadOptions& options,
                           const ColumnRoles& roles) {
  if (options.only_views.empty()) return;
  refuse_other_roles(files, options, roles);
  if (std::ranges::all_of(files, has_names)) ModelColumns(files, options).require_all();
}

}  // namespace kernmix
