#include "trust.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <utility>

#include "arrays.hpp"
#include "data.hpp"
#include "kernmix/error.hpp"
#include "kernmix/explain.hpp"
#include "kernmix/selection/significance.hpp"
#include "kernmix/selection/stability.hpp"
#include "run.hpp"
#include "train_options.hpp"
#include "values.hpp"

namespace kernmix::python {
namespace {

using Splits = std::vector<std::pair<std::vector<Index>, std::vector<Index>>>;

Record record_of_one(const std::string& name, const WeightStability& one) {
  Record record;
  record["name"] = name;
  record["share"] = one.share;
  record["frequency"] = one.frequency;
  record["mean"] = one.mean;
  record["low"] = one.low;
  record["high"] = one.high;
  record["null_frequency"] = one.null_frequency;
  record["null_mean"] = one.null_mean;
  return record;
}

Record task_of(const Stability& found, const TaskStability& task) {
  Records kernels;
  for (std::size_t m = 0; m < task.kernels.size(); ++m) {
    Record record = record_of_one(found.kernels[m].name(), task.kernels[m]);
    record["view"] = found.views[to_size(found.view_of_kernel[m])];
    kernels.append(record);
  }
  Records views;
  for (std::size_t v = 0; v < task.views.size(); ++v) {
    views.append(record_of_one(found.views[v], task.views[v]));
  }
  Record record;
  record["name"] = task.name;
  record["kernels"] = kernels;
  record["views"] = views;
  return record;
}

Record stability_record(const Stability& found) {
  Record record = task_of(found, found.whole);
  Records tasks;
  for (const TaskStability& task : found.tasks) tasks.append(task_of(found, task));
  record["tasks"] = tasks;
  record["resamples"] = found.resamples;
  record["threshold"] = found.options.threshold;
  record["shares"] = array_of(Matrix(found.shares));
  record["mean_chosen"] = found.mean_chosen;
  record["sparse"] = found.sparse;
  record["stable"] = found.stable;
  record["false_bound"] = found.false_bound;
  record["null_runs"] = found.null ? found.null->runs : 0;
  record["null_stable"] = found.null ? std::optional(found.null->mean_stable) : std::nullopt;
  record["warnings"] = warnings_of(found.warnings);
  record["complete"] = found.complete;
  return record;
}

/// \throws nb::type_error for anything else
std::shared_ptr<const Dataset> dataset_of(const nb::object& data) {
  if (!nb::isinstance<Data>(data)) throw nb::type_error("the samples must be a kernmix._core.Data");
  return nb::cast<const Data&>(data).shared();
}

/// Steps in Python: of the rows to fit on and the order of the labels (or None) all samples as the
/// steps make them. The GIL is held while they work.
FittedSteps steps_of(const nb::object& steps, Run& run) {
  if (steps.is_none()) return {};
  return [&steps, &run](const StepSamples& samples) {
    std::shared_ptr<const Dataset> made;
    run.call_back([&] {
      const nb::object order =
          samples.label_order.empty() ? nb::object(nb::none()) : nb::cast(samples.label_order);
      made = dataset_of(steps(samples.rows, order));
    });
    if (!made) throw ResourceError("the steps before the estimator have raised");
    return made;
  };
}

/// Samples, or what makes them once the options are known to be good.
std::shared_ptr<const Dataset> made_data(const nb::object& data) {
  return while_python_lives([&] {
    return dataset_of(nb::isinstance<Data>(data) || !PyCallable_Check(data.ptr()) ? data : data());
  });
}

Record stability_of(const nb::object& data, const nb::dict& options, const std::string& method,
                    Index resamples, std::optional<double> threshold, double level, double often,
                    Index null_runs, const std::vector<Index>& within, const nb::object& steps,
                    ViewOfMatrix view_of_matrix) {
  TrainKeywords keywords = train_keywords(options);
  Run run(std::move(keywords.resources));
  const StabilityOptions asked = {.method = parse_resampling(method),
                                  .resamples = resamples,
                                  .threshold = threshold,
                                  .level = level,
                                  .often = often,
                                  .null_runs = null_runs,
                                  .steps = steps_of(steps, run),
                                  .view_of_matrix = std::move(view_of_matrix),
                                  .within = within};
  check_options(asked);
  const auto kept = made_data(data);
  Stability found;
  run([&] { found = weight_stability(*kept, keywords.options, asked, run.context()); });
  run.rethrow();
  return stability_record(found);
}

nb::object record_of_test(const std::optional<PermutationTest>& test) {
  if (!test) return nb::none();
  Record record;
  record["p"] = test->p;
  record["mean"] = test->mean;
  record["permuted"] = array_of(Vector(test->permuted));
  return record;
}

Record significance_record(const Significance& found) {
  Records views;
  for (const ViewScores& view : found.views) {
    Record record;
    record["view"] = view.name;
    record["without"] = array_of(Vector(view.without));
    record["alone"] = array_of(Vector(view.alone));
    record["drop"] = view.drop;
    record["p_drop"] = view.p_drop;
    record["p_holm"] = view.p_holm;
    record["explained"] = view.explained;
    record["permuted"] = record_of_test(view.permuted);
    views.append(record);
  }
  Record record;
  record["score"] = found.score;
  record["larger_is_better"] = found.larger_is_better;
  record["folds"] = array_of(Vector(found.folds));
  record["mean"] = found.mean;
  record["labels"] = record_of_test(found.labels);
  record["views"] = views;
  record["warnings"] = warnings_of(found.warnings);
  record["complete"] = found.complete;
  return record;
}

Record significance_of(const nb::object& data, const nb::dict& options, const Splits& splits,
                       std::string score, Index permutations, bool views, bool permute_views,
                       std::vector<Index> within, const nb::object& steps,
                       ViewOfMatrix view_of_matrix) {
  TrainKeywords keywords = train_keywords(options);
  SignificanceOptions asked;
  asked.within = std::move(within);
  for (const auto& [train, test] : splits) asked.folds.push_back({train, test});
  asked.score = std::move(score);
  asked.permutations = permutations;
  asked.views = views;
  asked.permute_views = permute_views;
  asked.view_of_matrix = std::move(view_of_matrix);
  Run run(std::move(keywords.resources));
  asked.steps = steps_of(steps, run);
  check_options(asked);
  const auto kept = made_data(data);
  Significance found;
  run([&] { found = significance(*kept, keywords.options, asked, run.context()); });
  run.rethrow();
  return significance_record(found);
}

Records records_of(const Model& model, const std::vector<ViewEffect>& views) {
  Records records;
  for (const ViewEffect& effect : views) {
    Record record;
    record["task"] = model.tasks[to_size(effect.task)].name;
    record["view"] = effect.view;
    record["kernels"] = effect.kernels;
    record["share"] = effect.share;
    record["deviation"] = effect.deviation;
    records.append(record);
  }
  return records;
}

Records records_of(const Model& model, const std::vector<FeatureEffect>& features) {
  Records records;
  for (const FeatureEffect& effect : features) {
    Record record;
    record["task"] = model.tasks[to_size(effect.task)].name;
    record["view"] = effect.view;
    record["feature"] = effect.feature;
    record["importance"] = effect.importance;
    record["direction"] = effect.direction;
    records.append(record);
  }
  return records;
}

Record explanation_of(const Model& model, const Data& data, bool gradients,
                      std::optional<std::size_t> memory, int threads,
                      std::optional<double> time_limit, const ViewOfMatrix& view_of_matrix) {
  Run run({threads, memory, time_limit});
  const auto kept = data.shared();
  Explanation found;
  run([&] { found = explain(model, *kept, run.context(), gradients, view_of_matrix); });
  run.rethrow();
  Record record;
  record["views"] = records_of(model, found.views);
  record["features"] = records_of(model, found.features);
  record["gradients"] = array_of(std::move(found.gradients));
  return record;
}

}  // namespace

void bind_trust(nb::module_& module) {
  module.def("weight_stability", stability_of, nb::arg("data"), nb::arg("options"), nb::kw_only(),
             nb::arg("method") = "subsample", nb::arg("resamples") = 100,
             nb::arg("threshold") = nb::none(), nb::arg("level") = 0.95, nb::arg("often") = 0.9,
             nb::arg("null_runs") = 5, nb::arg("within") = std::vector<Index>(),
             nb::arg("steps") = nb::none(), nb::arg("view_of_matrix") = ViewOfMatrix(),
             "Kernel weights on resamples; options: the keywords of train, as a dictionary; steps: "
             "of the rows to fit on and the order of the labels, or None, the data of all samples; "
             "view_of_matrix: the views that computed matrices count to.");
  module.def("significance", significance_of, nb::arg("data"), nb::arg("options"),
             nb::arg("splits"), nb::kw_only(), nb::arg("score") = "", nb::arg("permutations") = 0,
             nb::arg("views") = false, nb::arg("permute_views") = false,
             nb::arg("within") = std::vector<Index>(), nb::arg("steps") = nb::none(),
             nb::arg("view_of_matrix") = ViewOfMatrix(),
             "Cross-validated scores, with permuted labels and without views; splits: pairs of "
             "ascending training and test rows.");
  module.def("explain", explanation_of, nb::arg("model"), nb::arg("data"), nb::kw_only(),
             nb::arg("gradients") = false, nb::arg("memory") = nb::none(), nb::arg("threads") = 1,
             nb::arg("time_limit") = nb::none(), nb::arg("view_of_matrix") = ViewOfMatrix(),
             "Which views decisions come from, and which columns they change with.");
}

}  // namespace kernmix::python
