#pragma once
/// \file
/// The kernels of a model between new samples and its support vectors.

#include <numeric>
#include <vector>

#include "base/parallel.hpp"
#include "kernmix/train.hpp"
#include "model/pipeline.hpp"

namespace kernmix {

/// New samples are predicted in blocks of so many rows.
inline constexpr Index prediction_rows = 64;

class PredictionKernels {
 public:
  /// \throws DataError naming a column or matrix that is missing
  PredictionKernels(const Model& model, const Dataset& data);

  [[nodiscard]] Index samples() const { return samples_; }
  /// The kernels with weight.
  [[nodiscard]] const std::vector<Index>& kernels() const { return kernels_; }
  /// Kernel kernels()[k] between the samples `rows` and all support vectors: |rows| x |support|.
  void block(std::size_t k, std::span<const Index> rows, MutableSpan entries) const;

  /// body(rows) for blocks of samples, shared out among threads.
  template <typename Body>
  void for_blocks(const Context& context, const Body& body) const {
    parallel_blocks(context, samples_, prediction_rows, [&](Index, Index begin, Index end) {
      std::vector<Index> rows(to_size(end - begin));
      std::iota(rows.begin(), rows.end(), begin);
      body(rows);
    });
  }

 private:
  Index samples_;
  std::vector<Index> kernels_;
  std::vector<Index> support_;            ///< 0, 1, ... of the model's support vectors
  std::vector<KernelSourcePtr> sources_;  ///< without support vectors: none
};

/// Models of earlier versions may lack the samples that a new sample's mean kernel is over.
/// \throws DataError where the coefficients of a task do not cancel it
void require_mean_kernel(const Model& model, ConstSpan coefficients);

/// \throws DataError naming the sample, counted from 1, whose decision value is not finite
[[noreturn]] void refuse_decision(const std::string& source, Index sample);

}  // namespace kernmix
