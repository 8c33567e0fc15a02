#include "solver/outer/curvature.hpp"

#include <algorithm>
#include <numeric>

#include "cholesky.hpp"

namespace kernmix {
namespace {

/// Lower Cholesky factor of S_F = K(d)_FF + diag(-gain'') (+ 1 1' where the bias is penalised) with
/// the smallest ridge that makes it positive definite.
Eigen::LLT<RowMatrix> factorise(Run& run, const Point& point) {
  const Index f = length(point.free);
  Matrix block(f, f);
  run.problem().bank.combine_block(point.d, point.free, block.values, run.context());
  auto S = as_matrix(block);
  const Problem& problem = run.problem();
  // Relative to the kernel alone: near the edge of its box the curvature of a loss has no bound.
  const double mean = std::max(S.trace() / static_cast<double>(f), 1e-300);
  const Vector curvature = dual_curvature(problem.loss, problem.y, point.a, problem.C);
  for (Index i = 0; i < f; ++i) {
    S(i, i) += curvature[static_cast<std::size_t>(point.free[static_cast<std::size_t>(i)])];
  }
  if (problem.bias == Bias::penalised) S.array() += 1.0;
  return cholesky_with_ridge<RowMatrix>(S, {1e-10 * mean, 1e-8 * mean, 100.0});
}

/// U <- (I - e e' / e'e) U for e = L^{-1} 1_c of every block c whose sum is held; the 1_c have no
/// sample in common, and are made orthogonal to each other one by one.
void remove_held_sums(const DualSet& set, const std::vector<Index>& free,
                      const Eigen::LLT<RowMatrix>& factor, Eigen::MatrixXd& U) {
  const Index f = length(free);
  std::vector<Eigen::VectorXd> removed;
  for (Index c = 0; c < length(set.totals); ++c) {
    Eigen::VectorXd e = Eigen::VectorXd::Zero(f);
    for (Index i = 0; i < f; ++i) {
      const auto sample = static_cast<std::size_t>(free[static_cast<std::size_t>(i)]);
      e[i] = set.block[sample] == c ? 1.0 : 0.0;
    }
    if (e.isZero()) continue;
    factor.matrixL().solveInPlace(e);
    for (const Eigen::VectorXd& other : removed) e -= other.dot(e) * other;
    e.normalize();
    U.noalias() -= e * (e.transpose() * U);
    removed.push_back(std::move(e));
  }
}

}  // namespace

std::vector<Index> working_set(const Point& point, Index largest) {
  constexpr double kNegligible = 1e-6;
  std::vector<Index> order(point.d.size());
  std::iota(order.begin(), order.end(), Index{0});
  const double top = *std::ranges::max_element(point.d);
  const auto at = [](const Vector& v, Index m) { return v[static_cast<std::size_t>(m)]; };
  const auto active = [&](Index m) { return at(point.d, m) > kNegligible * top; };
  std::ranges::stable_sort(order, [&](Index l, Index r) {
    if (active(l) != active(r)) return active(l);
    return active(l) ? at(point.d, l) > at(point.d, r) : at(point.q, l) > at(point.q, r);
  });
  const Index weighted = std::ranges::count_if(order, active);
  const Index size = std::min(weighted + std::max<Index>(64, weighted), largest);
  order.resize(static_cast<std::size_t>(std::min(size, length(order))));
  std::ranges::sort(order);
  return order;
}

WeightModel weight_model(Run& run, const Point& point, const std::vector<Index>& subset) {
  const Index W = length(subset);
  const Index f = length(point.free);
  WeightModel model{Vector(subset.size()), Vector(subset.size()), Matrix(W, f)};
  for (std::size_t k = 0; k < subset.size(); ++k) {
    model.d[k] = point.d[static_cast<std::size_t>(subset[k])];
    model.q[k] = point.q[static_cast<std::size_t>(subset[k])];
  }
  if (f == 0) return model;

  const Index n = run.samples();
  Vector products(static_cast<std::size_t>(W * n));
  run.problem().bank.apply_each(subset, point.a, products, run.context());
  run.count_pass();
  for (Index k = 0; k < W; ++k) {
    for (Index i = 0; i < f; ++i) {
      model.B(k, i) =
          products[static_cast<std::size_t>(k * n + point.free[static_cast<std::size_t>(i)])];
    }
  }
  const Eigen::LLT<RowMatrix> factor = factorise(run, point);
  Eigen::MatrixXd U = as_matrix(model.B).transpose();
  factor.matrixL().solveInPlace(U);
  remove_held_sums(run.dual_set(), point.free, factor, U);
  as_matrix(model.B) = U.transpose();
  return model;
}

}  // namespace kernmix
