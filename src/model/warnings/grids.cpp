// A grid is a set of kernels that differ only in gamma; its edges are the smallest and the largest
// gamma.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "model/warnings/warnings.hpp"

namespace kernmix {
namespace {

constexpr std::size_t least_members = 3;
constexpr double share_of_grid = 0.5;  ///< smallest share of the grid at one edge
constexpr double share_of_all = 0.1;   ///< smallest share of a relevant grid

struct Member {
  double gamma;
  Index kernel;
};

/// Text of a kernel without gamma, to compare the kernels of a grid.
std::string all_but_gamma(KernelDescription kernel) {
  kernel.function.parameters["gamma"] = 1.0;
  return fmt::format("{} {} {} {} {}", kernel.function.text(), kernel.view,
                     fmt::join(kernel.columns, "\n"), kernel.normalization.text(), kernel.group);
}

/// Grids by gamma, ascending.
std::vector<std::vector<Member>> find_grids(const std::vector<KernelDescription>& kernels) {
  std::map<std::string, std::size_t> place;
  std::vector<std::vector<Member>> grids;
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    const auto gamma = kernels[m].function.parameters.find("gamma");
    if (gamma == kernels[m].function.parameters.end()) continue;
    const auto found = place.try_emplace(all_but_gamma(kernels[m]), grids.size());
    if (found.second) grids.emplace_back();
    grids[found.first->second].push_back({gamma->second, static_cast<Index>(m)});
  }
  for (auto& grid : grids) std::ranges::sort(grid, {}, &Member::gamma);
  return grids;
}

double grid_weight(const std::vector<Member>& grid, ConstSpan weights) {
  double sum = 0.0;
  for (const Member& member : grid) sum += weights[to_size(member.kernel)];
  return sum;
}

}  // namespace

void warn_of_grid_edges(const TrainingKernels& kernels, const std::vector<KernelShape>& shapes,
                        ConstSpan weights, std::vector<Warning>& warnings) {
  double all = 0.0;
  for (const double weight : weights) all += weight;
  std::vector<Index> narrowest;
  std::vector<Index> widest;
  for (const std::vector<Member>& grid : find_grids(kernels.descriptions)) {
    const double sum = grid_weight(grid, weights);
    if (grid.size() < least_members || !(sum > 0.0) || sum < share_of_all * all) continue;
    // Kernels narrower than a narrow one are identities, wider than a flat one constants.
    const auto holds_most = [&](const Member& edge, KernelShape last, KernelShape useless) {
      const auto m = to_size(edge.kernel);
      return weights[m] > share_of_grid * sum && shapes[m] != last && shapes[m] != useless;
    };
    if (holds_most(grid.front(), KernelShape::flat, KernelShape::constant)) {
      widest.push_back(grid.front().kernel);
    }
    if (holds_most(grid.back(), KernelShape::narrow, KernelShape::identity)) {
      narrowest.push_back(grid.back().kernel);
    }
  }
  if (narrowest.empty() && widest.empty()) return;
  std::string text;
  if (!narrowest.empty()) {
    text = fmt::format(
        "The narrowest kernel of a grid has most of the weight: {}. Narrow kernels also gain "
        "weight "
        "by fitting noise, so compare grids without it and with narrower kernels on held-out "
        "samples.",
        kernel_list(kernels, narrowest));
  }
  if (!widest.empty()) {
    text += fmt::format(
        "{}The widest kernel of a grid has most of the weight: {}. Smoother functions may predict "
        "better: compare with wider kernels on held-out samples.",
        text.empty() ? "" : " ", kernel_list(kernels, widest));
  }
  std::vector<Index> edges = narrowest;
  edges.insert(edges.end(), widest.begin(), widest.end());
  std::ranges::sort(edges);
  warnings.push_back({"weight-at-grid-edge", text, edges});
}

}  // namespace kernmix
