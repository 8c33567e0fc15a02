#include <cmath>
#include <set>

#include "data/number.hpp"
#include "kernmix/study.hpp"
#include "model/targets.hpp"

namespace kernmix {

std::string loss_for(const Table& table) {
  if (table.targets.values.cols > 0) return "squared";
  if (table.labels.empty() || !table.multi_labels.names.empty()) return "hinge";
  std::set<double> different;
  bool whole = true;
  for (const std::string& label : table.labels) {
    const std::optional<double> number = parse_number(label);
    if (!number) return "hinge";
    different.insert(*number);
    whole = whole && std::floor(*number) == *number;
  }
  const bool classes = whole && name_classes(different, length(table.labels));
  return classes || different.size() <= 2 ? "hinge" : "squared";
}

}  // namespace kernmix
