#include "study.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

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

/// A candidate as Python gives it: name, options of train, and numbers of its place in the grid.
using CandidateArgument =
    std::tuple<std::string, nb::dict, std::vector<std::pair<std::string, double>>, Index>;

std::vector<Candidate> candidates_of(const std::vector<CandidateArgument>& arguments) {
  std::vector<Candidate> candidates;
  for (const auto& [name, options, numbers, path] : arguments) {
    candidates.push_back({name, train_keywords(options).options, numbers, path});
  }
  return candidates;
}

using Splits = std::vector<std::pair<std::vector<Index>, std::vector<Index>>>;

std::vector<Fold> folds_of(const Splits& splits) {
  std::vector<Fold> folds;
  for (const auto& [train, test] : splits) folds.push_back({train, test});
  return folds;
}

/// The context, whose messages are kept as well.
Context listening(Context context, std::mutex& one_at_a_time, std::vector<std::string>& log) {
  context.log = [&, tell = context.log](std::string_view message) {
    const std::lock_guard one(one_at_a_time);
    log.emplace_back(message);
    if (tell) tell(message);
  };
  return context;
}

using NewNames = std::map<std::string, std::string>;

/// Columns under the names that their user knows.
void rename_columns(const NewNames& names, AutoStudy& study) {
  if (names.empty()) return;
  for (ColumnShare& share : study.result.columns) {
    const auto found = names.find(share.column);
    if (found != names.end()) share.column = found->second;
  }
  study.result.answer = answer_of(study.result, *study.data);
}

AutoStudy auto_study(const Data& data, const nb::dict& options, std::string score, Index folds,
                     const NewNames& columns) {
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

nb::object subsample_record(const std::optional<Subsample>& of) {
  if (!of) return nb::none();
  Record record;
  record["n_samples"] = of->samples;
  record["n_all"] = of->all;
  record["n_estimate"] = of->tested;
  record["seed"] = of->seed;
  return record;
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
  record["subsample"] = subsample_record(found.subsample);
  record["landmarks"] = found.subsample ? found.chosen.landmarks.count : 0;
  record["answer"] = found.answer;
  record["remarks"] = found.remarks;
  record["warnings"] = warnings_of(found.warnings);
  record["complete"] = found.complete();
  return record;
}

FoldOptions dealing(Index folds, Index repeats, const Context& context) {
  return {.folds = folds, .repeats = repeats, .seed = seed_of_folds("random_state", context)};
}

nb::tuple tuned(const Data& data, const std::vector<CandidateArgument>& candidates,
                const nb::dict& resources, std::string score, const std::string& choose,
                Index folds, Index repeats, const Splits& splits, const std::string& splits_called,
                Index nested) {
  Run run(train_keywords(resources).resources);
  TuneOptions asked;
  asked.candidates = candidates_of(candidates);
  asked.score = std::move(score);
  asked.rules.choice = parse_choice(choose);
  asked.nested = nested;
  asked.folds.asked = dealing(folds, repeats, run.context());
  asked.folds.given = folds_of(splits);
  asked.folds.given_by = splits_called;
  const auto kept = data.shared();
  TuneResult found;
  run([&] { found = tune_train(*kept, asked, run.context()); });
  run.rethrow();
  Record record = tune_record(found, asked.candidates, *kept);
  return nb::make_tuple(std::move(found.trained), record);
}

/// A data set as Python gives it: its name, samples and methods, each with its candidates.
using MethodArgument = std::pair<std::string, std::vector<CandidateArgument>>;
using DataArgument = std::tuple<std::string, const Data*, std::vector<MethodArgument>, Splits>;

ComparedData compared_data(const DataArgument& argument, bool with_baselines) {
  const auto& [name, data, methods, splits] = argument;
  ComparedData one;
  one.name = name;
  one.data = **data;
  one.splits = folds_of(splits);
  for (const auto& [method, candidates] : methods) {
    one.methods.push_back({method, candidates_of(candidates)});
  }
  if (!with_baselines || one.methods.empty()) return one;
  std::vector<ComparedMethod> all = baselines(one.data, one.methods.front().candidates);
  std::move(one.methods.begin() + 1, one.methods.end(), std::back_inserter(all));
  one.methods = std::move(all);
  return one;
}

Record compared(const std::vector<DataArgument>& arguments, const nb::dict& resources,
                std::vector<std::string> scores, Index splits, double test, Index inner_folds,
                bool with_baselines) {
  Run run(train_keywords(resources).resources);
  ComparisonRules rules;
  rules.inner_folds = inner_folds;
  rules.seed = seed_of_folds("random_state", run.context());
  std::vector<ComparedData> data;
  std::vector<std::string> split_rules;
  std::vector<std::string> remarks;
  const SplitRule rule{.splits = splits, .test = test, .seed = rules.seed, .group_column = {}};
  for (const DataArgument& argument : arguments) {
    data.push_back(compared_data(argument, with_baselines));
    ComparedData& one = data.back();
    const TrainOptions& options = one.methods.front().candidates.front().options;
    if (scores.empty()) scores = {default_score(one.data.table, options)};
    FoldRule given;
    given.given = one.splits;
    given.given_by = "as given";
    const ChosenFolds chosen = one.splits.empty()
                                   ? choose_splits(one.data, options, rule, run.context())
                                   : choose_folds(one.data, options, given, run.context());
    one.splits = chosen.folds;
    split_rules.push_back(chosen.rule);
    std::ranges::move(data_remarks(one, chosen, inner_folds), std::back_inserter(remarks));
  }
  rules.scores = std::move(scores);
  std::vector<ComparedSplit> found;
  run([&] { found = compare(data, rules, {}, nullptr, run.context()); });
  run.rethrow();
  return comparison_record(data, rules, found, split_rules, std::move(remarks));
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
  module.def("tune", tuned, nb::arg("data"), nb::arg("candidates"), nb::arg("resources"),
             nb::kw_only(), nb::arg("score") = "", nb::arg("choose") = "best", nb::arg("folds") = 5,
             nb::arg("repeats") = 1, nb::arg("splits") = Splits(), nb::arg("splits_called") = "",
             nb::arg("nested") = 0,
             "The TrainResult of the best candidate, and what the search found. candidates: name, "
             "keywords of train, numbers in the grid, and number of the path of each; resources: "
             "those keywords of train.");
  module.def("compare", compared, nb::arg("data"), nb::arg("resources"), nb::kw_only(),
             nb::arg("scores"), nb::arg("splits") = 10, nb::arg("test") = 0.3,
             nb::arg("inner_folds") = 5, nb::arg("baselines") = false,
             "Means, ranks and tests of methods on splits of data sets. data: name, samples, "
             "methods (a name and candidates as of tune), and splits, or none for random ones; "
             "baselines: the first method's candidates are those of the average kernel and of the "
             "best single kernel.");
  module.def(
      "report_page",
      [](std::string run, std::string search, std::string held_out) {
        return report_page({std::move(run), std::move(search), std::move(held_out)});
      },
      nb::arg("run"), nb::arg("search"), nb::arg("held_out"), "The HTML page of such documents.");
  module.def("auto_train", auto_study, nb::arg("data"), nb::arg("options"), nb::kw_only(),
             nb::arg("score") = "", nb::arg("folds") = 5, nb::arg("columns") = NewNames(),
             "Selects kernels, regularizer and C, trains, and says what to expect; options: the "
             "keywords of train, of which regularizer and C do not count; columns: what the answer "
             "calls columns of the table.");
}

}  // namespace kernmix::python
