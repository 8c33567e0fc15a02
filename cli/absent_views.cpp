#include "absent_views.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "model/absence/presence.hpp"
#include "model/pipeline.hpp"
#include "output.hpp"

namespace kernmix::cli {
namespace {

bool has_weight(const Model& model, const std::string& view) {
  return std::ranges::any_of(model.kernels, [&](const ModelKernel& kernel) {
    const std::string& own = kernel.description.view;
    return kernel.weight > 0.0 && (own == view || own == all_views);
  });
}

/// The views of columns, and the matrices, that some training samples lack and whose kernels have
/// weight.
std::vector<View> views_that_count(const Model& model) {
  std::vector<View> views;
  for (const ModelPresence& own : model.presences) {
    const std::string& name = own.view.name;
    if (name == all_views || name == missing_view || !has_weight(model, name)) continue;
    views.push_back(own.view);
  }
  return views;
}

/// Matrices that no kernel with weight reads need not be given.
std::vector<MatrixView> matrices_of(const std::vector<View>& views, const Model& model,
                                    const Dataset& data, Index n) {
  const auto is_matrix = [](const View& view) { return view.columns.empty(); };
  if (std::ranges::none_of(views, is_matrix)) return {};
  std::vector<View> lacking;
  for (const ModelPresence& own : model.presences) lacking.push_back(own.view);
  return match_matrices(model.matrices, data.matrices, lacking, n);
}

std::string forgotten_view(const Model& model, const View& view, const Table& table, Index n) {
  const std::string where =
      view.columns.empty()
          ? "no matrix of this name is given"
          : fmt::format("{} has no value in its columns, such as {}", table.source,
                        in_quotes(sources_of(view.columns, model.indicators).front()));
  return fmt::format(
      "warning: none of the {} samples has view {} ({}), so the predictions use the other views "
      "alone; if the view was measured, name its file too{}\n",
      n, in_quotes(view.name), where,
      view.columns.empty() ? "" : ", with the column names of training");
}

}  // namespace

void say_absent_views(const Model& model, const Dataset& data, const CommonArguments& common) {
  const std::vector<View> views = views_that_count(model);
  if (common.quiet || views.empty()) return;
  const Index n = sample_count(data.table, data.matrices);
  for (const Presence& own : new_presences(data.table, matrices_of(views, model, data, n), views)) {
    const Index present = length(own.present->samples());
    if (present == 0) {
      write_message(forgotten_view(model, own.view, data.table, n));
    } else if (present < n) {
      write_message(fmt::format(
          "kernmix: {} of {} samples lack view {}: their predictions use their other views alone\n",
          n - present, n, in_quotes(own.view.name)));
    }
  }
}

}  // namespace kernmix::cli
