#pragma once
/// \file
/// A kernel bank: M base kernels on the same n samples, with an interface of eight functions.
///
/// A user-defined bank implements samples(), kernels(), bytes() and block(), which the defaults of
/// the others use.

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// T vectors of n numbers, one in each row, borrowed for a call; any single vector converts to it.
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

/// Where K_m a is needed, in addition to a' K_m a.
enum class Reach : std::uint8_t {
  forms,      ///< nowhere: only rows and columns with a_i != 0 are read
  support,    ///< at those samples, for one vector, if it takes no more reads: dense kernels
  everywhere  ///< at all samples
};

/// Products of kernels m = subset[k] with vectors a_t: all that a solver needs of single kernels.
struct Products {
  Matrix forms;  ///< T x |subset|, entry (t, k): a_t' K_m a_t >= 0
  Matrix rows;   ///< row k T + t: K_m a_t for the requested Reach; otherwise empty

  /// z = sum_k weights[k] K_m a of one vector, from rows.
  [[nodiscard]] Vector combine(ConstSpan weights) const;
};

/// Columns of a factor where the bank stores them: entry (i, j) is scale * values[i * columns + j].
struct StoredColumns {
  std::variant<const float*, const double*> values;
  Index columns;
  double scale;
};

/// K(d) = sum_m d_m K_m, n x n, computed on request in several forms; kernels with d_m = 0 are not
/// read. Borrows the bank.
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

  /// The lower triangle in single precision, packed by rows: row i holds columns 0 .. i. For one
  /// kernel with weight 1 it is the bank's own array if the bank stores the kernel in this form.
  [[nodiscard]] virtual std::shared_ptr<const float[]> triangle(const Context& context) const;

  /// The maximum number of columns of factor(), or -1 if there is no factor because
  /// a kernel with weight is not stored as one.
  [[nodiscard]] virtual Index columns() const { return -1; }
  /// Z, n x r with K(d) = Z Z' (up to the bank's factor error), r <= columns().
  [[nodiscard]] virtual Matrix factor(const Context& context) const;
  /// Columns of such a Z without a copy of them, all columns() side by side, borrowed from the
  /// bank; empty if the bank has to compute some of them.
  [[nodiscard]] virtual std::vector<StoredColumns> stored_columns() const { return {}; }
};

/// M symmetric n x n Gram matrices K_m, positive semidefinite, or on vectors of sum 0 only for
/// losses of distances. Solvers, certificates and models use only this interface and do not depend
/// on the storage. A kernel that is defined only for some samples is zero at all others.
///
/// Every result is a sum over kernels or over blocks of rows that depend only on n, added in
/// ascending order: its bits do not depend on the number of threads (`context.threads`), and parts
/// of it may be computed where a kernel or a block is stored.
class KernelBank {
 public:
  virtual ~KernelBank() = default;

  [[nodiscard]] virtual Index samples() const = 0;      ///< n
  [[nodiscard]] virtual Index kernels() const = 0;      ///< M
  [[nodiscard]] virtual std::size_t bytes() const = 0;  ///< memory of the stored kernels
  /// Whether reading a kernel takes n^2 entries for most kernels: solvers then read those without
  /// weight less often.
  [[nodiscard]] virtual bool dense() const;

  /// out = K_m[rows, cols], in double, row-major |rows| x |cols|. Serial, and called by many
  /// threads concurrently.
  virtual void block(Index m, std::span<const Index> rows, std::span<const Index> cols,
                     MutableSpan out) const = 0;

  /// Products of the kernels `subset` with the rows of A ("one pass").
  /// \param A  T x n: signed dual vectors
  [[nodiscard]] virtual Products products(std::span<const Index> subset, const Panel& A,
                                          Reach reach, const Context& context) const;

  /// K(d), for the weights d >= 0 of all kernels.
  [[nodiscard]] virtual std::unique_ptr<Combined> combined(ConstSpan d) const;

  /// The same kernels on `samples` (ascending): a copy of the stored kernels, or a view that
  /// borrows this bank.
  [[nodiscard]] virtual std::unique_ptr<KernelBank> restricted(std::span<const Index> samples,
                                                               const Context& context) const;
};

/// 0, 1, ..., M - 1: the subset of all kernels.
[[nodiscard]] std::vector<Index> every_kernel(const KernelBank& bank);

/// a_t' K_m a_t of all kernels for all rows of A, T x M; for one vector M numbers.
[[nodiscard]] Matrix all_panel_forms(const KernelBank& bank, const Panel& A,
                                     const Context& context);
[[nodiscard]] Vector all_forms(const KernelBank& bank, ConstSpan a, const Context& context);

/// K(d) a
[[nodiscard]] Vector combined_product(const KernelBank& bank, ConstSpan d, ConstSpan a,
                                      const Context& context);

}  // namespace kernmix
