#include "model/warnings/warnings.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace kernmix {
std::string first_names(const std::vector<std::string>& names) {
  constexpr std::size_t most_names = 3;
  return listed(names, most_names);
}

std::string kernel_list(const TrainingKernels& kernels, const std::vector<Index>& chosen) {
  std::vector<std::string> names;
  for (const Index m : chosen) {
    names.push_back(kernels.descriptions[to_size(m)].name());
  }
  return first_names(names);
}

std::string which_tasks(const TaskSet& set, const std::vector<std::string>& names) {
  if (set.single()) return "";
  return fmt::format(" of {} of {} tasks ({})", names.size(), set.size(), first_names(names));
}

std::vector<Warning> training_warnings(const TaskSet& set, const TrainingKernels& kernels,
                                       const std::vector<KernelShape>& shapes,
                                       const TasksAnswer& answer, const Model& model,
                                       const Context& context) {
  const Vector weights = kernel_weights(model);
  std::vector<Warning> warnings;
  warn_of_identities(kernels, shapes, weights, warnings);
  warn_of_constants(kernels, shapes, weights, warnings);
  warn_of_constant_targets(set.targets, warnings);
  warn_of_decisions(set, kernels, shapes, model, context, warnings);
  warn_of_weights_not_learned(set, answer, model.settings.tolerance, warnings);
  warn_of_grid_edges(kernels, shapes, weights, warnings);
  warn_of_dominant_columns(kernels, warnings);
  warn_of_answers_among_columns(set.targets, kernels, context, warnings);
  warn_of_numbered_samples(kernels, warnings);
  warn_of_numbers_as_classes(set.targets, warnings);
  warn_of_classes_without_view(set.targets, kernels, warnings);
  warn_of_columns_without_values(kernels, warnings);
  warn_of_constant_columns(kernels, model.indicators, warnings);
  warn_of_weak_optimum(set, answer, warnings);
  warn_of_untested(kernels, warnings);
  return warnings;
}

}  // namespace kernmix
