#include "loss/classes/komd.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "loss/threshold.hpp"

namespace kernmix {
namespace {

/// Sum of the dual variables of a class.
constexpr double kShareOfClass = 0.5;

/// The root r of sum_i C_i [r - m_i]_+ = share kappa, whose left side increases with r; the
/// smallest margin if kappa = 0.
double squared_threshold(const ClassMargins& members, double kappa) {
  std::vector<std::size_t> order = index_range<std::size_t>(0, members.margin.size());
  std::ranges::sort(order, {}, [&](std::size_t i) { return members.margin[i]; });
  double weight = 0.0;
  double moment = 0.0;
  double r = members.margin[order.front()];
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    if (members.margin[i] > r && k > 0) break;
    weight += members.C[i];
    moment += members.C[i] * members.margin[i];
    r = (kShareOfClass * kappa + moment) / weight;
  }
  return kappa == 0.0 ? members.margin[order.front()] : r;
}

/// Value and gap of one class at the optimal r: with l = r - m the gap is the sum of (C / (2
/// kappa)) (l - kappa alpha / C)^2 for l > 0, and kappa alpha^2 / (2 C) - alpha l otherwise.
Threshold squared_class(const ClassMargins& members, double kappa) {
  Threshold best{squared_threshold(members, kappa), 0.0, 0.0, 0.0};
  double loss = 0.0;
  for (std::size_t i = 0; i < members.margin.size(); ++i) {
    const double C = members.C[i];
    const double alpha = members.alpha[i];
    const double lack = best.r - members.margin[i];
    if (lack > 0.0 && kappa > 0.0) {
      const double excess = lack - kappa * alpha / C;
      loss += 0.5 * C * lack * lack / kappa;
      best.gap += 0.5 * C * excess * excess / kappa;
    } else {
      best.gap += 0.5 * kappa * alpha * alpha / C - alpha * std::min(lack, 0.0);
    }
  }
  best.value = loss - kShareOfClass * best.r;
  best.size = loss + kShareOfClass * std::abs(best.r);
  return best;
}

}  // namespace

void Komd::check(ConstSpan y, ConstSpan /*C*/) const {
  const auto positive = std::ranges::count_if(y, [](double label) { return label > 0.0; });
  if (positive == 0 || positive == std::ssize(y)) {
    throw ParameterError("komd: both classes must occur");
  }
}

double Komd::gain(ConstSpan /*y*/, ConstSpan a, ConstSpan C) const {
  double squares = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += a[i] * a[i] / C[i];
  return -0.5 * kappa() * squares;
}

LossPoint Komd::at(ConstSpan y, ConstSpan z, ConstSpan a, ConstSpan C) const {
  const std::array<ClassMargins, 2> classes = margins_by_class(y, z, a, C);
  const Threshold positive = squared_class(classes[0], kappa());
  const Threshold negative = squared_class(classes[1], kappa());
  return {positive.value + negative.value,
          positive.gap + negative.gap,
          positive.size + negative.size,
          {0.5 * (negative.r - positive.r)}};
}

DualSet Komd::dual_set(ConstSpan y, ConstSpan C) const {
  return two_class_set(y, Vector(C.size(), kShareOfClass), kShareOfClass);
}

}  // namespace kernmix
