#include "svm/newton/dual_response.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/parallel.hpp"
#include "loss/any.hpp"

namespace kernmix {
namespace {

/// Enough samples for the overhead of a thread.
constexpr Index samples_at_once = 32768;

/// Width of the range of a.
double width_of(double lower, double upper, double diagonal) {
  if (std::isfinite(upper - lower)) return upper - lower;
  return diagonal > 0.0 ? 1.0 / diagonal : 1.0;
}

}  // namespace

DualResponse::DualResponse(const Problem& problem, const DualSet& set)
    : problem_(problem), set_(set) {
  std::optional<QuadraticTerms> terms = quadratic_terms(problem.loss, problem.y(), problem.C());
  if (!terms) return;
  quadratic_ = true;
  linear_ = std::move(terms->linear);
  diagonal_ = std::move(terms->diagonal);
  kink_ = std::move(terms->kink);
  for (std::size_t i = 0; i < linear_.size(); ++i) {
    width_.push_back(width_of(set.lower[i], set.upper[i], diagonal_[i]));
    const bool bounded = std::isfinite(set.lower[i]) || std::isfinite(set.upper[i]);
    proximal_ = proximal_ || bounded || kink_[i] != 0.0 || diagonal_[i] == 0.0;
  }
  centre_ = linear_;
  curvature_ = diagonal_;
}

void DualResponse::set_anchor(ConstSpan a, double step) {
  if (!proximal_) return;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double inverse_step = 1.0 / (step * width_[i]);
    centre_[i] = linear_[i] + a[i] * inverse_step;
    curvature_[i] = diagonal_[i] + inverse_step;
  }
}

double DualResponse::spread(ConstSpan values) const {
  const Index blocks = std::max<Index>(length(set_.totals), 1);
  double squares = 0.0;
  for (Index c = 0; c < blocks; ++c) {
    double count = 0.0;
    double mean = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!in_block(i, c)) continue;
      const double change = values[i] - mean;
      count += 1.0;
      mean += change / count;
      squares += change * (values[i] - mean);
    }
  }
  return std::sqrt(squares / static_cast<double>(values.size()));
}

void DualResponse::set_unit(ConstSpan f) {
  if (!quadratic_) return;
  unit_ = spread(linear_);
  if (unit_ == 0.0) unit_ = spread(f);
  if (unit_ == 0.0) unit_ = 1.0;
}

inline DualResponse::Answer DualResponse::quadratic_answer(std::size_t i, double f) const {
  const double pull = centre_[i] - f;
  const double size = std::abs(pull) - kink_[i];
  const double a = size > 0.0 ? std::copysign(size, pull) / curvature_[i] : 0.0;
  if (a <= set_.lower[i]) return {set_.lower[i], 0.0};
  if (a >= set_.upper[i]) return {set_.upper[i], 0.0};
  return {a, size > 0.0 || kink_[i] == 0.0 ? 1.0 / curvature_[i] : 0.0};
}

/// Calls body with a function (i, f) -> Answer.
template <typename Body>
void DualResponse::with_answers(const Body& body) const {
  if (quadratic_) {
    body([this](std::size_t i, double f) { return quadratic_answer(i, f); });
    return;
  }
  visit(
      [&]<typename L>(const L& loss) {
        if constexpr (HasSlope<L> && !HasQuadraticDual<L>) {
          body([&](std::size_t i, double f) -> Answer {
            const LossSlope slope = loss.slope(problem_.y()[i], f, problem_.C()[i]);
            return {std::clamp(-slope.first, set_.lower[i], set_.upper[i]), slope.second};
          });
        }
      },
      problem_.loss);
}

DualResponse::Sums DualResponse::sums(Index block, ConstSpan f, double bias,
                                      const Context& context) const {
  std::vector<Sums> part(static_cast<std::size_t>(blocks_of(length(f), samples_at_once)));
  with_answers([&](const auto& answer_of) {
    parallel_blocks(context, length(f), samples_at_once, [&](Index p, Index begin, Index end) {
      Sums sum;
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        if (!in_block(i, block)) continue;
        const Answer answer = answer_of(i, f[i] + bias);
        sum.a += answer.a;
        sum.size += std::abs(answer.a);
        sum.slope += answer.slope;
      }
      part[static_cast<std::size_t>(p)] = sum;
    });
  });
  Sums all;
  for (const Sums& sum : part) {
    all.a += sum.a;
    all.size += sum.size;
    all.slope += sum.slope;
  }
  return all;
}

/// The bias at which the sum of a block has its value, up to `rest` per unit of slope; or, if no
/// double is close enough, a mixture of the responses at `bias` and at `above`.
struct DualResponse::Balance {
  double bias = 0.0;
  double rest = 0.0;
  double above = 0.0;
  double share_above = 0.0;
};

/// An interval that contains the root, and the excess of the sum over its total at both ends.
struct DualResponse::Bracket {
  double low = -std::numeric_limits<double>::infinity();  ///< the sum is too large here
  double high = std::numeric_limits<double>::infinity();  ///< and too small here
  double excess_low = 0.0;
  double excess_high = 0.0;

  [[nodiscard]] bool is_closed() const { return std::isfinite(low) && std::isfinite(high); }
  [[nodiscard]] bool has_inside(double bias) const { return bias > low && bias < high; }
  void add(double bias, double excess) {
    (excess > 0.0 ? low : high) = bias;
    (excess > 0.0 ? excess_low : excess_high) = excess;
  }
  [[nodiscard]] Balance mixture() const {
    return {low, 0.0, high, excess_low / (excess_low - excess_high)};
  }
};

/// The sum of the responses decreases piecewise linearly with the bias: Newton's method,
/// safeguarded by a bracket that is halved at least every third time.
DualResponse::Balance DualResponse::balance(Index block, ConstSpan f, double bias,
                                            const Context& context) const {
  constexpr double rounding = 4.0 * std::numeric_limits<double>::epsilon();
  constexpr int most_trials = 200;
  const double total = set_.totals[static_cast<std::size_t>(block)];
  Bracket root;
  double reach = unit_;
  for (int trial = 1; trial <= most_trials; ++trial) {
    const Sums sum = sums(block, f, bias, context);
    const double excess = sum.a - total;
    const double step = excess / sum.slope;  // not finite if no response moves
    if (std::abs(excess) <= rounding * (sum.size + std::abs(total)) ||
        std::abs(step) <= rounding * (std::abs(bias) + unit_)) {
      return {bias, sum.slope > 0.0 ? step : 0.0};
    }
    root.add(bias, excess);
    double next = bias + step;
    if (root.is_closed()) {
      if (!root.has_inside(next) || trial % 3 == 0) next = 0.5 * (root.low + root.high);
      if (!root.has_inside(next)) break;
    } else if (!(std::abs(step) <= reach)) {
      next = bias + std::copysign(reach, excess);
      reach *= 4.0;
    }
    bias = next;
  }
  return root.is_closed() ? root.mixture() : Balance{bias};
}

void DualResponse::answer(ConstSpan f, MutableSpan bias, MutableSpan a, MutableSpan slope,
                          const Context& context) const {
  std::vector<Balance> balances;
  for (Index c = 0; c < length(set_.totals); ++c) {
    balances.push_back(balance(c, f, bias[static_cast<std::size_t>(c)], context));
    bias[static_cast<std::size_t>(c)] = balances.back().bias;
  }
  if (balances.empty()) balances.emplace_back();
  with_answers([&](const auto& answer_of) {
    parallel_blocks(context, length(f), samples_at_once, [&](Index, Index begin, Index end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        const Balance& at = balances[set_.balanced() ? static_cast<std::size_t>(set_.block[i]) : 0];
        const Answer here = answer_of(i, f[i] + at.bias);
        a[i] = std::clamp(here.a - at.rest * here.slope, set_.lower[i], set_.upper[i]);
        slope[i] = here.slope;
        if (at.share_above == 0.0) continue;
        const Answer above = answer_of(i, f[i] + at.above);
        a[i] += at.share_above * (above.a - here.a);
        slope[i] = std::max(here.slope, above.slope);
      }
    });
  });
}

}  // namespace kernmix
