#pragma once
/// \file
/// Tests of the difference of two models on the same samples.

#include <optional>

#include "kernmix/types.hpp"

namespace kernmix {

/// McNemar's test (1947) with exact p: on samples that only one model predicts correctly, both are
/// equally likely to be the one.
struct McNemarTest {
  Index first_only = 0;   ///< samples that only the first model predicts correctly
  Index second_only = 0;  ///< samples that only the second predicts correctly
  double p = 1.0;         ///< two-sided: min(1, 2 P(X <= min)), X binomial with 1/2
};

/// \throws ParameterError for negative counts
[[nodiscard]] McNemarTest mcnemar_test(Index first_only, Index second_only);

/// The difference of two areas under the ROC of the same samples (DeLong, DeLong and
/// Clarke-Pearson, Biometrics 44, 1988), normal.
struct AucTest {
  double difference = 0.0;  ///< first minus second
  double error = 0.0;       ///< its standard error
  double low = 0.0;         ///< 95 % interval
  double high = 0.0;
  double p = 1.0;  ///< two-sided
};

/// Absent if a class has fewer than two samples, and if areas differ although the placements do not
/// vary.
/// \param y  +1 or -1;  \param first, second  finite decision values, same length
/// \throws ParameterError when lengths differ, a label is not +-1 or a value is not finite
[[nodiscard]] std::optional<AucTest> auc_test(ConstSpan y, ConstSpan first, ConstSpan second);

}  // namespace kernmix
