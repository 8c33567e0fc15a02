#include "run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <set>

#include "kernmix/error.hpp"

namespace kernmix::report {

namespace {

using Json = nlohmann::json;

const Json& member(const Json& json, const std::string& key) {
  static const Json absent;
  if (!json.is_object()) return absent;
  const auto found = json.find(key);
  return found == json.end() ? absent : *found;
}

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  std::string out;
  if (value.is_array()) {
    for (const Json& item : value) out += (out.empty() ? "" : ", ") + text_of(item);
  }
  return out;
}

std::vector<Weight> read_weights(const Json& list) {
  std::vector<Weight> weights;
  for (const Json& item : list) {
    weights.push_back({get_text(item, "kernel"), get_text(item, "view"),
                       std::max(0.0, get_number(item, "weight").value_or(0.0))});
  }
  return weights;
}

/// [[index, weight], ...]
std::map<std::size_t, double> read_pairs(const Json& list) {
  std::map<std::size_t, double> pairs;
  for (const Json& item : list) {
    if (!item.is_array() || item.size() != 2) continue;
    if (item[0].is_number_integer() && item[0] >= 0 && item[1].is_number()) {
      pairs[item[0].get<std::size_t>()] = item[1].get<double>();
    }
  }
  return pairs;
}

std::vector<TracePoint> read_trace(const Json& list) {
  std::vector<TracePoint> trace;
  for (const Json& item : list) {
    TracePoint& point = trace.emplace_back();
    point.seconds = get_number(item, "seconds").value_or(0.0);
    for (const Json& metric : member(item, "metrics")) {
      const auto value = get_number(metric, "value");
      if (value) point.values[get_text(metric, "name")] = *value;
    }
  }
  return trace;
}

std::vector<Step> read_history(const Json& list) {
  std::vector<Step> history;
  for (const Json& item : list) {
    history.push_back({get_number(item, "number").value_or(0.0),
                       get_number(item, "seconds").value_or(0.0), get_number(item, "primal"),
                       get_number(item, "dual"), get_number(item, "relative_gap"),
                       read_pairs(member(item, "weights"))});
  }
  return history;
}

std::vector<double> read_values(const Json& list) {
  std::vector<double> values;
  for (const Json& item : list) {
    if (item.is_number()) values.push_back(item.get<double>());
  }
  return values;
}

/// Points of figures; lists that do not belong together leave them empty.
void read_points(const Json& json, Assessment& assessment) {
  const Json& values = member(json, "values");
  assessment.predictions = {read_values(member(values, "true")),
                            read_values(member(values, "predicted"))};
  if (assessment.predictions.truth.size() != assessment.predictions.predicted.size()) {
    assessment.predictions = {};
  }
  Decisions& decisions = assessment.decisions;
  decisions.value = read_values(member(values, "decision"));
  for (const Json& item : member(values, "inlier")) {
    if (item.is_boolean()) decisions.inlier.push_back(item.get<bool>());
  }
  if (decisions.inlier.size() != decisions.value.size()) decisions.inlier.clear();
  decisions.inlier_name = get_text(member(json, "labels"), "inlier");
  decisions.outlier_name = get_text(member(json, "labels"), "outlier");
}

std::vector<TaskRun> read_tasks(const Json& list) {
  std::vector<TaskRun> tasks;
  for (const Json& item : list) {
    tasks.push_back({get_text(item, "name"), read_values(member(item, "norms")),
                     read_values(member(item, "weights"))});
  }
  return tasks;
}

/// What `evaluate` says of many classes, labels or targets.
void read_classwise(const Json& json, Assessment& assessment) {
  for (const Json& name : member(json, "names")) assessment.names.push_back(text_of(name));
  for (const Json& item : member(json, "classwise")) {
    ClasswiseMeasure measure{
        get_text(item, "name"), get_number(item, "micro"), get_number(item, "macro"), {}};
    for (const Json& value : member(item, "values")) {
      measure.values.push_back(get_number(value, "value"));
    }
    if (measure.macro)
      assessment.measures.push_back({"mean_" + measure.name, measure.macro, {}, {}});
    if (measure.values.size() == assessment.names.size()) {
      assessment.classwise.push_back(std::move(measure));
    }
  }
  for (const Json& row : member(json, "confusion")) {
    if (row.is_array()) assessment.confusion.push_back(read_values(row));
  }
  const auto wrong = [&](const auto& row) { return row.size() != assessment.names.size(); };
  if (assessment.confusion.size() != assessment.names.size() ||
      std::any_of(assessment.confusion.begin(), assessment.confusion.end(), wrong)) {
    assessment.confusion.clear();
  }
}

Assessment read_assessment(const Json& json) {
  Assessment assessment;
  assessment.data = get_text(json, "data");
  read_classwise(json, assessment);
  read_points(json, assessment);
  for (const Json& item : member(json, "metrics")) {
    assessment.measures.push_back({get_text(item, "name"), get_number(item, "value"),
                                   get_number(item, "low"), get_number(item, "high")});
  }
  for (const Json& point : member(json, "roc")) {
    const auto fpr = get_number(point, "fpr");
    const auto tpr = get_number(point, "tpr");
    if (!fpr || !tpr) continue;
    assessment.roc.false_positive_rate.push_back(*fpr);
    assessment.roc.true_positive_rate.push_back(*tpr);
  }
  return assessment;
}

/// "lp:p=1.3333333333333333" -> "lp:p=1.333": numbers of many digits to four.
std::string short_numbers(const std::string& text) {
  static const std::regex long_number(R"(\d+\.\d{4,})");
  std::string out;
  std::size_t done = 0;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), long_number);
       it != std::sregex_iterator(); ++it) {
    const auto begin = static_cast<std::size_t>(it->position());
    out += text.substr(done, begin - done) + fmt::format("{:.4g}", std::stod(it->str()));
    done = begin + it->str().size();
  }
  return out + text.substr(done);
}

Run read_run(const Json& json) {
  for (const char* key : {"weights", "settings", "relative_gap"}) {
    if (!json.is_object() || !json.contains(key)) {
      throw DataError(fmt::format(
          "this JSON is not a training run: it has no '{}'; pass what `kernmix train --json` wrote",
          key));
    }
  }
  Run run;
  run.json = json;
  run.name = short_numbers(get_text(member(json, "settings"), "regularizer"));
  if (run.name.empty()) run.name = "run";
  run.weights = read_weights(member(json, "weights"));
  // Separate tasks follow each other: their bounds are no curve.
  if (get_text(json, "sharing") != "separate") run.history = read_history(member(json, "history"));
  run.trace = read_trace(member(json, "trace"));
  run.tasks = read_tasks(member(json, "tasks"));
  return run;
}

/// Adds what `text` says of a run to the names of runs that differ in it.
template <typename Text>
void name_differences(std::vector<Run>& runs, const Text& text) {
  const bool same = std::all_of(runs.begin(), runs.end(),
                                [&](const Run& run) { return text(run) == text(runs.front()); });
  for (Run& run : runs) {
    if (!same && !text(run).empty()) run.name += ", " + short_numbers(text(run));
  }
}

void name_differences(std::vector<Run>& runs) {
  name_differences(runs,
                   [](const Run& run) { return get_text(member(run.json, "settings"), "loss"); });
  name_differences(runs, [](const Run& run) { return get_text(run.json, "scheme"); });
  name_differences(runs, [](const Run& run) {
    const std::string sharing = get_text(run.json, "sharing");
    return sharing == get_text(run.json, "scheme") ? "" : sharing;  // "joint"
  });
}

/// Adds their solvers to the names of runs that have the same name otherwise.
void name_solvers(std::vector<Run>& runs) {
  const auto solver = [](const Run& run) {
    return get_text(member(run.json, "settings"), "solver");
  };
  std::map<std::string, std::set<std::string>> solvers;
  for (const Run& run : runs) solvers[run.name].insert(solver(run));
  for (Run& run : runs) {
    if (solvers[run.name].size() > 1 && !solver(run).empty()) run.name += ", " + solver(run);
  }
}

/// Gives runs of the same name numbers: "l1 (1)", "l1 (2)".
void number_names(std::vector<Run>& runs) {
  std::multiset<std::string> names;
  for (const Run& run : runs) names.insert(run.name);
  std::multiset<std::string> seen;
  for (Run& run : runs) {
    const std::string name = run.name;
    seen.insert(name);
    if (names.count(name) > 1) run.name = fmt::format("{} ({})", name, seen.count(name));
  }
}

Run* owner(std::vector<Run>& runs, const Json& evaluation, std::size_t position) {
  const std::string model = get_text(evaluation, "model");
  for (Run& run : runs) {
    if (!model.empty() && get_text(run.json, "model") == model) return &run;
  }
  return position < runs.size() ? &runs[position] : nullptr;
}

/// Files of a run that was killed and of one after it can lie side by side.
void require_same_model(const Run& run, const Json& evaluation) {
  const std::string trained = get_text(run.json, "model_checksum");
  const std::string evaluated = get_text(evaluation, "model_checksum");
  if (trained.empty() || evaluated.empty() || trained == evaluated) return;
  throw DataError(fmt::format(
      "the run and the evaluation of '{}' are of two models, {} and {}: evaluate the model of this "
      "run again",
      get_text(run.json, "model"), trained, evaluated));
}

}  // namespace

std::optional<double> get_number(const Json& json, const std::string& key) {
  const Json& value = member(json, key);
  if (!value.is_number()) return std::nullopt;
  const auto number = value.get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::string get_text(const Json& json, const std::string& key) {
  return text_of(member(json, key));
}

const Measure* Assessment::find(const std::string& name) const {
  for (const Measure& measure : measures) {
    if (measure.name == name) return &measure;
  }
  return nullptr;
}

std::optional<double> Run::value(const std::string& key) const { return get_number(json, key); }

std::size_t Run::kernels_used() const {
  std::size_t used = 0;
  for (const Weight& weight : weights) used += weight.weight > 0.0 ? 1 : 0;
  return used;
}

std::vector<Run> read_runs(const Json& runs, const std::vector<Json>& evaluations) {
  std::vector<Run> result;
  if (runs.is_array()) {
    for (const Json& run : runs) result.push_back(read_run(run));
  } else {
    result.push_back(read_run(runs));
  }
  if (result.empty()) throw DataError("a report needs at least one training run, got none");
  for (std::size_t k = 0; k < evaluations.size(); ++k) {
    Run* run = owner(result, evaluations[k], k);
    if (run == nullptr) {
      throw DataError(fmt::format("the evaluation of model '{}' belongs to none of the {} runs",
                                  get_text(evaluations[k], "model"), result.size()));
    }
    require_same_model(*run, evaluations[k]);
    run->assessments.push_back(read_assessment(evaluations[k]));
  }
  name_differences(result);
  name_solvers(result);
  number_names(result);
  return result;
}

}  // namespace kernmix::report
