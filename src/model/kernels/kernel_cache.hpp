#pragma once
/// \file
/// The kernels of a training set, shared by successive runs.

#include <map>
#include <vector>

#include "kernmix/settings.hpp"
#include "model/pipeline.hpp"
#include "model/solving/kernel_store.hpp"
#include "model/task_set.hpp"
#include "model/warnings/warnings.hpp"

namespace kernmix {

class KernelCache {
 public:
  /// Fits scaling, widths and normalisations.
  /// \param for_later whether further runs will follow
  KernelCache(const Dataset& data, const TrainOptions& options, const TaskSet& set,
              const Context& context, bool for_later);

  /// Models with these options have the same kernels.
  [[nodiscard]] bool serve(const TrainOptions& options) const {
    return share_kernels(options_, options);
  }
  [[nodiscard]] const TrainingKernels& kernels() const { return kernels_; }
  /// New samples x training samples. \throws DataError for a column or matrix that is missing
  [[nodiscard]] std::vector<KernelSourcePtr> sources_between(const Loss& loss,
                                                             const Dataset& fresh) {
    return kernmix::sources_between(kernels_, loss, fresh);
  }
  /// Shapes of the kernels before fit_to_loss().
  [[nodiscard]] const std::vector<KernelShape>& shapes() const { return shapes_; }
  /// The shift for a loss of distances (with_shift).
  [[nodiscard]] double shift() const { return shift_; }

  /// After a run kernels() may read the stored kernels on all samples.
  void end_run();
  void begin_run() { kernels_.sources = sources_; }

  /// The stored kernels on some samples (all if `rows` is empty); initially not computed.
  [[nodiscard]] StoredKernels& on(const std::vector<Index>& rows);
  [[nodiscard]] bool are_stored(const std::vector<Index>& rows) const;
  [[nodiscard]] bool in_double_precision(const std::vector<Index>& rows) const;
  /// Releases the kernels of a finished task, unless later runs will use them and all kept kernels
  /// take at most a quarter of the memory.
  void done_with(const std::vector<Index>& rows, const Context& context);
  /// Bytes of all kept kernels except those on `rows`.
  [[nodiscard]] std::size_t bytes_beside(const std::vector<Index>& rows) const;
  /// Seconds of all work on kernels so far.
  [[nodiscard]] double seconds() const;

 private:
  Stopwatch clock_;       ///< of fitting
  TrainOptions options_;  ///< of the first model
  bool for_later_;
  double fit_seconds_ = 0.0;
  double seconds_of_dropped_ = 0.0;
  TrainingKernels kernels_;
  std::vector<KernelSourcePtr> sources_;  ///< that are evaluated
  std::vector<KernelShape> shapes_;
  double shift_ = 0.0;
  std::map<std::vector<Index>, StoredKernels> stored_;
};

}  // namespace kernmix
