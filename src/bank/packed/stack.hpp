#pragma once
/// \file
/// What a StoredBank asks of kernels that are kept in one form.

#include <vector>

#include "kernmix/bank/bank.hpp"

namespace kernmix {

/// A dual vector with its support: what every bank product reads.
struct DualVector {
  explicit DualVector(ConstSpan a);

  ConstSpan dense;             ///< all n entries
  std::vector<Index> support;  ///< i with a[i] != 0, ascending
  Vector values;               ///< a[i] at the support
  bool sparse;                 ///< few enough that gathering beats reading everything

  /// The number of support indices below `i`.
  [[nodiscard]] Index below(Index i) const;
};

/// weight * K_kernel, `kernel` counted within a stack.
struct Term {
  Index kernel;
  double weight;
};

/// A rectangle of a matrix: rows [row_begin, row_end), columns [col_begin, col_end).
struct Tile {
  Index row_begin, row_end;
  Index col_begin, col_end;
  [[nodiscard]] Index rows() const { return row_end - row_begin; }
  [[nodiscard]] Index cols() const { return col_end - col_begin; }
};

/// Kernels on the same n samples, all kept in the same form. Functions of one vector or one kernel
/// have defaults by those of many.
class KernelStack {
 public:
  virtual ~KernelStack() = default;

  [[nodiscard]] virtual Index kernels() const = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;

  /// q[k] = a' K a for kernel chosen[k]; may be slightly negative.
  virtual void quadratic_forms(std::span<const Index> chosen, const DualVector& a, MutableSpan q,
                               const Context& context) const;
  /// Row k: K a for kernel chosen[k], |chosen| x n.
  [[nodiscard]] virtual Matrix products(std::span<const Index> chosen, const DualVector& a,
                                        const Context& context) const = 0;

  /// z += sum_t weight_t K_t a
  virtual void add_product(std::span<const Term> terms, const DualVector& a, MutableSpan z,
                           const Context& context) const;

  /// The same of many vectors at once, in matrix products: entry (t, k) is A_t K A_t' for kernel
  /// chosen[k], not negative.
  [[nodiscard]] virtual Matrix panel_forms(std::span<const Index> chosen, const Panel& A,
                                           const Context& context) const = 0;
  /// Z += A sum_t weight_t K_t, T x n.
  virtual void add_panel_product(std::span<const Term> terms, const Panel& A, Matrix& Z,
                                 const Context& context) const = 0;

  /// out += sum_t weight_t K_t[rows, cols], row-major |rows| x |cols|. Serial;
  /// called for many blocks at once.
  virtual void add_block(std::span<const Term> terms, std::span<const Index> rows,
                         std::span<const Index> cols, MutableSpan out) const = 0;

  /// out = K_kernel[rows, cols], row-major |rows| x |cols|. Serial.
  virtual void block(Index kernel, std::span<const Index> rows, std::span<const Index> cols,
                     MutableSpan out) const;
};

}  // namespace kernmix
