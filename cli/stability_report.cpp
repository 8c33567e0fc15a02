#include "stability_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/mean.hpp"
#include "base/samples.hpp"
#include "layout.hpp"
#include "train_summary.hpp"

namespace kernmix::cli {
namespace {

constexpr std::size_t kMostLines = 20;  ///< in the text; JSON and CSV have all lines

std::string optional_cell(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "";
}

/// "16 of 50 kernels are chosen in at least 90 % of 100 resamples; with permuted labels: 0.4 on
/// average."
std::string sentence_of(const Stability& weights) {
  if (!weights.sparse) {
    return "The regularizer gives every kernel weight: compare the mean share with its mean under "
           "permuted labels (by chance).\n";
  }
  std::string text = fmt::format("{} of {} kernels are chosen in at least {:.0f} % of {} resamples",
                                 weights.stable, weights.kernels.size(),
                                 100.0 * weights.options.often, weights.resamples);
  if (weights.null && weights.null->runs > 0) {
    text += fmt::format("; with permuted labels: {:.1f} on average ({} runs)",
                        weights.null->mean_stable, weights.null->runs);
  }
  text += ".\n";
  if (weights.false_bound && weights.stable > 0) {
    text += fmt::format(
        "At most {:.1f} of them are expected to be chosen no more often than an average "
        "kernel (Shah and Samworth 2013).\n",
        *weights.false_bound);
  }
  return text;
}

/// Of a regularizer that gives every kernel weight.
Row share_row(const std::string& name, const WeightStability& one) {
  return {name, fmt::format("{:.3f}", one.share), fmt::format("{:.3f}", one.mean),
          optional_cell(one.null_mean, "{:.3f}"),
          fmt::format("[{:.3f}, {:.3f}]", one.low, one.high)};
}

Row frequency_row(const std::string& name, const WeightStability& one) {
  return {
      name,
      fmt::format("{:.0f} %", 100.0 * one.frequency),
      optional_cell(one.null_frequency ? std::optional(100.0 * *one.null_frequency) : std::nullopt,
                    "{:.0f} %"),
      fmt::format("{:.3f}", one.share),
      fmt::format("{:.3f}", one.mean),
      fmt::format("[{:.3f}, {:.3f}]", one.low, one.high)};
}

std::string kernel_name(const Stability& weights, std::size_t m) {
  return weights.kernels[m].name();
}

/// By descending frequency, then by descending share.
std::vector<std::size_t> by_frequency(const std::vector<WeightStability>& all) {
  std::vector<std::size_t> order = index_range<std::size_t>(0, all.size());
  std::ranges::stable_sort(order, [&](std::size_t left, std::size_t right) {
    if (all[left].frequency != all[right].frequency) {
      return all[left].frequency > all[right].frequency;
    }
    return all[left].mean > all[right].mean;
  });
  return order;
}

template <typename Name>
std::string stability_table(const std::string& what, const std::vector<WeightStability>& all,
                            bool sparse, const Name& name) {
  std::vector<Row> rows = {sparse ? Row{what, "chosen", "by chance", "share", "mean", "interval"}
                                  : Row{what, "share", "mean", "by chance", "interval"}};
  const std::vector<std::size_t> order = by_frequency(all);
  for (std::size_t k = 0; k < order.size() && k < kMostLines; ++k) {
    const WeightStability& one = all[order[k]];
    rows.push_back(sparse ? frequency_row(name(order[k]), one) : share_row(name(order[k]), one));
  }
  const bool permuted = std::ranges::any_of(
      all, [](const WeightStability& one) { return one.null_frequency.has_value(); });
  for (Row& row : rows) {
    // Without --null-runs there is no "by chance".
    if (!permuted) row.erase(row.begin() + (sparse ? 2 : 3));
  }
  const std::string rest =
      order.size() > kMostLines
          ? fmt::format("... and {} more, see --json or --csv\n", order.size() - kMostLines)
          : "";
  return aligned(rows, true) + rest;
}

std::string weights_text(const Stability& weights) {
  const auto view = [&](std::size_t v) { return weights.views[v]; };
  const auto kernel = [&](std::size_t m) { return kernel_name(weights, m); };
  std::string text = sentence_of(weights) + "\n";
  if (weights.views.size() > 1) {
    text += stability_table("view", weights.whole.views, weights.sparse, view) + "\n";
  }
  return text + stability_table("kernel", weights.whole.kernels, weights.sparse, kernel);
}

std::string test_text(const Significance& found) {
  std::string text =
      fmt::format("\n{} {:.4f} (mean of {} folds)", found.score, found.mean, found.folds.size());
  if (found.labels && !found.labels->permuted.empty()) {
    text += fmt::format("; with permuted labels {:.4f}; p = {:.3g} of {} permutations",
                        found.labels->mean, found.labels->p, found.labels->permuted.size());
  }
  return text + "\n";
}

std::string significant_views_text(const Significance& found) {
  if (found.views.empty()) return "";
  std::vector<Row> rows = {
      {"view", found.score + " alone", "without it", "drop", "p of drop", "p (Holm)", "explains"}};
  for (const ViewScores& view : found.views) {
    rows.push_back(
        {view.name, view.alone.empty() ? "" : fmt::format("{:.4f}", mean_of_known(view.alone)),
         view.without.empty() ? "" : fmt::format("{:.4f}", mean_of_known(view.without)),
         optional_cell(view.drop, "{:.4f}"), optional_cell(view.p_drop, "{:.3g}"),
         optional_cell(view.p_holm, "{:.3g}"),
         optional_cell(view.explained ? std::optional(std::round(100.0 * *view.explained) + 0.0)
                                      : std::nullopt,
                       "{:.0f} %")});
  }
  return "\n" + aligned(rows, true);
}

Json one_json(const std::string& name, const WeightStability& one) {
  return {{"name", name},
          {"share", one.share},
          {"selection_frequency", one.frequency},
          {"mean", one.mean},
          {"low", one.low},
          {"high", one.high},
          {"null_frequency", json_number(one.null_frequency)},
          {"null_mean", json_number(one.null_mean)}};
}

/// The size of the set that the view comes from, or null.
const SetSize* size_of(const std::vector<SetSize>& sets, const std::string& view) {
  const auto found = std::ranges::find(sets, view, &SetSize::name);
  return found == sets.end() ? nullptr : &*found;
}

Json task_json(const StabilityFindings& found, const TaskStability& task) {
  const Stability& weights = found.weights;
  Json kernels = Json::array();
  for (std::size_t m = 0; m < task.kernels.size(); ++m) {
    kernels.push_back(one_json(kernel_name(weights, m), task.kernels[m]));
    kernels.back()["view"] = weights.views[to_size(weights.view_of_kernel[m])];
  }
  Json views = Json::array();
  for (std::size_t v = 0; v < task.views.size(); ++v) {
    views.push_back(one_json(weights.views[v], task.views[v]));
    const SetSize* const set = size_of(found.sets, weights.views[v]);
    if (set != nullptr) views.back().update({{"matched", set->matched}, {"named", set->named}});
  }
  return {{"kernels", std::move(kernels)}, {"views", std::move(views)}};
}

Json null_json(const Stability& weights) {
  if (!weights.null) return nullptr;
  return {{"runs", weights.null->runs},
          {"stable", weights.null->stable},
          {"mean_stable", weights.null->mean_stable},
          {"mean_chosen", weights.null->mean_chosen}};
}

Json permutation_json(const std::optional<PermutationTest>& test) {
  if (!test) return nullptr;
  return {{"p", test->p}, {"mean", test->mean}, {"permuted", test->permuted}};
}

Json significance_json(const Significance& found) {
  Json views = Json::array();
  for (const ViewScores& view : found.views) {
    views.push_back({{"name", view.name},
                     {"without", view.without},
                     {"alone", view.alone},
                     {"drop", json_number(view.drop)},
                     {"p_drop", json_number(view.p_drop)},
                     {"p_holm", json_number(view.p_holm)},
                     {"explained", json_number(view.explained)}});
  }
  return {{"score", found.score},      {"folds", found.folds},
          {"mean", found.mean},        {"labels", permutation_json(found.labels)},
          {"views", std::move(views)}, {"complete", found.complete}};
}

Json warnings_json(const StabilityFindings& found) {
  Json list = Json::array();
  const auto put = [&](const std::vector<Warning>& warnings) {
    for (const Warning& warning : warnings) {
      list.push_back({{"code", warning.code}, {"message", warning.message}});
    }
  };
  put(found.weights.warnings);
  if (found.significance) put(found.significance->warnings);
  return list;
}

}  // namespace

std::string stability_text(const StabilityFindings& found) {
  std::string text = weights_text(found.weights);
  if (found.significance)
    text += test_text(*found.significance) + significant_views_text(*found.significance);
  text += warning_lines(found.weights.warnings);
  if (found.significance) text += warning_lines(found.significance->warnings);
  return text;
}

Json stability_json(const StabilityFindings& found) {
  const Stability& weights = found.weights;
  Json document = {
      {"n_samples", weights.samples},       {"method", resampling_name(weights.options.method)},
      {"resamples", weights.resamples},     {"threshold", json_number(weights.options.threshold)},
      {"level", weights.options.level},     {"often", weights.options.often},
      {"sparse", weights.sparse},           {"stable", weights.stable},
      {"mean_chosen", weights.mean_chosen}, {"false_bound", json_number(weights.false_bound)},
      {"null", null_json(weights)}};
  document.update(task_json(found, weights.whole));
  Json tasks = Json::array();
  for (const TaskStability& task : weights.tasks) {
    Json own = {{"name", task.name}};
    own.update(task_json(found, task));
    tasks.push_back(std::move(own));
  }
  document["tasks"] = std::move(tasks);
  document["significance"] = found.significance ? significance_json(*found.significance) : Json();
  document["complete"] = weights.complete && (!found.significance || found.significance->complete);
  document["warnings"] = warnings_json(found);
  return document;
}

std::string stability_csv(const StabilityFindings& found) {
  const Stability& weights = found.weights;
  std::string csv =
      "kind,task,view,name,share,frequency,mean,low,high,null_frequency,null_mean,matched,named\n";
  const auto line = [&](const char* kind, const std::string& task, const std::string& view,
                        const std::string& name, const WeightStability& one,
                        const SetSize* set = nullptr) {
    csv +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", kind, csv_field(task), csv_field(view),
                    csv_field(name), one.share, one.frequency, one.mean, one.low, one.high,
                    optional_cell(one.null_frequency, "{}"), optional_cell(one.null_mean, "{}"),
                    set == nullptr ? "," : fmt::format("{},{}", set->matched, set->named));
  };
  std::vector<const TaskStability*> all = {&weights.whole};
  for (const TaskStability& task : weights.tasks) all.push_back(&task);
  for (const TaskStability* const task : all) {
    for (std::size_t v = 0; v < task->views.size(); ++v) {
      line("view", task->name, weights.views[v], weights.views[v], task->views[v],
           size_of(found.sets, weights.views[v]));
    }
    for (std::size_t m = 0; m < task->kernels.size(); ++m) {
      line("kernel", task->name, weights.views[to_size(weights.view_of_kernel[m])],
           kernel_name(weights, m), task->kernels[m]);
    }
  }
  return csv;
}

}  // namespace kernmix::cli
