#include "svm/smo/dual_smo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/memory/huge_pages.hpp"
#include "svm/smo/row_sums.hpp"

namespace kernmix {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Gaps above this multiple of the rounding error of J are measured with the rounded K if there are
/// so many samples that reading the kernels is slow.
constexpr double rounding_margin = 10.0;
constexpr Index many_samples = 100;

}  // namespace

DualSmo::DualSmo(const Problem& problem, const DualSet& set, TriangleCache& triangles)
    : problem_(problem),
      triangles_(triangles),
      lower_(set.lower),
      upper_(set.upper),
      block_(set.block),
      slack_(!set.balanced()),
      constant_(problem.bias == Bias::penalised ? 1.0 : 0.0) {
  read_quadratic_terms();
  if (slack_) {
    add_slack();
  } else {
    centre_linear_terms();
  }
  const std::size_t entries = linear_.size() * linear_.size();
  memory_ = huge_array<float>(entries);
  K_ = {memory_.get(), entries};
}

void DualSmo::read_quadratic_terms() {
  QuadraticTerms terms = quadratic_terms(problem_.loss, problem_.y(), problem_.C()).value();
  linear_ = std::move(terms.linear);
  diagonal_ = std::move(terms.diagonal);
  const bool smooth = std::ranges::all_of(terms.kink, [](double kink) { return kink == 0.0; });
  if (!smooth) kink_ = std::move(terms.kink);
}

/// Subtracting a constant from `linear` in a block with a fixed sum changes nothing, but avoids
/// cancellation in the gradient for large targets with small differences.
void DualSmo::centre_linear_terms() {
  const auto blocks = static_cast<std::size_t>(1 + *std::ranges::max_element(block_));
  Vector least(blocks, infinity);
  Vector largest(blocks, -infinity);
  for (std::size_t i = 0; i < linear_.size(); ++i) {
    const auto c = static_cast<std::size_t>(block_[i]);
    least[c] = std::min(least[c], linear_[i]);
    largest[c] = std::max(largest[c], linear_[i]);
  }
  for (std::size_t i = 0; i < linear_.size(); ++i) {
    const auto c = static_cast<std::size_t>(block_[i]);
    linear_[i] -= 0.5 * (least[c] + largest[c]);
  }
}

void DualSmo::add_slack() {
  linear_.push_back(0.0);
  diagonal_.push_back(0.0);
  lower_.push_back(-infinity);
  upper_.push_back(infinity);
  if (!kink_.empty()) kink_.push_back(0.0);
}

/// K(d) + constant 1 1' + diag, with a zero row and column for the slack variable.
void DualSmo::combine(ConstSpan d, const Context& context) {
  const Index n = length(problem_.y());
  const Index size = this->size();
  triangles_.combine(d, K_.first(static_cast<std::size_t>(n * n)), context);
  const auto row = [&](Index i, Index stride) { return K_.begin() + i * stride; };
  for (Index i = n; i-- > 0;) {
    if (slack_) {
      std::copy_backward(row(i, n), row(i, n) + n, row(i, size) + n);
      row(i, size)[n] = 0.0F;
    }
    if (constant_ != 0.0) {
      std::for_each_n(row(i, size), n,
                      [&](float& entry) { entry += static_cast<float>(constant_); });
    }
    row(i, size)[i] += static_cast<float>(diagonal_[static_cast<std::size_t>(i)]);
  }
  if (slack_) std::fill_n(row(n, size), size, 0.0F);
}

RowMatrixF DualSmo::hessian_block(std::span<const Index> index) const {
  RowMatrixF block(length(index), length(index));
  for (Index r = 0; r < block.rows(); ++r) {
    const float* row = K_.data() + index[static_cast<std::size_t>(r)] * size();
    for (Index c = 0; c <= r; ++c) block(r, c) = row[index[static_cast<std::size_t>(c)]];
  }
  return block;
}

/// Violations are in units of y, and so are the remaining rounding errors.
double DualSmo::violation_floor() const {
  double unit = 0.0;
  for (const double value : linear_) unit = std::max(unit, std::abs(value));
  return 4.0 * std::numeric_limits<double>::epsilon() * unit;
}

/// Effect of rounding K to single precision on J and on the gap, for uncorrelated errors e = 2^-24
/// max K_ii |a| of K a: |a'(dK) a| <= e |a|, and
///
///   gap(K a + e) - gap(K a) <= sum_i e^2 / (2 diag_i), and for diag_i = 0, at the margin,
///   e (upper_i - lower_i).
DualSmo::Rounding DualSmo::rounding(ConstSpan variables) const {
  const Index size = this->size();
  float largest = 0.0F;
  for (Index i = 0; i < size; ++i) {
    largest = std::max(largest, K_[static_cast<std::size_t>(i * size + i)]);
  }
  const double norm =
      std::sqrt(std::inner_product(variables.begin(), variables.end(), variables.begin(), 0.0));
  const double error = 0x1p-24 * double{largest} * norm;
  double gap = 0.0;
  for (std::size_t i = 0; i < problem_.y().size(); ++i) {
    const double a = variables[i];
    if (diagonal_[i] > 0.0) {
      gap += 0.5 * error * error / diagonal_[i];
    } else if (a != 0.0 && a > lower_[i] && a < upper_[i]) {
      gap += error * (upper_[i] - lower_[i]);
    }
  }
  return {error * norm, gap};
}

bool DualSmo::single_will_do(ConstSpan a, double gap_target) const {
  if (length(problem_.y()) < many_samples) return false;
  const Rounding by = rounding(a);
  return gap_target >= std::max(rounding_margin * by.value, by.gap);
}

SmoOptions DualSmo::smo_options(double gap_target) const {
  SmoOptions options;
  options.gap_target = gap_target;
  options.gap_reduction = inner_gap_reduction;
  options.violation_floor = violation_floor();
  options.max_iterations = most_moves_;
  return options;
}

InnerResult DualSmo::solve(const ExactProduct& exact, const InnerGap& gap, double gap_target,
                           MutableSpan a, MutableSpan z, const Context& context) {
  const std::size_t n = a.size();
  // Terms of SMO's kernel in addition to K: the diagonal of the loss and the penalised bias.
  const auto extra = [&](ConstSpan at, std::size_t i, double sum) {
    return constant_ * sum + diagonal_[i] * at[i];
  };
  const auto sum_of = [&](ConstSpan at) {
    return std::accumulate(at.begin(), at.begin() + length(a), 0.0);
  };
  bool is_exact = true;
  const ExactProduct product = [&](ConstSpan at, MutableSpan out) {
    is_exact = !single_will_do(at, gap_target);
    if (!is_exact) {
      std::ranges::fill(out, 0.0);
      return add_row_sums(K_, at, out, context);
    }
    exact(at.first(n), out.first(n));
    const double sum = sum_of(at);
    for (std::size_t i = 0; i < n; ++i) out[i] += extra(at, i, sum);
    if (slack_) out[n] = 0.0;
  };
  const auto strip = [&](ConstSpan at, ConstSpan out) {
    const double sum = sum_of(at);
    for (std::size_t i = 0; i < n; ++i) z[i] = out[i] - extra(at, i, sum);
  };
  const InnerGap plain_gap = [&](ConstSpan at, ConstSpan out) {
    strip(at, out);
    return gap(at.first(n), z);
  };
  Vector variables(a.begin(), a.end());
  if (slack_) variables.push_back(-sum_of(a));
  Vector products(variables.size(), 0.0);

  const BoxProblem box{length(variables), K_, linear_, lower_, upper_, kink_, block_};
  const SmoResult result =
      solve_smo(box, product, plain_gap, smo_options(gap_target), variables, products, context);
  std::copy_n(variables.begin(), n, a.begin());
  strip(variables, products);
  return {result.gap, result.iterations, is_exact};
}

}  // namespace kernmix
