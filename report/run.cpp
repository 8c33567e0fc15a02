#include "run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <set>

#include "json_fields.hpp"
#include "kernmix/error.hpp"

namespace kernmix::report {

namespace {

using Json = nlohmann::json;

std::vector<Weight> read_weights(const Json& list) {
  std::vector<Weight> weights;
  double sum = 0.0;
  double sum_in_views = 0.0;
  for (const Json& item : list) {
    Weight& own = weights.emplace_back();
    own.kernel = get_text(item, "kernel");
    own.view = get_text(item, "view");
    own.weight = std::max(0.0, get_number(item, "weight").value_or(0.0));
    // Results of older versions do not have it.
    own.in_view = std::max(0.0, get_number(item, "weight_in_view").value_or(own.weight));
    sum += own.weight;
    sum_in_views += own.in_view;
  }
  for (Weight& own : weights) {
    own.share = sum > 0.0 ? own.weight / sum : 0.0;
    own.share_in_view = sum_in_views > 0.0 ? own.in_view / sum_in_views : 0.0;
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

std::vector<TaskRun> read_tasks(const Json& list) {
  std::vector<TaskRun> tasks;
  for (const Json& item : list) {
    tasks.push_back({get_text(item, "name"), read_values(member(item, "norms")),
                     read_values(member(item, "weights"))});
  }
  return tasks;
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
  run.name = run.is_product() ? "product"
                              : short_numbers(get_text(member(json, "settings"), "regularizer"));
  if (run.name.empty()) run.name = "run";
  run.weights = read_weights(run.is_product() ? member(member(json, "product"), "factors")
                                              : member(json, "weights"));
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

std::map<std::string, Resampled> read_resampled(const Json& list) {
  std::map<std::string, Resampled> found;
  for (const Json& item : list) {
    const auto frequency = get_number(item, "selection_frequency");
    if (!frequency) continue;
    Resampled resampled{*frequency, get_number(item, "low"), get_number(item, "high")};
    if (!resampled.low || !resampled.high) resampled.low = resampled.high = std::nullopt;
    found[get_text(item, "name")] = resampled;
  }
  return found;
}

StabilityFindings read_stability(const Json& json) {
  const Json& null = member(json, "null");
  return {read_resampled(member(json, "kernels")),
          read_resampled(member(json, "views")),
          get_text(json, "method"),
          get_number(json, "resamples").value_or(0.0),
          get_number(json, "level").value_or(0.95),
          get_number(json, "stable"),
          get_number(json, "often"),
          get_number(null, "mean_stable")};
}

/// \throws DataError when a kernel of the run was not resampled
void require_same_bank(const Run& run, const StabilityFindings& stability) {
  for (const Weight& weight : run.weights) {
    if (stability.kernels.count(weight.kernel) > 0) continue;
    throw DataError(fmt::format(
        "the stability result has no kernel '{}' of the run '{}': give kernmix stability the "
        "--view, --kernel and --gram options of the run",
        weight.kernel, run.name));
  }
}

/// The run with the regularizer and C that were resampled, else the one at the same position.
Run* resampled_run(std::vector<Run>& runs, const Json& stability, std::size_t position) {
  for (Run& run : runs) {
    const Json& settings = member(run.json, "settings");
    if (get_text(settings, "regularizer") == get_text(stability, "regularizer") &&
        get_number(settings, "C") == get_number(stability, "C") && !run.stability.known()) {
      return &run;
    }
  }
  return position < runs.size() ? &runs[position] : nullptr;
}

void add_stabilities(std::vector<Run>& runs, const std::vector<Json>& stabilities) {
  for (std::size_t k = 0; k < stabilities.size(); ++k) {
    Run* const run = resampled_run(runs, stabilities[k], k);
    if (run == nullptr) {
      throw DataError(fmt::format("{} stability results are more than the {} runs",
                                  stabilities.size(), runs.size()));
    }
    StabilityFindings found = read_stability(stabilities[k]);
    require_same_bank(*run, found);
    run->stability = std::move(found);
  }
}

/// The names of DATA arguments without their folders, which the place of the call decides, and
/// without the NAME of NAME=FILE.
std::set<std::string> file_names(const Json& files) {
  std::set<std::string> names;
  for (const Json& file : files) {
    if (!file.is_string()) continue;
    const std::string path = file.get<std::string>();
    names.insert(path.substr(path.find_last_of("/=") + 1));
  }
  return names;
}

/// The candidate of that number, where it is one.
std::optional<std::size_t> place_among(const std::vector<Candidate>& candidates,
                                       const std::optional<double>& number) {
  if (!number || !(*number >= 0.0 && *number < static_cast<double>(candidates.size()))) return {};
  return static_cast<std::size_t>(*number);
}

}  // namespace

std::optional<double> Run::value(const std::string& key) const { return get_number(json, key); }

bool Run::has_equal_weights() const {
  if (weights.size() < 2) return false;
  const auto [least, most] = std::ranges::minmax(weights, {}, &Weight::weight);
  return most.weight - least.weight <= 1e-12 * most.weight;
}

std::size_t Run::kernels_used() const {
  std::size_t used = 0;
  for (const Weight& weight : weights) used += weight.weight > 0.0 ? 1 : 0;
  return used;
}

std::vector<Run> read_runs(const Json& runs, const std::vector<Json>& evaluations,
                           const std::vector<Json>& stabilities) {
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
  add_stabilities(result, stabilities);
  return result;
}

void require_same_files(const std::vector<Run>& runs, const Json& search) {
  const std::set<std::string> searched = file_names(member(search, "data"));
  std::set<std::string> trained;
  for (const Run& run : runs) {
    trained.merge(file_names(member(member(run.json, "data"), "files")));
  }
  const auto is_known = [&](const std::string& name) { return trained.contains(name); };
  if (searched.empty() || trained.empty() || std::ranges::any_of(searched, is_known)) return;
  throw DataError(fmt::format(
      "the search reads {}, and no run does: give the result of kernmix tune or auto on the files "
      "of a run, {}",
      fmt::join(searched, ", "), fmt::join(trained, ", ")));
}

Search read_search(const Json& json) {
  const Json& choice = member(json, "choice");
  Search search{get_text(json, "score"), {}, {}, {}, get_text(choice, "rule") == "one-se"};
  for (const Json& item : member(json, "candidates")) {
    search.candidates.push_back({get_text(item, "regularizer"), get_number(item, "C").value_or(0.0),
                                 get_number(item, "kernels_used").value_or(0.0),
                                 get_number(item, "mean"), get_number(item, "sd")});
  }
  search.best = place_among(search.candidates, get_number(json, "best"));
  search.chosen = place_among(search.candidates, get_number(choice, "candidate"));
  if (!search.chosen) search.chosen = search.best;
  return search;
}

}  // namespace kernmix::report
