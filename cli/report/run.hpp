#pragma once
/// \file
/// What the report reads out of the JSON files: absent, null and wrongly typed fields are absent.

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kernmix::report {

struct Weight {
  std::string kernel;
  std::string view;
  double weight = 0.0;  ///< d_m, on the normalised kernel
};

struct Step {
  double number = 0.0;
  double seconds = 0.0;
  std::optional<double> primal;
  std::optional<double> dual;
  std::optional<double> relative_gap;
  std::map<std::size_t, double> weights;  ///< of kernels by their index, where > 0; may be unknown
};

/// What the model of one moment of training comes to on held-out samples.
struct TracePoint {
  double seconds = 0.0;
  std::map<std::string, double> values;  ///< by the names of metrics
};

struct Measure {
  std::string name;
  std::optional<double> value;
  std::optional<double> low;
  std::optional<double> high;
};

struct Roc {
  std::vector<double> false_positive_rate;
  std::vector<double> true_positive_rate;
};

/// Numbers that were predicted and what they should have been, of a regression.
struct Predictions {
  std::vector<double> truth;
  std::vector<double> predicted;
};

/// Decision values of a novelty detector, and whether each sample is an inlier where that is known.
struct Decisions {
  std::vector<double> value;
  std::vector<bool> inlier;  ///< empty where no labels were given
  std::string inlier_name;
  std::string outlier_name;
};

/// One metric of every class or label.
struct ClasswiseMeasure {
  std::string name;
  std::optional<double> micro;
  std::optional<double> macro;
  std::vector<std::optional<double>> values;
};

/// A class, label or pair of classes of a run.
struct TaskRun {
  std::string name;
  std::vector<double> norms;    ///< of each kernel
  std::vector<double> weights;  ///< of each kernel, where the tasks have their own
};

/// One `evaluate` file.
struct Assessment {
  std::string data;  ///< file names
  std::vector<Measure> measures;
  std::vector<std::string> names;  ///< of the classes or labels, where there are many
  std::vector<ClasswiseMeasure> classwise;
  std::vector<std::vector<double>> confusion;  ///< of classes: true down, predicted across
  Roc roc;
  Predictions predictions;
  Decisions decisions;
  [[nodiscard]] const Measure* find(const std::string& name) const;
};

/// One `train` file with the evaluations that belong to it.
struct Run {
  nlohmann::json json;
  std::string name;  ///< the regularizer as written, with the loss where runs differ in it;
                     ///< numbered where two runs share the name
  std::vector<Weight> weights;
  std::vector<Step> history;
  std::vector<TracePoint> trace;
  std::vector<TaskRun> tasks;  ///< of many classes, labels or targets
  std::vector<Assessment> assessments;
  [[nodiscard]] std::optional<double> value(const std::string& key) const;
  /// Kernels with weight > 0.
  [[nodiscard]] std::size_t kernels_used() const;
};

[[nodiscard]] std::optional<double> get_number(const nlohmann::json& json, const std::string& key);
/// Text as it is, numbers and booleans as JSON, arrays of them joined by ", "; else "".
[[nodiscard]] std::string get_text(const nlohmann::json& json, const std::string& key);

/// \throws DataError naming the field that makes it unreadable as a run
[[nodiscard]] std::vector<Run> read_runs(const nlohmann::json& runs,
                                         const std::vector<nlohmann::json>& evaluations);

}  // namespace kernmix::report
