#include "solver/outer/bundle.hpp"

#include <algorithm>
#include <numeric>

namespace kernmix {

void Bundle::add(const Point& point) {
  if (size() == largest_) erase(0);
  gains_.push_back(point.gain);
  q_.push_back(point.q);
  a_.push_back(point.a);
}

void Bundle::erase(std::size_t i) {
  const auto at = static_cast<std::ptrdiff_t>(i);
  gains_.erase(gains_.begin() + at);
  q_.erase(q_.begin() + at);
  a_.erase(a_.begin() + at);
}

Bundle::Smoothed Bundle::smoothed(ConstSpan x, double nu) const {
  Vector cuts(gains_.size());
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    cuts[i] = gains_[i] - 0.5 * std::inner_product(x.begin(), x.end(), q_[i].begin(), 0.0);
  }
  const double top = *std::ranges::max_element(cuts);
  double sum = 0.0;
  for (double& cut : cuts) {
    cut = std::exp((cut - top) / nu);
    sum += cut;
  }
  for (double& share : cuts) share /= sum;
  return {top + nu * std::log(sum), std::move(cuts)};
}

WeightModel Bundle::model(ConstSpan x, const Vector& multipliers, double nu) const {
  const Index W = length(x);
  const Index cuts = length(q_);
  WeightModel model{Vector(x.begin(), x.end()), Vector(x.size(), 0.0), Matrix(W, cuts)};
  for (std::size_t i = 0; i < q_.size(); ++i) {
    for (std::size_t m = 0; m < x.size(); ++m) model.q[m] += multipliers[i] * q_[i][m];
  }
  // diag(pi) - pi pi' = sum_i pi_i (e_i - pi)(e_i - pi)', so column i of B is the deviation of q_i
  // from the mean.
  for (Index i = 0; i < cuts; ++i) {
    const auto cut = static_cast<std::size_t>(i);
    const double factor = 0.5 * std::sqrt(multipliers[cut] / nu);
    for (Index m = 0; m < W; ++m) {
      const auto kernel = static_cast<std::size_t>(m);
      model.B(m, i) = factor * (q_[cut][kernel] - model.q[kernel]);
    }
  }
  return model;
}

Vector Bundle::aggregate(const Vector& multipliers) const {
  Vector sum(a_.front().size(), 0.0);
  for (std::size_t i = 0; i < a_.size(); ++i) {
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += multipliers[i] * a_[i][j];
  }
  return sum;
}

}  // namespace kernmix
