#include "multi/names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "kernmix/error.hpp"

namespace kernmix::cli {

std::string tasks_text(const MultiModel& model) {
  const std::size_t count = model.names.size();
  if (model.of_labels()) return fmt::format("{} labels, {}", count, model.sharing);
  if (model.scheme == TaskScheme::joint) return fmt::format("{} classes, joint", count);
  return fmt::format("{} classes, {}, {}", count, scheme_name(model.scheme), model.sharing);
}

std::vector<Index> samples_per_name(const MultiModel& model, const Table& table) {
  std::vector<Index> counts(model.names.size(), 0);
  if (model.of_labels()) {
    const MultiLabels labels = labels_in_order(model.names, table);
    for (Index t = 0; t < length(labels.names); ++t) {
      const Vector signs = labels.signs(t);
      counts[static_cast<std::size_t>(t)] = std::count(signs.begin(), signs.end(), 1.0);
    }
    return counts;
  }
  for (const Index code : ClassLabels{model.names}.encode(table.labels)) {
    ++counts[static_cast<std::size_t>(code)];
  }
  return counts;
}

MultiLabels labels_in_order(const std::vector<std::string>& names, const Table& table) {
  const MultiLabels& given = table.multi_labels;
  if (given.names.empty()) {
    throw ParameterError("--labels is missing: name the columns with the true labels");
  }
  MultiLabels labels;
  labels.names = names;
  std::vector<Index> place;
  for (const std::string& name : names) {
    const auto found = std::find(given.names.begin(), given.names.end(), name);
    if (found == given.names.end()) {
      throw DataError(fmt::format("{}: has no label {}, which the model predicts{}", table.source,
                                  in_quotes(name), did_you_mean(name, given.names)));
    }
    place.push_back(found - given.names.begin());
  }
  for (Index i = 0; i < given.samples(); ++i) {
    for (const Index t : place) labels.values.push_back(given.has(i, t) ? 1 : 0);
  }
  return labels;
}

}  // namespace kernmix::cli
