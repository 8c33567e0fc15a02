#pragma once
/// \file
/// Whether methods differ: ranks and tests over data sets (Demsar, JMLR 7, 2006), and a test over
/// the splits of one data set (Nadeau and Bengio, Machine Learning 52, 2003). A value that the
/// numbers cannot give is absent, never NaN.

#include <optional>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// 1 for the best; equal values share the mean of their ranks.
/// \param values  finite;  \throws ParameterError where one is not
[[nodiscard]] Vector ranks(ConstSpan values, bool larger_is_better);

/// The mean of each method's ranks over the data sets, length k.
/// \param scores  N x k, data sets down and methods across, finite;  \throws ParameterError for
/// values that are not finite, N = 0 or k = 0
[[nodiscard]] Vector average_ranks(const Matrix& scores, bool larger_is_better);

/// H0: all methods have the same distribution of ranks.
struct FriedmanTest {
  double chi_squared = 0.0;  ///< corrected for ties; k - 1 degrees of freedom
  double p = 1.0;            ///< of chi_squared
  /// Iman and Davenport (1980): (N - 1) chi2 / (N (k - 1) - chi2), with k - 1 and (k - 1)(N - 1)
  /// degrees of freedom; infinite if all data sets rank the methods equally.
  double f = 0.0;
  double f_p = 1.0;  ///< less conservative than p
};

/// \param scores  as of average_ranks, N >= 2 and k >= 3;  \throws ParameterError where they are
/// not
[[nodiscard]] FriedmanTest friedman_test(const Matrix& scores);

/// P(range of k independent standard normal variables <= q): the studentized range with infinite
/// degrees of freedom, to 1e-12.  \param q  >= 0;  \param k  >= 2
[[nodiscard]] double range_probability(double q, Index k);

/// q with range_probability(q, k) = probability in (0, 1), to 1e-9.
[[nodiscard]] double range_quantile(double probability, Index k);

/// Nemenyi's critical difference of average ranks: q sqrt(k (k + 1) / (6 N)) with
/// q = range_quantile(1 - level, k) / sqrt 2.  \throws ParameterError for k < 2, N < 1 or a level
/// outside (0, 1)
[[nodiscard]] double critical_difference(Index methods, Index data_sets, double level = 0.05);

/// Nemenyi's p of two methods, adjusted for all pairs: the probability of a range of k ranks as
/// large.
[[nodiscard]] double nemenyi_p(double rank_difference, Index methods, Index data_sets);

/// Wilcoxon's signed ranks of paired differences; differences of 0 are omitted.
struct SignedRankTest {
  Index pairs = 0;     ///< with a difference other than 0
  double larger = 0;   ///< sum of the ranks of differences > 0
  double smaller = 0;  ///< sum of the ranks of differences < 0
  double p = 1.0;      ///< two-sided
  /// p counts all 2^pairs signs, tied sizes included: up to 50 pairs. Else the normal
  /// approximation with the correction for ties.
  bool exact = true;
};

/// \param differences  finite;  \throws ParameterError where one is not
[[nodiscard]] SignedRankTest signed_rank_test(ConstSpan differences);

/// Holm's adjustment (1979): p of all tests together, in the order given, at most 1.
[[nodiscard]] Vector holm(ConstSpan p);

/// The mean of differences of two methods on splits of the same samples. Training sets overlap, so
/// the variance is estimated by (1 / J + n_test / n_train) s^2 instead of s^2 / J.
struct CorrectedTTest {
  Index splits = 0;  ///< J
  double mean = 0.0;
  std::optional<double> t;    ///< J - 1 degrees of freedom
  std::optional<double> p;    ///< two-sided
  std::optional<double> low;  ///< of the mean, at `level`; present together with `high`
  std::optional<double> high;
};

/// Differences that are all 0 have p = 1 and the interval [0, 0]. For one difference, or several
/// equal differences other than 0, the spread is unknown, and t, p and interval are absent.
/// \param differences  finite, at least one;  \param test_over_train  n_test / n_train > 0, of
/// 10-fold cross-validation 1/9
/// \throws ParameterError for other differences, ratios, or levels outside (0, 1)
[[nodiscard]] CorrectedTTest corrected_t_test(ConstSpan differences, double test_over_train,
                                              double level = 0.95);

/// The numbers of cases in which the first of two methods is better, equal, or worse.
struct SignCounts {
  Index wins = 0;
  Index ties = 0;
  Index losses = 0;
};

/// \throws ParameterError for different lengths
[[nodiscard]] SignCounts sign_counts(ConstSpan first, ConstSpan second, bool larger_is_better);

}  // namespace kernmix
