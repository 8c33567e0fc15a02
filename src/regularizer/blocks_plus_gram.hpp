#pragma once
/// \file
/// Linear systems whose matrix is a diagonal, a rank-one term for each group of variables, and a
/// Gram matrix.

#include <vector>

#include "cholesky.hpp"

namespace kernmix {

/// y_k = v_{j(k)} for the group j(k) of each k.
[[nodiscard]] Eigen::ArrayXd spread_over_groups(const Eigen::ArrayXd& v,
                                                const std::vector<Index>& group);

/// v_j = sum_{k in j} y_k for J groups.
[[nodiscard]] Eigen::ArrayXd sum_over_groups(const Eigen::ArrayXd& y,
                                             const std::vector<Index>& group, Index J);

/// (G + B B')^{-1} with G = diag(D) - k_j n_j n_j' for each group, positive definite, n_j the part
/// of n on group j. The inverse of G's blocks is known; the rest has the size of the smaller side
/// of B.
class BlocksPlusGram {
 public:
  /// Borrows `group`.
  BlocksPlusGram(RowMatrix B, const std::vector<Index>& group);

  /// `pivot` = 1 - k_j n_j' D^{-1} n_j, given because the difference may cancel.
  void factorise(const Eigen::ArrayXd& D, const Eigen::ArrayXd& n, const Eigen::ArrayXd& k,
                 const Eigen::ArrayXd& pivot);
  /// Requires factorise.
  [[nodiscard]] Eigen::ArrayXd solve(const Eigen::ArrayXd& r) const;

  /// B B' v
  [[nodiscard]] Eigen::ArrayXd gram_times(const Eigen::ArrayXd& v) const;
  /// |B'v|^2
  [[nodiscard]] double square(const Eigen::ArrayXd& v) const;

 private:
  [[nodiscard]] Eigen::ArrayXd solve_blocks(const Eigen::ArrayXd& r) const;

  const std::vector<Index>& group_;
  RowMatrix B_;
  Eigen::ArrayXd D_;
  Eigen::ArrayXd n_;
  Eigen::ArrayXd share_;
  Cholesky factor_;
};

}  // namespace kernmix
