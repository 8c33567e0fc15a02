#include "study.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "data.hpp"
#include "kernmix/documents.hpp"
#include "kernmix/study.hpp"
#include "run.hpp"
#include "study_records.hpp"
#include "train_options.hpp"
#include "values.hpp"

namespace kernmix::python {
namespace {

using Names = std::vector<std::string>;

/// A study with the samples that it is of, and what it used.
struct AutoStudy {
  std::shared_ptr<const Dataset> data;
  AutoResult result;
  Context used;  ///< threads, memory and seed
  std::vector<std::string> log;
  double seconds = 0.0;
};

/// The context, whose messages are kept as well.
Context listening(Context context, std::mutex& one_at_a_time, std::vector<std::string>& log) {
  context.log = [&, tell = context.log](std::string_view message) {
    const std::lock_guard one(one_at_a_time);
    log.emplace_back(message);
    if (tell) tell(message);
  };
  return context;
}

/// Columns under the names that their user knows, in the order of the table.
void rename_columns(const Names& names, AutoStudy& study) {
  const Names& known = study.data->table.columns;
  if (names.size() != known.size()) return;
  std::map<std::string, std::string> shown;
  for (std::size_t j = 0; j < known.size(); ++j) shown[known[j]] = names[j];
  for (ColumnShare& share : study.result.columns) share.column = shown.at(share.column);
  study.result.answer = answer_of(study.result, *study.data);
}

AutoStudy auto_study(const Data& data, const nb::dict& options, std::string score, Index folds,
                     const Names& columns) {
  TrainKeywords keywords = train_keywords(options);
  AutoOptions asked;
  asked.train = std::move(keywords.options);
  asked.loss_by_labels = false;
  asked.score = std::move(score);
  asked.folds = folds;
  Run run(std::move(keywords.resources));
  AutoStudy study;
  study.data = data.shared();
  study.used.threads = run.context().threads;
  study.used.memory_bytes = run.context().memory_bytes;
  study.used.seed = run.context().seed;
  std::mutex one_at_a_time;
  run([&] {
    const auto start = std::chrono::steady_clock::now();
    study.result =
        auto_train(*study.data, asked, listening(run.context(), one_at_a_time, study.log));
    rename_columns(columns, study);
    study.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  });
  run.rethrow();
  return study;
}

Record study_record(const AutoStudy& study) {
  const AutoResult& found = study.result;
  Record record;
  record["candidates"] = candidate_records(found.candidates, found.search);
  record["chosen"] = *found.search.chosen;
  record["score"] = found.score.name;
  record["larger_is_better"] = found.score.larger_is_better;
  record["folds"] = found.folds.rule;
  record["nested"] = nested_records(found.nested);
  record["nested_mean"] = nested_mean(found.nested, found.expected, found.score.name).mean;
  record["expected"] = expected_record(found.expected);
  record["held_out"] = held_out_record(found.winners, outer_folds(found.nested_folds),
                                       found.expected.has_value(), *study.data);
  record["views"] = share_records(found.views);
  record["columns"] = share_records(found.columns);
  record["answer"] = found.answer;
  record["remarks"] = found.remarks;
  record["warnings"] = warnings_of(found.warnings);
  record["complete"] = found.complete();
  return record;
}

Record study_documents(const AutoStudy& study, const std::string& label) {
  DocumentFacts facts;
  facts.label = label;
  facts.log = study.log;
  facts.seconds = study.seconds;
  const AutoDocuments made = auto_documents(study.result, *study.data, study.used, facts);
  Record record;
  record["run.json"] = made.run;
  record["tune.json"] = made.search;
  record["held_out.json"] = made.held_out;
  return record;
}

}  // namespace

void bind_study(nb::module_& module) {
  module.def(
      "loss_for",
      [](Names labels) {
        Table table;
        table.labels = std::move(labels);
        return loss_for(table);
      },
      nb::arg("labels"), "squared where labels are numbers that do not name classes, else hinge.");
  nb::class_<AutoStudy>(module, "AutoStudy", "What auto_train found.")
      .def_prop_ro(
          "trained", [](const AutoStudy& study) { return study.result.trained; },
          nb::rv_policy::move, "The model of the chosen candidate.")
      .def_prop_ro("record", study_record,
                   "candidates, chosen, score, folds, nested, expected, held_out, views, columns, "
                   "answer, remarks, "
                   "warnings and complete")
      .def("documents", study_documents, nb::kw_only(), nb::arg("label") = "",
           "The text of run.json, tune.json and held_out.json, which is empty where there is no "
           "estimate.");
  module.def(
      "report_page",
      [](std::string run, std::string search, std::string held_out) {
        return report_page({std::move(run), std::move(search), std::move(held_out)});
      },
      nb::arg("run"), nb::arg("search"), nb::arg("held_out"), "The HTML page of such documents.");
  module.def("auto_train", auto_study, nb::arg("data"), nb::arg("options"), nb::kw_only(),
             nb::arg("score") = "", nb::arg("folds") = 5, nb::arg("columns") = Names(),
             "Chooses the regularizer and C, trains, and says what to expect; options: the "
             "keywords of train, of which regularizer and C do not count; columns: what the answer "
             "calls the columns of the table.");
}

}  // namespace kernmix::python
