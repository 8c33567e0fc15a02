#pragma once
/// \file
/// A kernel bank: M base kernels on the same n samples, and the seven questions that it answers.
///
/// Whoever writes a bank of his own answers the first four; what is left follows from block().

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// T vectors of n numbers, a vector a row, borrowed for a call; one alone from any vector.
struct Panel {
  Panel(const Matrix& A) : values(A.values.data()), rows(A.rows), cols(A.cols) {}
  template <std::convertible_to<ConstSpan> Numbers>
  Panel(const Numbers& a) : values(ConstSpan(a).data()), rows(1), cols(length(a)) {}

  [[nodiscard]] double operator()(Index t, Index i) const { return values[t * cols + i]; }
  [[nodiscard]] ConstSpan row(Index t) const {
    return {values + t * cols, static_cast<std::size_t>(cols)};
  }

  const double* values;
  Index rows, cols;
};

/// Where K_m a is wanted, beside a' K_m a.
enum class Reach : std::uint8_t {
  forms,      ///< nowhere: only rows and columns with a_i != 0 are read
  support,    ///< at those samples, of one vector, where that takes no more: dense kernels
  everywhere  ///< at all samples
};

/// What kernels m = subset[k] make of vectors a_t: all that a solver learns of kernels one by one.
struct Products {
  Matrix forms;  ///< T x |subset|, entry (t, k): a_t' K_m a_t >= 0
  Matrix rows;   ///< row k T + t: K_m a_t, as far as asked for; else empty

  /// z = sum_k weights[k] K_m a of one vector, from rows.
  [[nodiscard]] Vector combine(ConstSpan weights) const;
};

/// K(d) = sum_m d_m K_m, n x n, in whatever form is asked for; kernels with d_m = 0 are not
/// touched. Nothing is computed before. Borrows the bank.
class Combined {
 public:
  virtual ~Combined() = default;

  [[nodiscard]] virtual Index samples() const = 0;  ///< n

  /// A K(d), T x n.
  [[nodiscard]] virtual Matrix times(const Panel& A, const Context& context) const = 0;

  /// K(d) on rows and columns `on`, symmetric, row-major |on| x |on|, in single precision (summed
  /// in double where a sum is long) or in double.
  virtual void matrix(std::span<const Index> on, std::span<float> out,
                      const Context& context) const = 0;
  virtual void matrix(std::span<const Index> on, MutableSpan out, const Context& context) const = 0;

  /// The lower triangle in single precision, packed by rows: row i holds columns 0 .. i. Of one
  /// kernel with weight 1 it is the bank's own where that is how it is kept.
  [[nodiscard]] virtual std::shared_ptr<const float[]> triangle(const Context& context) const;

  /// The number of columns that factor() would have at most, or -1 where there is no factor because
  /// some kernel with weight is not kept as one.
  [[nodiscard]] virtual Index columns() const { return -1; }
  /// Z, n x r with K(d) = Z Z' (up to the bank's factor error), r <= columns().
  [[nodiscard]] virtual Matrix factor(const Context& context) const;
};

/// M symmetric n x n Gram matrices K_m, positive semidefinite, or on vectors of sum 0 only for
/// losses of distances. Solvers, certificates and models know this interface and nothing of
/// storage. A kernel that knows only some of the samples is zero at all others.
///
/// Every answer is a sum over kernels or over blocks of rows that depend on n alone, added up in
/// ascending order: its bits do not depend on the number of threads (`context.threads`), and parts
/// of it may be computed wherever a kernel or a block lies.
class KernelBank {
 public:
  virtual ~KernelBank() = default;

  [[nodiscard]] virtual Index samples() const = 0;      ///< n
  [[nodiscard]] virtual Index kernels() const = 0;      ///< M
  [[nodiscard]] virtual std::size_t bytes() const = 0;  ///< held by the stored kernels

  /// out = K_m[rows, cols], in double, row-major |rows| x |cols|. Serial, and asked for by many
  /// threads at once.
  virtual void block(Index m, std::span<const Index> rows, std::span<const Index> cols,
                     MutableSpan out) const = 0;

  /// What kernels `subset` make of the rows of A ("one pass").
  /// \param A  T x n: signed dual vectors
  [[nodiscard]] virtual Products products(std::span<const Index> subset, const Panel& A,
                                          Reach reach, const Context& context) const;

  /// K(d), for the weights d >= 0 of all kernels.
  [[nodiscard]] virtual std::unique_ptr<Combined> combined(ConstSpan d) const;

  /// The same kernels on `samples` (ascending): a copy of what is stored, or a view that borrows
  /// this bank.
  [[nodiscard]] virtual std::unique_ptr<KernelBank> restricted(std::span<const Index> samples,
                                                               const Context& context) const;
};

/// 0, 1, ..., M - 1: the subset of all kernels.
[[nodiscard]] std::vector<Index> every_kernel(const KernelBank& bank);

/// a_t' K_m a_t of all kernels for all rows of A, T x M; and of one vector, M numbers.
[[nodiscard]] Matrix all_panel_forms(const KernelBank& bank, const Panel& A,
                                     const Context& context);
[[nodiscard]] Vector all_forms(const KernelBank& bank, ConstSpan a, const Context& context);

/// K(d) a
[[nodiscard]] Vector combined_product(const KernelBank& bank, ConstSpan d, ConstSpan a,
                                      const Context& context);

}  // namespace kernmix
