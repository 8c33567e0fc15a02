#pragma once
/// \file
/// Stability of kernel weights: selection frequencies and variation over resamples of the data.
///
/// A share is d_m / sum_j d_j, with the weights d of the normalised kernels. Scaling, widths and
/// normalisation are fitted once on all samples, so that a kernel is the same in every resample.
/// Training on each resample starts from the same point as on all samples; no earlier answer
/// influences it.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/counted_views.hpp"
#include "kernmix/selection/fitted_steps.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

enum class Resampling {
  /// Half of the samples without replacement (Meinshausen and Buehlmann, JRSS B 2010), in
  /// complementary pairs (Shah and Samworth, JRSS B 2013).
  subsample,
  bootstrap  ///< n samples with replacement: multinomial counts as sample weights (Efron 1979)
};
/// "subsample" or "bootstrap".
[[nodiscard]] std::string resampling_name(Resampling method);
/// \throws ParameterError naming the two methods
[[nodiscard]] Resampling parse_resampling(const std::string& text);

struct StabilityOptions {
  Resampling method = Resampling::subsample;
  Index resamples = 100;  ///< >= 2; even for subsample
  /// A kernel is selected if its share is larger, in [0, 1). Default: the tolerance of the solver,
  /// below which a weight is not resolved.
  std::optional<double> threshold = {};
  double level = 0.95;  ///< of the intervals, in (0, 1)
  double often = 0.9;   ///< smallest selection frequency of a stable kernel, in (0.5, 1]
  /// Repetitions with permuted labels, which give the frequencies under the null hypothesis; 0:
  /// none.
  Index null_runs = 5;
  /// Refitted on each resample with its labels. The kernels of the transformed samples are then
  /// recomputed for each resample; the expansion of kernel expressions must be the same each time.
  FittedSteps steps = {};
  ViewOfMatrix view_of_matrix = {};  ///< the views of computed matrices, in `Stability::views`
  /// Block of each sample, in which labels are permuted: SignificanceOptions::within.
  std::vector<Index> within = {};
};

/// Checks the options before any computation. \throws ParameterError for an option out of range
void check_options(const StabilityOptions& options);

/// Statistics of one kernel or view over the resamples.
struct WeightStability {
  double share = 0.0;      ///< in the model trained on all samples
  double frequency = 0.0;  ///< share of the resamples in which it is selected, in [0, 1]
  double mean = 0.0;  ///< mean of its share; `low` and `high`: percentile interval of its share
  double low = 0.0;
  double high = 0.0;
  std::optional<double> null_frequency = {};  ///< mean frequency with permuted labels
  std::optional<double> null_mean = {};       ///< mean share with permuted labels
};

/// Statistics of shared weights, or of one task with separate weights.
struct TaskStability {
  std::string name;  ///< of the task; empty for shared weights or the mean over tasks
  std::vector<WeightStability> kernels;  ///< in the order of Stability::kernels
  std::vector<WeightStability> views;    ///< a view is selected if one of its kernels is
};

/// Number of stable kernels under the null hypothesis.
struct NullReference {
  Index runs = 0;            ///< finished repetitions
  Vector stable;             ///< number of stable kernels in each run
  double mean_stable = 0.0;  ///< their mean
  double mean_chosen = 0.0;  ///< mean number of kernels selected in a resample
};

struct Stability {
  StabilityOptions options;  ///< including the threshold that was used
  Index samples = 0;
  Index resamples = 0;  ///< finished ones; fewer than requested if time ran out
  std::vector<KernelDescription> kernels;
  std::vector<std::string> views;     ///< in order of first use
  std::vector<Index> view_of_kernel;  ///< index into `views`
  TaskStability whole;
  std::vector<TaskStability> tasks;  ///< for separate weights; otherwise empty
  Matrix shares;                     ///< resamples x M: the share of each kernel
  /// The regularizer sets weights to zero. Otherwise every kernel has weight, counts of chosen
  /// kernels have no meaning, and shares are compared with those under permuted labels.
  bool sparse = true;
  double mean_chosen = 0.0;  ///< q, the mean number of kernels selected in a resample
  Index stable = 0;          ///< number of kernels with frequency >= often
  /// q^2 / ((2 often - 1) M), for subsample: an upper bound on the expected number of stable
  /// kernels with a selection probability of at most q / M, the average. It holds without
  /// assumptions on the kernels (Shah and Samworth 2013, theorem 1). If the uninformative kernels
  /// are exchangeable and selection is no worse than random guessing, it bounds the expected number
  /// of false selections (Meinshausen and Buehlmann 2010, theorem 1). Absent for the bootstrap.
  std::optional<double> false_bound;
  std::optional<NullReference> null;
  std::vector<Warning> warnings;  ///< conditions that limit the interpretation
  bool complete = true;           ///< all requested results are present
};

/// Trains on all samples and on every resample, in parallel; the result does not depend on the
/// number of threads. Resamples keep the number of samples in each class. The weights of the
/// samples in a resample sum to those of all samples, so the ratio of loss and regularizer is
/// unchanged.
///
/// With options.groups whole groups are drawn instead of samples, and labels are permuted between
/// groups.
///
/// After the deadline or a cancellation the result contains the finished resamples.
/// \throws ParameterError for options out of range and for losses of distances; DataError for a
/// class that no resample can contain, and for steps that change the set of kernels; ResourceError
/// if memory is insufficient or time runs out before two resamples are finished; and as train()
[[nodiscard]] Stability weight_stability(const Dataset& data, const TrainOptions& options,
                                         const StabilityOptions& stability, const Context& context);

}  // namespace kernmix
