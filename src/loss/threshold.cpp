#include "loss/threshold.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "kernmix/error.hpp"
#include "loss/bias_search.hpp"

namespace kernmix {

void check_total(const char* loss, double nu, ConstSpan C) {
  constexpr double rounding = 1e-11;
  const double sum = std::accumulate(C.begin(), C.end(), 0.0);
  if (sum >= 1.0 - rounding) return;
  throw ParameterError(
      fmt::format("{}: nu must be <= {:.12g} for these weights, got {}", loss, nu * sum, nu));
}

std::array<ClassMargins, 2> margins_by_class(ConstSpan y, ConstSpan z, ConstSpan a, ConstSpan C) {
  std::array<ClassMargins, 2> classes;
  for (std::size_t i = 0; i < y.size(); ++i) {
    ClassMargins& own = classes[y[i] > 0.0 ? 0 : 1];
    own.margin.push_back(y[i] * z[i]);
    own.alpha.push_back(y[i] * a[i]);
    own.C.push_back(C[i]);
  }
  return classes;
}

DualSet two_class_set(ConstSpan y, ConstSpan bound, double share) {
  DualSet set{
      Vector(y.size(), 0.0), Vector(y.size(), 0.0), std::vector<Index>(y.size()), {share, -share}};
  for (std::size_t i = 0; i < y.size(); ++i) {
    (y[i] > 0.0 ? set.upper : set.lower)[i] = y[i] * bound[i];
    set.block[i] = y[i] > 0.0 ? 0 : 1;
  }
  return set;
}

Threshold best_threshold(const ClassMargins& members, double share) {
  std::vector<Breakpoint> breakpoints(members.margin.size());
  for (std::size_t i = 0; i < breakpoints.size(); ++i) {
    breakpoints[i] = {members.margin[i], members.C[i]};
  }
  Threshold best{minimise_piecewise_linear(breakpoints, -share), 0.0, 0.0, 0.0};
  double loss = 0.0;
  for (std::size_t i = 0; i < members.margin.size(); ++i) {
    const double lack = best.r - members.margin[i];
    if (lack > 0.0) loss += members.C[i] * lack;
    best.gap += lack > 0.0 ? (members.C[i] - members.alpha[i]) * lack : -members.alpha[i] * lack;
  }
  best.value = loss - share * best.r;
  best.size = loss + share * std::abs(best.r);
  return best;
}

}  // namespace kernmix
