#include <cmath>
#include <set>

#include "data/number.hpp"
#include "kernmix/study.hpp"

namespace kernmix {
namespace {

constexpr std::size_t kMostClasses = 20;  ///< for numbers that are not consecutive
constexpr std::size_t kFewestOfName = 5;  ///< average samples in a class for consecutive numbers

/// Whether integers are names of classes: few different ones, or 0, 1, ... or 1, 2, ... without a
/// gap and with several samples each.
bool name_classes(const std::set<double>& different, std::size_t samples) {
  if (different.size() <= kMostClasses) return true;
  const double first = *different.begin();
  const double last = *different.rbegin();
  const bool count_up =
      (first == 0.0 || first == 1.0) && last - first + 1.0 == static_cast<double>(different.size());
  return count_up && samples >= kFewestOfName * different.size();
}

}  // namespace

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
  const bool classes = whole && name_classes(different, table.labels.size());
  return classes || different.size() <= 2 ? "hinge" : "squared";
}

}  // namespace kernmix
