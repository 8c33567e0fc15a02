#pragma once
/// \file
/// Whether two models differ on the same samples.

#include <optional>

#include "kernmix/types.hpp"

namespace kernmix {

/// McNemar's test (1947) with exact p: of the samples that one model has right and the other wrong,
/// each is as likely to have it right.
struct McNemarTest {
  Index first_only = 0;   ///< samples that the first model alone has right
  Index second_only = 0;  ///< the second alone
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

/// Absent where a class has fewer than two samples, and where areas differ though no placement
/// varies.
/// \param y  +1 or -1;  \param first, second  finite decision values, same length
/// \throws ParameterError when lengths differ, a label is not +-1 or a value is not finite
[[nodiscard]] std::optional<AucTest> auc_test(ConstSpan y, ConstSpan first, ConstSpan second);

}  // namespace kernmix
