#pragma once
/// \file
/// Cross-validation of many variants of one data set, each fold's kernels evaluated once.

#include <optional>

#include "kernmix/selection/significance.hpp"
#include "selection/stability/precomputed_kernels.hpp"

namespace kernmix {

/// The changes of a variant relative to the data.
struct Variant {
  std::vector<Index> kernels;      ///< those in use; empty: all
  std::vector<Index> label_order;  ///< sample i has the labels of this one; empty: its own
  std::vector<Index> moved;        ///< kernels in which sample i is this one:
  std::vector<Index> row_order;
};

/// Whether models of these options fit kernels inside of their training part, too: to calibrate, or
/// to choose thresholds. Kernels that are evaluated once would have seen the samples that are held
/// out.
[[nodiscard]] bool fits_inside(const TrainOptions& options);

class FoldVariants {
 public:
  /// \param weights_follow  sample weights move with the labels
  /// \throws as PrecomputedKernels
  FoldVariants(const Dataset& data, const TrainOptions& options, const SignificanceOptions& asked,
               std::string score, bool weights_follow, const Context& context);

  /// The kernels of the first fold.
  [[nodiscard]] const std::vector<KernelDescription>& descriptions() const { return descriptions_; }
  /// For each variant the scores of its folds, NaN if undefined, or nothing if time ran out.
  [[nodiscard]] std::vector<std::optional<Vector>> scores(const std::vector<Variant>& variants,
                                                          const char* stage) const;

 private:
  [[nodiscard]] std::optional<double> score(const Variant& variant, Index fold,
                                            const Context& context) const;
  [[nodiscard]] std::optional<double> score_on(const PrecomputedKernels& kernels,
                                               const Variant& variant, const Fold& samples,
                                               const Context& context) const;
  [[nodiscard]] std::optional<double> score_from_data(const Variant& variant, Index fold,
                                                      const Context& context) const;
  [[nodiscard]] Dataset data_of(const Variant& variant, const Fold& samples) const;
  [[nodiscard]] bool recomputes(const Variant& variant) const;

  const Dataset& data_;
  const std::vector<Fold>& folds_;
  const TrainOptions& options_;
  const FittedSteps& steps_;
  std::string score_;
  bool weights_follow_;
  bool from_data_;  ///< every variant is trained as in cross-validation
  Context context_;
  std::vector<PrecomputedKernels> kernels_;  ///< of each fold; empty: variants are from the data
  std::vector<KernelDescription> descriptions_;
};

}  // namespace kernmix
