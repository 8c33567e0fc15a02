#include "labels_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "base/text.hpp"
#include "data/csv.hpp"
#include "data/file.hpp"
#include "data/roles.hpp"

namespace kernmix::cli {
namespace {

/// Whether an expression such as "rbf on data, each" names a view.
bool names_view(const std::string& kernel, const std::string& view) {
  const std::size_t on = kernel.rfind(" on ");
  if (on == std::string::npos) return false;
  std::string_view rest = std::string_view(kernel).substr(on + 4);
  rest = rest.substr(0, rest.find('|'));
  const std::vector<std::string_view> names = split(rest, ',');
  return std::ranges::any_of(
      names, [&](std::string_view name) { return std::string(trim(name)) == view; });
}

bool is_read_by_name(const std::vector<std::string>& kernels, const std::string& view) {
  return std::ranges::any_of(kernels,
                             [&](const std::string& kernel) { return names_view(kernel, view); });
}

/// The columns of a file that are labels or targets; empty for a file of features.
std::vector<std::string> answers_of(const InputFile& file, const ColumnRoles& roles,
                                    const ReadOptions& reading) {
  std::vector<std::string> answers;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(file.header, name) != file.header.end()) answers.push_back(name);
  };
  if (!reading.label_column.empty()) add(reading.label_column);
  std::ranges::for_each(roles.labels, add);
  std::ranges::for_each(roles.targets, add);
  return answers;
}

}  // namespace

LabelsFiles files_of_labels_only(const TrainArguments& a, const ReadOptions& reading,
                                 const std::vector<std::string>& kernels,
                                 const std::vector<std::string>& used) {
  LabelsFiles found;
  const bool matrices = !a.data.grams.empty() || !a.data.distances.empty();
  const bool again = std::ranges::find(a.data.files, "-") == a.data.files.end();
  if (!matrices || !a.views.empty() || !a.data.sets.empty() || a.data.files.empty()) return found;
  if (!again) return found;
  std::vector<InputFile> files = open_inputs(a.data.files, reading);
  const ColumnRoles roles = prepare_inputs(files, reading);
  std::map<std::string, int> counts;
  for (const InputFile& file : files) {
    for (const std::string& name : file.header) ++counts[name];
  }
  const std::set<std::string> others(used.begin(), used.end());
  for (const InputFile& file : files) {
    const std::vector<std::string> answers = answers_of(file, roles, reading);
    if (answers.empty() || file.stored) continue;
    const std::string view = files.size() == 1 ? "data" : file.name;
    if (is_read_by_name(kernels, view)) continue;
    found.parts.push_back(file.name);
    for (const std::string& name : file.header) {
      const bool other = std::ranges::find(answers, name) != answers.end() ||
                         name == reading.id_column || others.contains(name) || counts[name] > 1;
      if (!other) found.columns.push_back(name);
    }
  }
  return found;
}

void leave_out_views(const LabelsFiles& files, const Table& table, std::vector<View>& views) {
  for (const FilePart& part : table.parts) {
    if (std::ranges::find(files.parts, part.name) == files.parts.end()) continue;
    const std::string view = table.parts.size() == 1 ? "data" : part.name;
    std::erase_if(views, [&](const View& own) { return own.name == view; });
  }
}

std::string no_features_text(const LabelsFiles& files) {
  constexpr std::size_t shown = 5;
  if (files.columns.empty()) return "";
  return fmt::format(
      "with given matrices, other columns of the file with the labels are no features: {}; to "
      "learn "
      "from some of them, name them with --view NAME=COLUMNS",
      listed(files.columns, shown));
}

}  // namespace kernmix::cli
