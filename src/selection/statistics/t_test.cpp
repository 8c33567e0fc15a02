// t = mean / sqrt((1 / J + n_test / n_train) s^2) (Nadeau and Bengio 2003, section 3).

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "base/mean.hpp"
#include "kernmix/error.hpp"
#include "kernmix/selection/statistics.hpp"
#include "selection/statistics/check.hpp"

namespace kernmix {
namespace {

void check_t_test(ConstSpan differences, double test_over_train, double level) {
  check_finite(differences, "corrected_t_test");
  check_level(level, "corrected_t_test");
  if (differences.empty()) {
    throw ParameterError("corrected_t_test: there are no differences; at least one is needed");
  }
  if (!(test_over_train > 0.0) || !std::isfinite(test_over_train)) {
    throw ParameterError(
        fmt::format("corrected_t_test: the ratio of test to training samples is {}; it must be > 0",
                    test_over_train));
  }
}

}  // namespace

CorrectedTTest corrected_t_test(ConstSpan differences, double test_over_train, double level) {
  check_t_test(differences, test_over_train, level);
  CorrectedTTest test;
  test.splits = length(differences);
  test.mean = mean_of_values(differences);
  constexpr double rounding = 1e-12;
  const double first = differences.front();
  const bool equal = std::ranges::all_of(differences, [&](double value) {
    return std::abs(value - first) <= rounding * std::abs(first);
  });
  if (equal) {
    test.mean = first;
    if (test.splits > 1 && test.mean == 0.0) test.t = test.low = test.high = 0.0, test.p = 1.0;
    return test;
  }
  double squares = 0.0;
  for (const double value : differences) squares += (value - test.mean) * (value - test.mean);
  const double splits = static_cast<double>(test.splits);
  const double error = std::sqrt((1.0 / splits + test_over_train) * squares / (splits - 1.0));
  const boost::math::students_t distribution(splits - 1.0);
  test.t = test.mean / error;
  test.p = 2.0 * cdf(complement(distribution, std::abs(*test.t)));
  const double width = error * quantile(distribution, 0.5 + 0.5 * level);
  test.low = test.mean - width;
  test.high = test.mean + width;
  return test;
}

}  // namespace kernmix
