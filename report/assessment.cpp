#include "assessment.hpp"

#include <algorithm>

#include "json_fields.hpp"

namespace kernmix::report {
namespace {

using Json = nlohmann::json;

/// Points of figures; empty if the lists are inconsistent.
void read_points(const Json& json, Assessment& assessment) {
  const Json& values = member(json, "values");
  assessment.predictions = {read_values(member(values, "true")),
                            read_values(member(values, "predicted"))};
  if (assessment.predictions.truth.size() != assessment.predictions.predicted.size()) {
    assessment.predictions = {};
  }
  Decisions& decisions = assessment.decisions;
  decisions.value = read_values(member(values, "decision"));
  decisions.inlier = read_flags(member(values, "inlier"));
  if (decisions.inlier.size() != decisions.value.size()) decisions.inlier.clear();
  decisions.inlier_name = get_text(member(json, "labels"), "inlier");
  decisions.outlier_name = get_text(member(json, "labels"), "outlier");
}

/// The predictions of samples of two or more classes.
void read_outcomes(const Json& json, Assessment& assessment) {
  const Json& values = member(json, "values");
  Outcomes& outcomes = assessment.outcomes;
  outcomes.positive = read_flags(member(values, "positive"));
  outcomes.decision = read_values(member(values, "decision"));
  const auto predicted = read_flags(member(values, "predicted_positive"));
  outcomes.truth.assign(outcomes.positive.begin(), outcomes.positive.end());
  outcomes.predicted.assign(predicted.begin(), predicted.end());
  if (outcomes.positive.empty()) {
    outcomes.truth = read_values(member(values, "true_class"));
    outcomes.predicted = read_values(member(values, "predicted_class"));
    outcomes.decision.clear();
  }
  const bool fits =
      outcomes.truth.size() == outcomes.predicted.size() &&
      (outcomes.positive.empty() || outcomes.decision.size() == outcomes.truth.size());
  if (!fits) outcomes = {};
}

/// The counts of two classes as a matrix of them, the negative class first.
void read_two_classes(const Json& json, Assessment& assessment) {
  const Json& counts = member(json, "confusion");
  const Json& classes = member(json, "classes");
  assessment.positive_class = get_text(classes, "positive");
  const auto count = [&](const char* key) { return get_number(counts, key); };
  const auto tp = count("true_positive");
  const auto fp = count("false_positive");
  const auto tn = count("true_negative");
  const auto fn = count("false_negative");
  if (!tp || !fp || !tn || !fn) return;
  assessment.positives = *tp + *fn;
  assessment.negatives = *tn + *fp;
  const Json& effective = member(json, "effective");
  assessment.effective_positives = get_number(effective, "positive").value_or(assessment.positives);
  assessment.effective_negatives = get_number(effective, "negative").value_or(assessment.negatives);
  if (assessment.positive_class.empty()) return;  // novelty detectors have a separate figure
  assessment.names = {get_text(classes, "negative"), assessment.positive_class};
  assessment.confusion = {{*tn, *fp}, {*fn, *tp}};
}

void read_reliability(const Json& list, Assessment& assessment) {
  for (const Json& item : list) {
    const auto predicted = get_number(item, "predicted");
    const auto observed = get_number(item, "observed");
    if (!predicted || !observed) continue;
    assessment.reliability.push_back({*predicted, *observed, get_number(item, "low"),
                                      get_number(item, "high"),
                                      get_number(item, "n_samples").value_or(0.0)});
  }
}

/// Metrics of `evaluate` for several classes, labels or targets.
void read_classwise(const Json& json, Assessment& assessment) {
  assessment.names = read_texts(member(json, "names"));
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

}  // namespace

Assessment read_assessment(const Json& json) {
  Assessment assessment;
  assessment.data = get_text(json, "data");
  assessment.files = read_texts(member(json, "data"));
  assessment.checksums = read_texts(member(json, "data_checksums"));
  assessment.command = get_text(json, "command_line");
  assessment.held_out = get_text(json, "held_out");
  assessment.answer = read_texts(member(json, "answer"));
  assessment.samples = get_number(json, "n_samples");
  read_classwise(json, assessment);
  read_two_classes(json, assessment);
  read_outcomes(json, assessment);
  if (assessment.outcomes.truth.empty()) read_points(json, assessment);
  read_reliability(member(json, "reliability"), assessment);
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

const Measure* Assessment::find(const std::string& name) const {
  for (const Measure& measure : measures) {
    if (measure.name == name) return &measure;
  }
  return nullptr;
}

}  // namespace kernmix::report
