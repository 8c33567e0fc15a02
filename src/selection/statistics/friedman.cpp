// With the average ranks R_j of k methods on N data sets,
//   chi2 = 12 N / (k (k + 1)) sum_j (R_j - (k + 1) / 2)^2 / (1 - ties),
//   ties = sum (t^3 - t) / (N (k^3 - k)) over groups of t equal values in a row.

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <limits>

#include "kernmix/error.hpp"
#include "kernmix/selection/statistics.hpp"

namespace kernmix {
namespace {

/// sum t^3 - t of one row.
double tied_cubes(ConstSpan row) {
  Vector sorted(row.begin(), row.end());
  std::ranges::sort(sorted);
  double sum = 0.0;
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t end = first;
    while (end < sorted.size() && sorted[end] == sorted[first]) ++end;
    const double t = static_cast<double>(end - first);
    sum += t * (t * t - 1.0);
    first = end;
  }
  return sum;
}

}  // namespace

FriedmanTest friedman_test(const Matrix& scores) {
  if (scores.rows < 2 || scores.cols < 3) {
    throw ParameterError(
        fmt::format("friedman_test: {} data sets and {} methods; it needs at least two data sets "
                    "and three methods",
                    scores.rows, scores.cols));
  }
  const double n = static_cast<double>(scores.rows);
  const double k = static_cast<double>(scores.cols);
  double spread = 0.0;
  for (const double rank : average_ranks(scores, true)) {
    spread += (rank - 0.5 * (k + 1.0)) * (rank - 0.5 * (k + 1.0));
  }
  double tied = 0.0;
  for (Index i = 0; i < scores.rows; ++i) tied += tied_cubes(scores.row(i));
  const double untied = 1.0 - tied / (n * (k * k * k - k));
  FriedmanTest test;
  if (untied <= 0.0 || spread <= 0.0) return test;  // all methods are equal everywhere
  const double most = n * (k - 1.0);
  test.chi_squared = std::min(12.0 * n / (k * (k + 1.0)) * spread / untied, most);
  test.p = cdf(complement(boost::math::chi_squared(k - 1.0), test.chi_squared));
  if (most - test.chi_squared <= 1e-12 * most) {
    test.f = std::numeric_limits<double>::infinity();
    test.f_p = 0.0;
    return test;
  }
  test.f = (n - 1.0) * test.chi_squared / (most - test.chi_squared);
  test.f_p = cdf(complement(boost::math::fisher_f(k - 1.0, (k - 1.0) * (n - 1.0)), test.f));
  return test;
}

}  // namespace kernmix
