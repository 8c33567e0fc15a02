#include "repair_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "layout.hpp"

namespace kernmix::documents {
namespace {

bool is_asked(const ModelKernel& kernel) { return kernel.repair.rule != Repair::none; }

}  // namespace

bool has_repair(const Model& model) { return std::ranges::any_of(model.kernels, is_asked); }

std::string repair_text(const Model& model) {
  constexpr std::size_t shown = 6;
  std::vector<std::string> changed;
  std::string rule;
  for (const ModelKernel& kernel : model.kernels) {
    if (is_asked(kernel)) rule = repair_name(kernel.repair.rule);
    if (!kernel.repair.changed()) continue;
    changed.push_back(fmt::format("{} ({} eigenvalues < 0, the smallest {:.4g})",
                                  kernel.description.name(), kernel.repair.negative_count,
                                  kernel.repair.smallest));
  }
  return fmt::format("{}: {}", rule,
                     changed.empty() ? "no matrix is indefinite" : listed(changed, shown));
}

Json repair_json(const FittedRepair& repair) {
  return {{"rule", repair_name(repair.rule)},
          {"smallest_eigenvalue", repair.smallest},
          {"negative_eigenvalues", repair.negative_count}};
}

}  // namespace kernmix::documents
