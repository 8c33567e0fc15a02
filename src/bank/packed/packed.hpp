#pragma once
/// \file
/// Symmetric matrices as lower triangles, packed by rows.

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bank/packed/stack.hpp"
#include "base/memory/huge_pages.hpp"
#include "kernmix/bank/triangle_cache.hpp"

namespace kernmix {

/// The lower triangle of a symmetric n x n matrix: row i is contiguous and holds columns 0 .. i.
template <typename T>
struct Packed {
  explicit Packed(Index samples) : Packed(std::move(several(samples, 1).front())) {}

  /// `count` triangles in one piece of memory, which lives as long as any of them.
  [[nodiscard]] static std::vector<Packed> several(Index samples, Index count) {
    const auto memory = huge_array<T>(static_cast<std::size_t>(count * packed_size(samples)));
    std::vector<Packed> triangles;
    for (Index k = 0; k < count; ++k) {
      triangles.push_back(Packed(samples, {memory, memory.get() + k * packed_size(samples)}));
    }
    return triangles;
  }

  [[nodiscard]] T* row(Index i) { return values.get() + packed_size(i); }
  [[nodiscard]] const T* row(Index i) const { return values.get() + packed_size(i); }
  [[nodiscard]] double at(Index i, Index j) const {
    return static_cast<double>(i >= j ? row(i)[j] : row(j)[i]);
  }

  Packed(Index samples, std::shared_ptr<T[]> memory) : n(samples), values(std::move(memory)) {}

  Index n;
  std::shared_ptr<T[]> values;
};

/// out = the lower triangle of L L', packed by rows, where L' is r x n row-major. Serial.
void pack_product(std::span<const float> transposed, Index n, std::span<float> out);

/// Rows cut into blocks that hold about the same number of packed entries.
[[nodiscard]] std::vector<Index> packed_row_bounds(Index n);

template <typename T>
class PackedStack final : public KernelStack {
 public:
  explicit PackedStack(Index samples) : n_(samples), bounds_(packed_row_bounds(samples)) {}

  void append(Packed<T> matrix) { matrices_.push_back(std::move(matrix)); }

  [[nodiscard]] const Packed<T>& matrix(Index kernel) const {
    return matrices_[static_cast<std::size_t>(kernel)];
  }
  [[nodiscard]] Index kernels() const override { return length(matrices_); }
  [[nodiscard]] std::size_t bytes() const override {
    return matrices_.size() * static_cast<std::size_t>(packed_size(n_)) * sizeof(T);
  }
  void quadratic_forms(std::span<const Index> chosen, const DualVector& a, MutableSpan q,
                       const Context& context) const override;
  [[nodiscard]] Matrix products(std::span<const Index> chosen, const DualVector& a,
                                const Context& context) const override;
  void add_product(std::span<const Term> terms, const DualVector& a, MutableSpan z,
                   const Context& context) const override;
  [[nodiscard]] Matrix panel_forms(std::span<const Index> chosen, const Panel& A,
                                   const Context& context) const override;
  void add_panel_product(std::span<const Term> terms, const Panel& A, Matrix& Z,
                         const Context& context) const override;
  void add_block(std::span<const Term> terms, std::span<const Index> rows,
                 std::span<const Index> cols, MutableSpan out) const override;
  void block(Index kernel, std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override;

  /// The same matrices on these rows and columns, ascending.
  [[nodiscard]] PackedStack on_samples(std::span<const Index> samples,
                                       const Context& context) const;

  /// Row k: K a at the support of a for kernel chosen[k]. Reads what quadratic_forms reads.
  [[nodiscard]] Matrix support_products(std::span<const Index> chosen, const DualVector& a,
                                        const Context& context) const;

  /// add_block() for rows and columns of one ascending list, where entries with column > row are
  /// not needed: whole rows are added up, and what is wanted picked from the sum.
  void add_lower_block(std::span<const Term> terms, std::span<const Index> rows,
                       std::span<const Index> cols, MutableSpan out) const;

  /// out += sum_t weight_t K_t at `tile`, row-major tile.rows() x tile.cols(), at and below the
  /// diagonal only. Serial.
  void add_tile(std::span<const Term> terms, const Tile& tile, MutableSpan out) const;

 private:
  /// Row k < count is the sum over all rows of kernel k, which add(k, begin, end, sum) adds up.
  template <typename AddPart>
  [[nodiscard]] Matrix sums_over_rows(Index count, Index columns, const Context& context,
                                      const AddPart& add) const;

  /// The part of a' K a that rows [begin, end) of the lower triangle contribute.
  [[nodiscard]] double quadratic_part(const Packed<T>& K, const DualVector& a, Index begin,
                                      Index end) const;
  /// z += weight times the part of K a from rows [begin, end) of the lower triangle.
  void product_part(const Packed<T>& K, double weight, const DualVector& a, Index begin, Index end,
                    double* z) const;
  /// The same where few samples have a != 0.
  void sparse_product_part(const Packed<T>& K, double weight, const DualVector& a, Index begin,
                           Index end, double* z) const;

  /// u += the part of (K a) at the support from rows [begin, end) of the lower triangle.
  void support_part(const Packed<T>& K, const DualVector& a, Index begin, Index end,
                    MutableSpan u) const;

  Index n_;
  std::vector<Index> bounds_;
  std::vector<Packed<T>> matrices_;
};

extern template class PackedStack<float>;
extern template class PackedStack<double>;

}  // namespace kernmix
