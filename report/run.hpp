#pragma once
/// \file
/// What the report reads out of the JSON files: absent, null and wrongly typed fields are absent.

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "assessment.hpp"

namespace kernmix::report {

struct Weight {
  std::string kernel;
  std::string view;
  double weight = 0.0;  ///< d_m, on the normalised kernel
  double in_view =
      0.0;             ///< of d_m, what counts for its view: 0 for kernels that act as the identity
  double share = 0.0;  ///< of the sum of weights, 0 where that is 0
  double share_in_view = 0.0;  ///< the same of in_view
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

/// How surely a kernel or view matters, of `stability`.
struct Resampled {
  double frequency = 0.0;     ///< of being chosen
  std::optional<double> low;  ///< interval of the share of the weight
  std::optional<double> high;
};

/// One `stability` file.
struct StabilityFindings {
  std::map<std::string, Resampled> kernels;
  std::map<std::string, Resampled> views;
  std::string method;
  double resamples = 0.0;
  double level = 0.95;
  std::optional<double> stable;       ///< kernels chosen often
  std::optional<double> often;        ///< in this share of the resamples or more
  std::optional<double> null_stable;  ///< of a bank that knows nothing
  [[nodiscard]] bool known() const { return !kernels.empty(); }
};

/// One candidate of a `tune` file.
struct Candidate {
  std::string regularizer;
  double C = 0.0;
  double kernels_used = 0.0;
  std::optional<double> mean;
  std::optional<double> sd;
};

/// A class, label or pair of classes of a run.
struct TaskRun {
  std::string name;
  std::vector<double> norms;    ///< of each kernel
  std::vector<double> weights;  ///< of each kernel, where the tasks have their own
};

/// One `train` file with the evaluations that belong to it.
struct Run {
  nlohmann::json json;
  std::string name;  ///< the regularizer as written, or "product", with the loss where runs differ
                     ///< in it; numbered where two runs share the name
  std::vector<Weight> weights;
  std::vector<Step> history;
  std::vector<TracePoint> trace;
  std::vector<TaskRun> tasks;  ///< of many classes, labels or targets
  std::vector<Assessment> assessments;
  StabilityFindings stability;
  [[nodiscard]] std::optional<double> value(const std::string& key) const;
  /// The weights are those of the factors of a product, which are a local optimum.
  [[nodiscard]] bool is_product() const { return json.contains("product"); }
  /// Kernels with weight > 0.
  [[nodiscard]] std::size_t kernels_used() const;
  /// Of two kernels or more, all to rounding.
  [[nodiscard]] bool has_equal_weights() const;
};

/// \throws DataError naming the field that makes it unreadable as a run
[[nodiscard]] std::vector<Run> read_runs(const nlohmann::json& runs,
                                         const std::vector<nlohmann::json>& evaluations,
                                         const std::vector<nlohmann::json>& stabilities = {});

/// The search of a `tune` file.
struct Search {
  std::string score;
  std::vector<Candidate> candidates;
  std::optional<std::size_t> best;
  std::optional<std::size_t> chosen;
  bool prefers_simple = false;  ///< --choose one-se
};
[[nodiscard]] Search read_search(const nlohmann::json& json);
/// \throws DataError for a search that read none of the files of the runs
void require_same_files(const std::vector<Run>& runs, const nlohmann::json& search);

}  // namespace kernmix::report
