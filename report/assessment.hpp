#pragma once
/// \file
/// The part of `evaluate --json` that the report uses.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kernmix::report {

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

/// Predicted and true numbers in regression.
struct Predictions {
  std::vector<double> truth;
  std::vector<double> predicted;
};

/// Decision values of a novelty detector, and the inlier labels if known.
struct Decisions {
  std::vector<double> value;
  std::vector<bool> inlier;  ///< empty without labels
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

/// Predictions of single samples, for paired tests; empty if not recorded.
struct Outcomes {
  std::vector<bool> positive;     ///< of two classes
  std::vector<double> decision;   ///< of two classes
  std::vector<double> truth;      ///< index of the class
  std::vector<double> predicted;  ///< index of the class
};

/// A bin of predicted probabilities, and its observed frequency.
struct ReliabilityPoint {
  double predicted = 0.0;
  double observed = 0.0;
  std::optional<double> low;
  std::optional<double> high;
  double samples = 0.0;
};

/// One `evaluate` file.
struct Assessment {
  std::vector<std::string> answer;  ///< sentences of kernmix auto, or empty
  std::string data;                 ///< file names
  std::vector<std::string> files;
  std::vector<std::string> checksums;  ///< of the files; "" for a file without one
  std::string command;                 ///< that wrote it
  std::string held_out;                ///< method, if the samples are training samples
  std::optional<double> samples;
  std::vector<Measure> measures;
  std::vector<std::string> names;  ///< of the classes or labels, if there are several
  std::vector<ClasswiseMeasure> classwise;
  std::vector<std::vector<double>> confusion;  ///< rows: true class, columns: predicted class
  std::string positive_class;                  ///< of two classes
  double positives = 0.0;                      ///< samples of two classes
  double negatives = 0.0;
  double effective_positives = 0.0;  ///< effective number, for intervals
  double effective_negatives = 0.0;
  Roc roc;
  std::vector<ReliabilityPoint> reliability;
  Outcomes outcomes;
  Predictions predictions;
  Decisions decisions;
  [[nodiscard]] const Measure* find(const std::string& name) const;
};

[[nodiscard]] Assessment read_assessment(const nlohmann::json& json);

}  // namespace kernmix::report
