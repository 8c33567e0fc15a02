#include "data/label_columns.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/text.hpp"
#include "data/column_selection.hpp"
#include "data/join.hpp"

namespace kernmix {
namespace {

/// A column that can be a label.
struct LabelCandidate {
  std::size_t file;
  std::string own_name;  ///< in its file
};

/// True for sample ids and ignored columns.
bool is_set_apart(const std::string& name, const ReadOptions& options) {
  const auto matches = [&](const std::string& pattern) { return glob_match(pattern, name); };
  return name == options.id_column ||
         std::any_of(options.ignore.begin(), options.ignore.end(), matches);
}

/// Labels declared in the headers of MEKA files.
std::vector<std::string> declared_labels(std::vector<InputFile>& files,
                                         const std::vector<std::vector<std::string>>& names,
                                         const ReadOptions& options) {
  std::vector<std::string> chosen;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const Index declared = files[f].declared_labels;
    const Index first = declared < 0 ? length(names[f]) + declared : 0;
    for (Index j = first; j < first + std::abs(declared); ++j) {
      const auto at = to_size(j);
      if (is_set_apart(files[f].header[at], options)) continue;
      files[f].label_columns.push_back(files[f].header[at]);
      chosen.push_back(names[f][at]);
    }
  }
  return chosen;
}

/// The named columns that `items` select; those of each file are stored in its `list`.
std::vector<std::string> selected_columns(std::vector<InputFile>& files,
                                          const std::string& id_column, const std::string& option,
                                          const std::vector<std::string>& items,
                                          std::vector<std::string> InputFile::*list) {
  const auto names = joined_headers(files);
  std::vector<std::string> all;
  std::vector<LabelCandidate> candidates;
  std::string source;
  for (std::size_t f = 0; f < files.size(); ++f) {
    if (!files[f].header.empty()) source += (source.empty() ? "" : ", ") + files[f].path;
    for (std::size_t j = 0; j < names[f].size(); ++j) {
      if (files[f].header[j] == id_column) continue;
      all.push_back(names[f][j]);
      candidates.push_back({f, files[f].header[j]});
    }
  }
  if (all.empty()) return {};
  ColumnSelection selection(all, source, option);
  for (const std::string& item : items) selection.add(item);
  std::vector<std::string> chosen;
  for (const Index j : selection.chosen()) {
    const auto& [file, own_name] = candidates[to_size(j)];
    (files[file].*list).push_back(own_name);
    chosen.push_back(all[to_size(j)]);
  }
  return chosen;
}

}  // namespace

std::vector<std::string> choose_label_columns(std::vector<InputFile>& files,
                                              const ReadOptions& options) {
  if (!options.label_columns.empty()) {
    return selected_columns(files, options.id_column, "--labels", options.label_columns,
                            &InputFile::label_columns);
  }
  const bool others = !options.label_column.empty() || !options.target_columns.empty();
  if (others || !options.only.empty()) return {};
  return declared_labels(files, joined_headers(files), options);
}

std::vector<std::string> choose_target_columns(std::vector<InputFile>& files,
                                               const ReadOptions& options) {
  if (options.target_columns.empty()) return {};
  return selected_columns(files, options.id_column, "--targets", options.target_columns,
                          &InputFile::target_columns);
}

MultiLabels reordered(const MultiLabels& labels, const std::vector<std::string>& names) {
  std::unordered_map<std::string, std::size_t> position;
  for (std::size_t t = 0; t < labels.names.size(); ++t) position.emplace(labels.names[t], t);
  std::vector<std::size_t> order;
  for (const std::string& name : names) order.push_back(position.at(name));
  MultiLabels result = {names, std::vector<unsigned char>(labels.values.size())};
  for (std::size_t i = 0; i < labels.values.size(); i += names.size()) {
    for (std::size_t t = 0; t < names.size(); ++t) {
      result.values[i + t] = labels.values[i + order[t]];
    }
  }
  return result;
}

}  // namespace kernmix
