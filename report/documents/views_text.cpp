#include "views_text.hpp"

#include <fmt/format.h>

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace kernmix::documents {
namespace {

/// Columns of one file in a view.
struct ColumnsOfFile {
  std::string file;  ///< its name in the table; empty: the columns were made in training
  Index columns = 0;
};

class FilesOfColumns {
 public:
  explicit FilesOfColumns(const Table& table) {
    for (const FilePart& part : table.parts) {
      for (Index j = part.first; j < part.first + part.columns; ++j) {
        if (j < length(table.columns)) file_[table.columns[to_size(j)]] = part.name;
      }
    }
  }

  [[nodiscard]] std::vector<ColumnsOfFile> of(const View& view) const {
    std::vector<ColumnsOfFile> files;
    std::map<std::string, std::size_t> place;
    for (const std::string& column : view.columns) {
      const auto found = file_.find(column);
      const std::string file = found == file_.end() ? "" : found->second;
      const auto [own, is_new] = place.try_emplace(file, files.size());
      if (is_new) files.push_back({file, 0});
      ++files[own->second].columns;
    }
    return files;
  }

 private:
  std::unordered_map<std::string, std::string> file_;
};

std::string kind_of(const MatrixView& view) {
  return view.kind == KernelInput::gram ? "gram" : "distance";
}

std::string text_of(const View& view, const FilesOfColumns& files) {
  const auto text = [](const ColumnsOfFile& own) {
    const std::string count = fmt::format("{} column{}", own.columns, own.columns == 1 ? "" : "s");
    return own.file.empty() ? count : fmt::format("{} of {}", count, own.file);
  };
  return fmt::format("{}: {}", view.name, comma_list(files.of(view), text));
}

}  // namespace

std::string views_text(const Dataset& data) {
  constexpr std::size_t shown = 6;
  const FilesOfColumns files(data.table);
  std::vector<std::string> texts;
  for (const View& view : data.views) texts.push_back(text_of(view, files));
  for (const MatrixView& view : data.matrices) {
    texts.push_back(fmt::format("{}: {} matrix", view.name, kind_of(view)));
  }
  const std::size_t more = texts.size() > shown ? texts.size() - shown : 0;
  texts.resize(texts.size() - more);
  std::string text;
  for (const std::string& own : texts) text += (text.empty() ? "" : "; ") + own;
  return more == 0 ? text : fmt::format("{}; and {} more", text, more);
}

Json views_json(const Dataset& data) {
  std::map<std::string, std::size_t> samples;
  for (const Presence& own : incomplete_views(data)) {
    samples[own.view.name] = own.present->samples().size();
  }
  const FilesOfColumns files(data.table);
  Json views = Json::array();
  for (const View& view : data.views) {
    Json of_files = Json::array();
    for (const ColumnsOfFile& own : files.of(view)) {
      if (own.file.empty()) continue;
      of_files.push_back({{"file", own.file}, {"columns", own.columns}});
    }
    views.push_back({{"name", view.name},
                     {"kind", "features"},
                     {"columns", view.columns},
                     {"files", std::move(of_files)}});
  }
  for (const MatrixView& view : data.matrices) {
    views.push_back({{"name", view.name}, {"kind", kind_of(view)}, {"columns", Json::array()}});
  }
  for (Json& view : views) {
    const auto own = samples.find(view["name"].get<std::string>());
    if (own != samples.end()) view["samples"] = own->second;
  }
  return views;
}

}  // namespace kernmix::documents
