#pragma once
/// \file
/// What the report reads out of a file of `evaluate --json`.

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

/// What was decided of each sample, for paired tests; all empty where it was not recorded.
struct Outcomes {
  std::vector<bool> positive;     ///< of two classes
  std::vector<double> decision;   ///< of two classes
  std::vector<double> truth;      ///< index of the class
  std::vector<double> predicted;  ///< index of the class
};

/// Samples of about one predicted probability, and the share of them that came true.
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
  std::vector<std::string> checksums;  ///< of the files; "" of one that has none
  std::string command;                 ///< that made it
  std::string held_out;                ///< how, where the samples are those of training
  std::optional<double> samples;
  std::vector<Measure> measures;
  std::vector<std::string> names;  ///< of the classes or labels, where there are many
  std::vector<ClasswiseMeasure> classwise;
  std::vector<std::vector<double>> confusion;  ///< of classes: true down, predicted across
  std::string positive_class;                  ///< of two classes
  double positives = 0.0;                      ///< samples of two classes
  double negatives = 0.0;
  double effective_positives = 0.0;  ///< as many of weight 1 as these are worth, for intervals
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
