#pragma once
/// \file
/// How surely kernels and views have weight: training again on resamples of the samples.
///
/// A share is d_m / sum_j d_j, of weights on the normalised kernels. Kernels are those of all
/// samples: scaling, widths and normalisation are fitted once and kept, so that a kernel is the
/// same one in every resample. Every resample is trained from the same start as the whole data:
/// nothing that an earlier answer found biases the next one.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/selection/fitted_steps.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

enum class Resampling {
  /// Half of the samples without replacement (Meinshausen and Buehlmann, JRSS B 2010), in pairs
  /// that have no sample in common (Shah and Samworth, JRSS B 2013).
  subsample,
  bootstrap  ///< n samples with replacement: multinomial counts as sample weights (Efron 1979)
};
/// "subsample" or "bootstrap".
[[nodiscard]] std::string resampling_name(Resampling method);
/// \throws ParameterError naming both
[[nodiscard]] Resampling parse_resampling(const std::string& text);

struct StabilityOptions {
  Resampling method = Resampling::subsample;
  Index resamples = 100;  ///< >= 2; of subsample even
  /// A kernel is chosen where its share is larger, in [0, 1). Not set: the tolerance of the solver,
  /// below which a weight is not resolved.
  std::optional<double> threshold;
  double level = 0.95;  ///< of the intervals, in (0, 1)
  double often = 0.9;   ///< of kernels that are called stable: frequency at least this, in (0.5, 1]
  /// How often the whole is repeated with permuted labels: what a bank without any relation to
  /// them gives. 0: there is no such reference.
  Index null_runs = 5;
  /// Fitted again on each resample, with its labels. Kernels then are those of all samples as the
  /// steps make them, computed anew for each resample, and must be the same ones each time.
  FittedSteps steps = {};
};

/// Before anything is computed. \throws ParameterError for an option out of range
void check_options(const StabilityOptions& options);

/// What the resamples say of one kernel or view.
struct WeightStability {
  double share = 0.0;      ///< in the model of all samples
  double frequency = 0.0;  ///< resamples in which it is chosen, in [0, 1]
  double mean = 0.0;       ///< of its share, as are `low` and `high`: the percentile interval
  double low = 0.0;
  double high = 0.0;
  std::optional<double> null_frequency = {};  ///< the mean frequency with permuted labels
};

/// Of the weights that all tasks share, or of one task whose weights are its own.
struct TaskStability {
  std::string name;                      ///< of the task; empty: shared, or the mean over tasks
  std::vector<WeightStability> kernels;  ///< in the order of the kernels
  std::vector<WeightStability> views;    ///< a view is chosen where one of its kernels is
};

/// How many kernels would be called stable where there is nothing to find.
struct NullReference {
  Index runs = 0;            ///< that were finished
  Vector stable;             ///< number of stable kernels of each
  double mean_stable = 0.0;  ///< of these
  double mean_chosen = 0.0;  ///< kernels chosen in a resample
};

struct Stability {
  StabilityOptions options;  ///< with the threshold that was taken
  Index samples = 0;
  Index resamples = 0;  ///< that were finished; fewer than asked for where time was up
  std::vector<KernelDescription> kernels;
  std::vector<std::string> views;     ///< in the order of first use
  std::vector<Index> view_of_kernel;  ///< place in `views`
  TaskStability whole;
  std::vector<TaskStability> tasks;  ///< of separate weights; else empty
  Matrix shares;                     ///< resamples x M: the share of each kernel
  double mean_chosen = 0.0;          ///< kernels chosen in a resample: q
  Index stable = 0;                  ///< kernels with frequency >= often
  /// Of subsample: at most so many stable kernels are expected to be among those that are chosen no
  /// more often than one kernel is on average, q / M: q^2 / ((2 often - 1) M). Needs nothing of the
  /// kernels (Shah and Samworth 2013, theorem 1); where kernels without information are
  /// exchangeable and a kernel is chosen no worse than at random, it bounds the falsely stable ones
  /// (Meinshausen and Buehlmann 2010, theorem 1). Absent for the bootstrap.
  std::optional<double> false_bound;
  std::optional<NullReference> null;
  std::vector<Warning> warnings;  ///< what makes the numbers mean less than they seem to
  bool complete = true;           ///< nothing that was asked for is missing
};

/// Where options.groups says which samples belong together, whole groups are drawn in place of
/// samples, and labels are permuted between groups.
///
/// Trains on all samples and on every resample, in parallel over resamples; the answer does not
/// depend on the number of threads. Resamples keep the number of samples of each class. The loss
/// keeps its weight against the regularizer: the weights of the samples of a resample add up to
/// those of all samples.
///
/// After the deadline or a cancellation the answer is of the resamples that were finished.
/// \throws ParameterError for options out of range and for losses of distances; DataError for a
/// class that no resample can hold, and for steps that lead to other kernels; ResourceError where
/// memory is short or time was up before two resamples were finished; and as train()
[[nodiscard]] Stability weight_stability(const Dataset& data, const TrainOptions& options,
                                         const StabilityOptions& stability, const Context& context);

}  // namespace kernmix
