#include "absent_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.hpp"
#include "model/absence/presence.hpp"
#include "model/pipeline.hpp"
#include "model/prediction_kernels.hpp"
#include "output.hpp"

namespace kernmix::cli {
namespace {

/// Views that all training samples had, of a model that can predict without some of them.
bool was_complete(const Model& model, const std::string& view) {
  return std::ranges::none_of(model.presences,
                              [&](const ModelPresence& own) { return own.view.name == view; });
}

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
  std::ranges::move(complete_views(model), std::back_inserter(views));
  return views;
}

/// Of a view that every training sample had.
std::string lacking_text(const std::string& view, Index lacking, const std::string& example,
                         Index n) {
  return fmt::format(
      "warning: {} of {} samples lack view {}, which every training sample had, for example sample "
      "{}: their predictions use their other views, and the view adds the mean of what it adds to "
      "the support vectors [incomplete-views]\n",
      lacking, n, in_quotes(view), example);
}

/// "2 of 9 samples lack view 'b': ..."
std::string lacking_text(const Model& model, const Presence& own, const Table& table, Index n) {
  const Index lacking = n - length(own.present->samples());
  if (was_complete(model, own.view.name)) {
    Index example = 0;
    while (own.present->place(example) >= 0) ++example;
    return lacking_text(own.view.name, lacking, sample_name(table, example), n);
  }
  return fmt::format(
      "kernmix: {} of {} samples lack view {}: their predictions use their other views alone\n",
      lacking, n, in_quotes(own.view.name));
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
      write_message(lacking_text(model, own, data.table, n));
    }
  }
}

AbsentViews::AbsentViews(const Model& model) {
  if (model.settings.missing != missing_rule_name(MissingRule::refuse)) return;
  for (const kernmix::View& view : complete_views(model)) views_.push_back({view});
}

void AbsentViews::add(const Table& block) {
  for (View& own : views_) {
    const PresentSamplesPtr present = samples_with(block, own.view);
    const Index lacking = block.samples() - length(present->samples());
    if (lacking > 0 && own.example.empty()) {
      Index i = 0;
      while (present->place(i) >= 0) ++i;
      own.example = sample_name(block, i);
    }
    own.lacking += lacking;
  }
  samples_ += block.samples();
}

void AbsentViews::say(const CommonArguments& common) const {
  for (const View& own : views_) {
    if (own.lacking == 0 || common.quiet) continue;
    write_message(lacking_text(own.view.name, own.lacking, own.example, samples_));
  }
}

}  // namespace kernmix::cli
