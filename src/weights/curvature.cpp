#include "weights/curvature.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/cholesky.hpp"
#include "base/qr.hpp"
#include "base/samples.hpp"
#include "svm/newton/centred_rows.hpp"
#include "svm/newton/conjugate_gradients.hpp"

namespace kernmix {
namespace {

/// The positions of the free samples in the support of a. The result is empty if any free sample is
/// outside the support.
std::vector<Index> places_in_support(const Point& point) {
  std::vector<Index> places;
  Index at = 0;
  Index next = 0;
  for (Index i = 0; i < length(point.a) && next < length(point.free); ++i) {
    if (point.a[static_cast<std::size_t>(i)] == 0.0) continue;
    if (i == point.free[static_cast<std::size_t>(next)]) {
      places.push_back(at);
      ++next;
    }
    ++at;
  }
  if (next < length(point.free)) places.clear();
  return places;
}

/// U <- (I - e e' / e'e) U for e = L^{-1} 1_c of every block c whose sum is fixed. The 1_c have
/// disjoint supports, but the vectors e need not be orthogonal; Gram-Schmidt orthogonalises them.
void remove_held_sums(const DualSet& set, const std::vector<Index>& free,
                      const FreeBlockFactor& factor, Eigen::MatrixXd& U) {
  std::vector<Eigen::VectorXd> removed;
  const Eigen::MatrixXd sums = held_sums(set, free);
  for (Index c = 0; c < sums.cols(); ++c) {
    Eigen::MatrixXd ones = sums.col(c);
    factor.apply(ones);
    Eigen::VectorXd e = ones.col(0);
    for (const Eigen::VectorXd& other : removed) e -= other.dot(e) * other;
    e.normalize();
    U.noalias() -= e * (e.transpose() * U);
    removed.push_back(std::move(e));
  }
}

/// Column k is E' K_m A, m = subset[k]. The product takes one pass over `subset`.
Eigen::MatrixXd face_products(const Problem& problem, const ClassFace& face, const Vector& a,
                              const std::vector<Index>& subset, const Context& context) {
  const Matrix panel = panel_of(problem, {a});
  Eigen::MatrixXd U(face.size(), length(subset));
  Matrix product(problem.samples(), problem.functions());
  for (Index k = 0; k < length(subset); ++k) {  // one at a time: a batch takes T times the memory
    const std::span<const Index> m(&subset[static_cast<std::size_t>(k)], 1);
    const Matrix rows = problem.bank.products(m, panel, Reach::everywhere, context).rows;
    product.values = from_panel(problem, rows).front();
    U.col(k) = face.along(product);
  }
  return U;
}

/// U <- (I - Q Q') U for an orthonormal basis Q of the columns of `sums`. These columns are
/// linearly dependent because they add up to zero.
void remove_class_sums(Eigen::MatrixXd sums, Eigen::MatrixXd& U) {
  constexpr double kDependent = 1e-8;
  for (Index u = 0; u < sums.cols(); ++u) {
    const double before = sums.col(u).norm();
    for (Index v = 0; v < u; ++v) sums.col(u) -= sums.col(v).dot(sums.col(u)) * sums.col(v);
    const double after = sums.col(u).norm();
    if (after <= kDependent * before) {
      sums.col(u).setZero();
      continue;
    }
    sums.col(u) /= after;
    U.noalias() -= sums.col(u) * (sums.col(u).transpose() * U);
  }
}

}  // namespace

Eigen::MatrixXd at_free_samples(const Matrix& products, const std::vector<Index>& rows,
                                const Point& point) {
  const std::vector<Index> places = places_in_support(point);
  if (places.empty()) return {};
  Eigen::MatrixXd U(length(point.free), length(rows));
  for (Index k = 0; k < length(rows); ++k) {
    U.col(k) = as_vector(products.row(rows[static_cast<std::size_t>(k)]))(places);
  }
  return U;
}

Eigen::MatrixXd held_sums(const DualSet& set, const std::vector<Index>& free) {
  Eigen::MatrixXd E = Eigen::MatrixXd::Zero(length(free), length(set.totals));
  Index columns = 0;
  for (Index c = 0; c < length(set.totals); ++c) {
    for (Index k = 0; k < length(free); ++k) {
      const auto i = static_cast<std::size_t>(free[static_cast<std::size_t>(k)]);
      E(k, columns) = set.block[i] == c ? 1.0 : 0.0;
    }
    if (!E.col(columns).isZero(0.0)) ++columns;
  }
  return E.leftCols(columns);
}

std::vector<Index> modelled_kernels(const WeightRules& rules, ConstSpan d, ConstSpan q,
                                    Index others) {
  constexpr double kNegligible = 1e-6;
  std::vector<Index> order = index_range(0, length(d));
  if (!rules.sparse()) return order;
  const double top = *std::ranges::max_element(d);
  const auto active = [&](Index m) { return d[to_size(m)] > kNegligible * top; };
  const auto norm = [&](Index m) { return d[to_size(m)] * std::sqrt(q[to_size(m)]); };
  std::ranges::stable_sort(order, [&](Index l, Index r) {
    if (active(l) != active(r)) return active(l);
    return active(l) ? norm(l) > norm(r) : q[to_size(l)] > q[to_size(r)];
  });
  const Index weighted = std::ranges::count_if(order, active);
  const Index M = length(order);
  const Index size = std::min({weighted + std::max(others, weighted), rules.most_in_model(M), M});
  order.resize(to_size(size));
  std::ranges::sort(order);
  return order;
}

Vector on_all_kernels(ConstSpan weights, const std::vector<Index>& kernels, Index M) {
  Vector d(to_size(M), 0.0);
  for (std::size_t k = 0; k < weights.size(); ++k) d[to_size(kernels[k])] = weights[k];
  return d;
}

Eigen::MatrixXd free_products(const Problem& problem, ConstSpan a,
                              const std::vector<Index>& kernels, const std::vector<Index>& free,
                              const Context& context) {
  Eigen::MatrixXd U(length(free), length(kernels));
  for (Index first = 0; first < length(kernels); first += products_at_once) {
    const Index count = std::min(products_at_once, length(kernels) - first);
    const auto some = slice(kernels, first, first + count);
    const Matrix rows = problem.bank.products(some, a, Reach::everywhere, context).rows;
    for (Index k = 0; k < count; ++k) U.col(first + k) = as_vector(rows.row(k))(free);
  }
  return U;
}

Eigen::MatrixXd same_gram(Eigen::MatrixXd U) {
  if (U.rows() < 2 * U.cols()) return U;
  return Qr(std::move(U)).R();
}

Eigen::MatrixXd curvature_root(const DualSet& set, const std::vector<Index>& free,
                               const FreeBlockFactor& factor, Eigen::MatrixXd U) {
  factor.apply(U);
  remove_held_sums(set, free, factor, U);
  return same_gram(std::move(U));
}

namespace {

/// The columns of U over the roots of D, without their means in each block, weighted by 1 / D.
Eigen::MatrixXd centred(const DualSet& set, const std::vector<Index>& free,
                        const Eigen::VectorXd& slope, Eigen::MatrixXd U) {
  if (set.balanced()) {
    const Eigen::MatrixXd sums = held_sums(set, free);
    for (Index c = 0; c < sums.cols(); ++c) {
      const Eigen::VectorXd share = slope.cwiseProduct(sums.col(c)) / slope.dot(sums.col(c));
      U.noalias() -= sums.col(c) * (share.transpose() * U);
    }
  }
  U.array().colwise() *= slope.array().sqrt();
  return U;
}

}  // namespace

Eigen::MatrixXd curvature_root(const WeightedColumns& Z, const DualSet& set,
                               const std::vector<Index>& free, const Vector& curvature,
                               Eigen::MatrixXd U, const Context& context) {
  constexpr double kRidge = 1e-2;  // of the mean diagonal of Z_F Z_F': a smaller one is slower
  constexpr double kAccuracy = 0.03;
  double mean = 0.0;
  for (const Index i : free) mean += Z.squared_norm(i) / static_cast<double>(free.size());
  const Eigen::VectorXd slope =
      (as_vector(ConstSpan(curvature)).array() + kRidge * std::max(mean, 1e-300))
          .inverse()
          .max(1e-300);  // a row for each free sample, also where the curvature is infinite
  Vector all(to_size(Z.rows()), 0.0);
  for (std::size_t k = 0; k < free.size(); ++k)
    all[to_size(free[k])] = slope[static_cast<Index>(k)];
  const CentredRows Y(Z, all, set, context);
  const SketchedSystem preconditioner(Y, context);
  Eigen::MatrixXd root(Y.count() + Y.cols(), U.cols());
  root.topRows(Y.count()) = centred(set, free, slope, std::move(U));
  for (Index k = 0; k < root.cols(); ++k) {
    auto V = root.col(k).head(Y.count());
    const Eigen::VectorXd x =
        conjugate_gradients(Y, preconditioner, Y.transposed_times(V, context), kAccuracy, context);
    V -= Y.times(x, context);
    root.col(k).tail(Y.cols()) = x;
  }
  return same_gram(std::move(root));
}

Eigen::MatrixXd products_at_free(const Problem& problem, const Point& point,
                                 const std::vector<Index>& free, const std::vector<Index>& kernels,
                                 bool read_support, const Context& context) {
  Eigen::MatrixXd U;
  if (point.products != nullptr) {
    U = at_free_samples(*point.products, kernels, point);
  } else if (read_support && problem.bank.combined(point.d)->columns() < 0) {
    const Matrix products = problem.bank.products(kernels, point.a, Reach::support, context).rows;
    if (products.rows > 0) {
      U = at_free_samples(products, index_range(0, products.rows), point);
    }
  }
  return U.size() > 0 ? U : free_products(problem, point.a, kernels, free, context);
}

Eigen::MatrixXd class_curvature_root(const Problem& problem, const ClassFace& face, RowMatrix S,
                                     const Vector& a, const std::vector<Index>& kernels,
                                     const Context& context) {
  constexpr double kRidge = 1e-10;
  const double mean = mean_of_diagonal(S);
  const auto factor =
      cholesky_with_ridge(std::move(S), {kRidge * mean, 100.0 * kRidge * mean, 100.0}, context);
  if (!factor) return {};  // S is not finite
  Eigen::MatrixXd U = face_products(problem, face, a, kernels, context);
  factor->solve_half_in_place(U);
  if (problem.bias == Bias::free) {
    Eigen::MatrixXd sums = face.sums();
    factor->solve_half_in_place(sums);
    remove_class_sums(std::move(sums), U);
  }
  return same_gram(std::move(U));
}

WeightModel quadratic_model(const Point& point, const std::vector<Index>& kernels,
                            const std::vector<Curvature>& tasks) {
  Eigen::MatrixXd all(0, length(kernels));
  for (const Curvature& task : tasks) {
    if (task.root.rows() == 0) continue;
    Eigen::MatrixXd both(all.rows() + task.root.rows(), all.cols());
    both << all, task.root;
    all = same_gram(std::move(both));
  }
  WeightModel model{Vector(kernels.size()), Vector(kernels.size()),
                    Matrix(length(kernels), all.rows())};
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    model.d[k] = point.d[static_cast<std::size_t>(kernels[k])];
    model.q[k] = point.q[static_cast<std::size_t>(kernels[k])];
  }
  as_matrix(model.B) = all.transpose();
  return model;
}

}  // namespace kernmix
