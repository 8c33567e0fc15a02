// The warning that classes are numbers to predict: the rule by which `auto` chooses regression

#include <fmt/format.h>

#include <optional>
#include <set>

#include "data/number.hpp"
#include "model/warnings/warnings.hpp"

namespace kernmix {

void warn_of_numbers_as_classes(const TaskTargets& targets, std::vector<Warning>& warnings) {
  if (targets.target != Target::classes || targets.scheme == TaskScheme::labels) return;
  std::set<double> numbers;
  for (const std::string& name : targets.names) {
    const std::optional<double> number = parse_number(name);
    if (!number) return;
    numbers.insert(*number);
  }
  if (numbers.empty() || name_classes(numbers, targets.samples())) return;
  warnings.push_back(
      {"numbers-as-classes",
       fmt::format("The {} classes are numbers. If these are numbers to predict, use a loss for "
                   "regression such as squared.",
                   targets.names.size()),
       {}});
}

}  // namespace kernmix
