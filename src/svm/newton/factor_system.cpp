#include "svm/newton/factor_system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/cholesky.hpp"
#include "base/parallel.hpp"
#include "svm/newton/centred_rows.hpp"
#include "svm/newton/conjugate_gradients.hpp"

namespace kernmix {
namespace {

using ColumnVector = Eigen::VectorXd;

/// Number of partial sums of Y'Y over ranges of rows: few for many columns, because each is r x r.
Index partial_sums(Index rows, Index r) {
  constexpr Index wide = 1024;
  return ranges_of(rows, 1024, r < wide ? 8 : 2);
}

/// I + Y'Y, lower triangle.
RowMatrix identity_plus_gram(const CentredRows& Y, Index r, const Context& context) {
  constexpr Index rows_at_once = 256;
  RowMatrix S =
      sum_of_ranges(context, Y.count(), partial_sums(Y.count(), r), [&](Index begin, Index end) {
        RowMatrix part = RowMatrix::Zero(r, r);
        for (; begin < end && !context.should_stop(); begin += rows_at_once) {
          const RowMatrix rows = Y.rows(begin, std::min(begin + rows_at_once, end));
          part.selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose());
        }
        return part;
      });
  S.diagonal().array() += 1.0;
  return S;
}

/// Solves S x = right for S positive definite, given by its lower triangle; 0 if S is not finite.
ColumnVector solve_positive_definite(RowMatrix S, const ColumnVector& right) {
  const double ridge = 1e-12 * S.diagonal().maxCoeff();  // needed only because of rounding
  const auto factor = cholesky_with_ridge(std::move(S), {0.0, ridge, 10.0});
  return factor ? factor->solve(right) : ColumnVector::Zero(right.size());
}

}  // namespace

std::size_t newton_direction_bytes(Index F, Index r, const Context& context) {
  if (by_conjugate_gradients(F, r)) {  // later steps have fewer rows or columns
    return std::max({conjugate_gradients_bytes(r, context),
                     newton_direction_bytes(many_rows, r, context),
                     newton_direction_bytes(F, WeightedColumns::many, context)});
  }
  const Index numbers = F >= r ? partial_sums(F, r) * r * r : F * (r + F);
  return static_cast<std::size_t>(numbers) * sizeof(double);
}

Vector newton_direction(const WeightedColumns& Z, ConstSpan slope, const DualSet& set, ConstSpan g,
                        const Context& context) {
  constexpr double accuracy = 0.05;  // the next step starts from what is left
  if (Z.cols() == 0) return {};
  const CentredRows Y(Z, slope, set, context);
  const auto gradient = as_vector(g);
  ColumnVector p = -gradient;
  if (by_conjugate_gradients(Y.count(), Y.cols())) {
    p = conjugate_gradients(Y, SketchedSystem(Y, context), p, accuracy, context);
  } else if (Y.count() >= Z.cols()) {
    p = solve_positive_definite(identity_plus_gram(Y, Z.cols(), context), p);
  } else if (Y.count() > 0) {
    const RowMatrix rows = Y.rows(0, Y.count());
    RowMatrix S = RowMatrix::Identity(Y.count(), Y.count());
    S.selfadjointView<Eigen::Lower>().rankUpdate(rows);
    p.noalias() += rows.transpose() * solve_positive_definite(std::move(S), rows * gradient);
  }
  return {p.begin(), p.end()};
}

}  // namespace kernmix
