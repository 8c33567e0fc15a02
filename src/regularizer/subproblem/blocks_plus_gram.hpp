#pragma once
/// \file
/// Linear systems whose matrix is a diagonal, a rank-one term for each group of variables, and a
/// Gram matrix.

#include <optional>
#include <utility>
#include <vector>

#include "base/cholesky.hpp"

namespace kernmix {

/// y_k = v_{j(k)} for the group j(k) of each k.
[[nodiscard]] Eigen::ArrayXd spread_over_groups(const Eigen::ArrayXd& v,
                                                const std::vector<Index>& group);

/// v_j = sum_{k in j} y_k for J groups.
[[nodiscard]] Eigen::ArrayXd sum_over_groups(const Eigen::ArrayXd& y,
                                             const std::vector<Index>& group, Index J);

/// G + B B' and its inverse, with G = diag(D) - k_j n_j n_j' for each group, positive definite, n_j
/// the part of n on group j. The inverse of G's blocks is known; the rest has the size of the
/// smaller side of B.
class BlocksPlusGram {
  /// The parts of G that its inverse needs.
  struct Blocks {
    Eigen::ArrayXd D, n, share;
    [[nodiscard]] Eigen::ArrayXd solve(const Eigen::ArrayXd& r,
                                       const std::vector<Index>& group) const;
  };

 public:
  /// Borrows `group`.
  BlocksPlusGram(RowMatrix B, const std::vector<Index>& group);

  /// (G + B B')^{-1}; refers to the sum, which must outlive it.
  class Inverse {
   public:
    [[nodiscard]] Eigen::ArrayXd times(const Eigen::ArrayXd& r) const;

   private:
    friend class BlocksPlusGram;
    Inverse(const BlocksPlusGram& sum, Blocks blocks, Cholesky factor)
        : sum_(&sum), blocks_(std::move(blocks)), factor_(std::move(factor)) {}

    const BlocksPlusGram* sum_;
    Blocks blocks_;
    Cholesky factor_;
  };
  /// `pivot` = 1 - k_j n_j' D^{-1} n_j, given because the difference may cancel. Nothing if the
  /// matrix is singular by rounding.
  [[nodiscard]] std::optional<Inverse> inverse(const Eigen::ArrayXd& D, const Eigen::ArrayXd& n,
                                               const Eigen::ArrayXd& k,
                                               const Eigen::ArrayXd& pivot) const;

  /// B B' v
  [[nodiscard]] Eigen::ArrayXd gram_times(const Eigen::ArrayXd& v) const;
  /// |B'v|^2
  [[nodiscard]] double square(const Eigen::ArrayXd& v) const;

 private:
  const std::vector<Index>& group_;
  RowMatrix B_;
};

}  // namespace kernmix
