#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "json_fields.hpp"
#include "tables.hpp"
#include "text.hpp"

namespace kernmix::report {
namespace {

using Json = nlohmann::json;

/// A file that was read.
struct Source {
  std::string file;
  std::string use;
  std::optional<double> samples;
  std::string checksum;
  bool operator==(const Source&) const = default;
};

void add_sources(const std::vector<std::string>& files, const std::vector<std::string>& checksums,
                 const std::string& use, std::optional<double> samples,
                 std::vector<Source>& sources) {
  for (std::size_t k = 0; k < files.size(); ++k) {
    Source source{files[k], use, samples, k < checksums.size() ? checksums[k] : ""};
    if (std::ranges::find(sources, source) == sources.end()) sources.push_back(std::move(source));
  }
}

std::vector<Source> sources_of(const std::vector<Run>& runs) {
  std::vector<Source> sources;
  for (const Run& run : runs) {
    const Json& data = member(run.json, "data");
    add_sources(read_texts(member(data, "files")), read_texts(member(data, "checksums")),
                "training", run.value("n_samples"), sources);
  }
  for (const Run& run : runs) {
    for (const Assessment& assessment : run.assessments) {
      add_sources(assessment.files, assessment.checksums,
                  assessment.held_out.empty() ? "evaluation" : assessment.held_out,
                  assessment.samples, sources);
    }
  }
  return sources;
}

std::string table_of_sources(const std::vector<Run>& runs) {
  std::string rows;
  for (const Source& source : sources_of(runs)) {
    rows += fmt::format(
        "<tr><th scope=\"row\">{}</th><td data-label=\"used for\">{}</td><td "
        "data-label=\"samples\">{}</td><td data-label=\"checksum\"><code>{}</code></td></tr>\n",
        escape(source.file), escape(source.use), number(source.samples),
        source.checksum.empty() ? "not recorded" : escape(source.checksum));
  }
  return "<table class=\"cards\"><thead><tr><th>file</th><th>used for</th><th>samples</th>"
         "<th>checksum (xxh128sum)</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody></table>\n";
}

std::string commands(const std::vector<Run>& runs) {
  std::string lines;
  std::set<std::string> known;  // one command may train and evaluate
  const auto add = [&](const std::string& command) {
    if (!command.empty() && known.insert(command).second) lines += escape(command) + "\n";
  };
  for (const Run& run : runs) {
    add(get_text(run.json, "command_line"));
    for (const Assessment& assessment : run.assessments) add(assessment.command);
  }
  if (lines.empty()) return "<p class=\"note\">The commands were not recorded.</p>\n";
  return "<h3>Commands</h3>\n<pre>" + lines + "</pre>\n";
}

std::string class_counts(const Run& run) {
  const Json& classes = member(run.json, "classes");
  const auto positive = get_number(classes, "n_positive");
  const auto negative = get_number(classes, "n_negative");
  if (!positive || !negative) return "";
  return fmt::format(" ({} {}, {} {})", number(positive), escape(get_text(classes, "positive")),
                     number(negative), escape(get_text(classes, "negative")));
}

std::size_t views_of(const Run& run) {
  std::set<std::string> views;
  for (const Weight& w : run.weights) views.insert(w.view);
  return views.size();
}

std::string predictor_name(const Run& run) {
  const std::string target = get_text(run.json, "target");
  if (target == "numbers") {
    return run.tasks.empty() ? "regression function" : "set of regression functions";
  }
  if (target == "none") return "novelty detector";
  return run.tasks.empty() ? "classifier" : "set of classifiers";
}

/// What the weights minimise.
std::string regularizer_text(const Run& run) {
  if (!run.is_product()) {
    return "regularizer " + escape(get_text(member(run.json, "settings"), "regularizer"));
  }
  return "product of kernels with the weight penalty " +
         escape(get_text(member(run.json, "product"), "penalty"));
}

/// What was fitted, to what.
std::string problem_sentence(const Run& run) {
  const Json& settings = member(run.json, "settings");
  std::string loss = get_text(settings, "loss");
  if (!loss.empty()) loss = fmt::format("loss {}, ", escape(loss));
  const std::size_t views = views_of(run);
  return fmt::format(
      "kernmix {} fitted a {} to {} samples{}: {}{}, C = {}, {} kernels on {} view{}; "
      "{} of them have a weight, {} samples are support vectors. Seed {}.",
      escape(get_text(run.json, "version")), predictor_name(run), number(run.value("n_samples")),
      class_counts(run), loss, regularizer_text(run), number(get_number(settings, "C")),
      run.weights.size(), views, views == 1 ? "" : "s", run.kernels_used(),
      number(run.value("n_support")), escape(get_text(settings, "seed")));
}

/// What the certificate says, in one sentence that needs no optimisation theory.
std::string certificate_sentence(const Run& run, const std::string& predictor) {
  const auto gap = run.value("relative_gap");
  if (!gap) return "This run has no certificate.";
  if (run.is_product()) {
    return fmt::format(
        "At these weights, no {} can lower the objective of the SVM by more than "
        "<strong>{}</strong> of its value. <strong>The weights are a local optimum</strong> with "
        "the "
        "stationarity {} (0 is a stationary point): other weights may be better, and no bound on "
        "the "
        "optimum is known.",
        predictor, percent(gap), number(get_number(member(run.json, "product"), "stationarity")));
  }
  return fmt::format(
      "No {} and no weights that this regularizer allows can lower the objective by more than "
      "<strong>{}</strong> of its value: the optimum is between {} and {}. This is the accuracy of "
      "the solution, not of the predictions.",
      predictor, percent(gap), precise(run.value("dual")), precise(run.value("primal")));
}

/// What is known of the kernels as written, of a model with landmarks.
std::string exact_sentence(const Run& run) {
  const Json& exact = member(run.json, "exact");
  const auto gap = get_number(exact, "relative_gap");
  if (!gap) return "";
  return fmt::format(
      " These are the kernels of the landmarks. For the kernels as written the optimum is between "
      "{} and {}, so this answer is within <strong>{}</strong> of it.",
      precise(get_number(exact, "dual")), precise(get_number(exact, "primal")), percent(gap));
}

void append_rows(std::string& rows, const Json& object) {
  if (!object.is_object()) return;
  for (const auto& [key, value] : object.items()) {
    const std::string text = get_text(object, key);
    if (text.empty()) continue;
    rows += "<tr><th scope=\"row\">" + escape(key) + "</th><td>" + escape(text) + "</td></tr>\n";
  }
}

}  // namespace

std::string provenance(const std::vector<Run>& runs) {
  return "<section>\n<h2>Data and commands</h2>\n" + table_of_sources(runs) + commands(runs) +
         "</section>\n";
}

std::string certificate(const Run& run) {
  const std::string status = get_text(run.json, "status");
  const std::string predictor = predictor_name(run);
  const std::string parts =
      run.is_product() ? ""
                       : fmt::format(
                             "; of the gap {}, a better {} for these weights could close {}, "
                             "better weights {}",
                             number(run.value("gap")), predictor, number(run.value("inner_gap")),
                             number(run.value("outer_gap")));
  return fmt::format(
      "<div class=\"certificate {}\"><p>{}</p>\n<p>{}</p><p class=\"note\">Status: {}; tolerance "
      "{}{}. <code>kernmix verify</code> recomputes this certificate from model and "
      "data.</p></div>\n",
      status == "converged" ? "good" : "open", problem_sentence(run),
      certificate_sentence(run, predictor) + exact_sentence(run), escape(status),
      number(run.value("tolerance")), parts);
}

std::string settings(const Run& run) {
  std::string rows;
  for (const char* key : {"data", "classes", "settings"}) append_rows(rows, member(run.json, key));
  const Json& times = member(run.json, "seconds");
  if (times.is_object()) {
    for (const auto& [key, value] : times.items()) {
      rows += fmt::format("<tr><th scope=\"row\">seconds: {}</th><td>{}</td></tr>\n", escape(key),
                          number(get_number(times, key)));
    }
  }
  rows += fmt::format("<tr><th scope=\"row\">peak memory</th><td>{}</td></tr>\n",
                      bytes(run.value("peak_memory_bytes")));
  return "<details><summary>Data and settings of " + escape(run.name) +
         "</summary><table class=\"plain\"><tbody>\n" + rows + "</tbody></table></details>\n";
}

}  // namespace kernmix::report
