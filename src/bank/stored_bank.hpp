#pragma once
/// \file
/// The bank that keeps its kernels in memory.

#include <array>
#include <memory>
#include <vector>

#include "bank/family/factor_stack.hpp"
#include "bank/packed/packed.hpp"
#include "kernmix/bank/bank.hpp"

namespace kernmix {

class StoredBank final : public KernelBank {
 public:
  /// Every kernel must then be kept once, in any order.
  StoredBank(Index samples, Index kernels);

  void keep(Index kernel, Packed<float> matrix);
  void keep(Index kernel, Packed<double> matrix);
  /// \param single  X in single precision
  void keep(const FactorFamily& family, bool single);

  [[nodiscard]] Index samples() const override { return n_; }
  [[nodiscard]] Index kernels() const override { return length(places_); }
  [[nodiscard]] std::size_t bytes() const override;
  void quadratic_forms(ConstSpan a, MutableSpan q, const Context& context) const override;
  [[nodiscard]] Matrix forms_and_products(std::span<const Index> subset, ConstSpan a, MutableSpan q,
                                          const Context& context) const override;
  void apply(ConstSpan d, ConstSpan a, MutableSpan z, const Context& context) const override;
  void triangles(std::span<const Index> subset, std::span<const std::span<float>> out,
                 const Context& context) const override;
  [[nodiscard]] const Packed<float>* stored_triangle(Index m) const override;
  [[nodiscard]] std::vector<std::vector<float>> single_factors(
      std::span<const Index> subset, const Context& context) const override;
  void apply_each(std::span<const Index> subset, ConstSpan a, MutableSpan u,
                  const Context& context) const override;
  [[nodiscard]] Matrix panel_forms(const Matrix& A, const Context& context) const override;
  [[nodiscard]] Matrix panel_product(ConstSpan d, const Matrix& A,
                                     const Context& context) const override;
  void combine(ConstSpan d, std::span<float> out, const Context& context) const override;
  [[nodiscard]] Index columns_to_combine(Index m) const override;
  void combine_block(ConstSpan d, std::span<const Index> index, MutableSpan out,
                     const Context& context) const override;
  void combine_part(ConstSpan d, std::span<const Index> samples, std::span<float> out,
                    const Context& context) const override;
  void block(Index m, std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override;
  [[nodiscard]] std::unique_ptr<KernelBank> on_samples(std::span<const Index> samples,
                                                       const Context& context) const override;
  [[nodiscard]] Index factor_columns(ConstSpan d) const override;
  [[nodiscard]] Matrix combined_factor(ConstSpan d, const Context& context) const override;

 private:
  /// K(d) restricted to rows and columns `index`.
  template <typename T>
  void fill_block(ConstSpan d, std::span<const Index> index, std::span<T> out,
                  const Context& context) const;

  enum Stack : std::size_t { in_singles, in_doubles, in_factors, stack_count };
  /// Where a kernel is kept: stacks()[stack], number `kernel` there.
  struct Place {
    std::size_t stack;
    Index kernel;
  };
  using Terms = std::array<std::vector<Term>, stack_count>;

  [[nodiscard]] std::array<const KernelStack*, stack_count> stacks() const {
    return {&singles_, &doubles_, &factors_};
  }
  /// The kernels with d[m] != 0, sorted by stack.
  [[nodiscard]] Terms terms(ConstSpan d) const;

  Index n_;
  PackedStack<float> singles_;
  PackedStack<double> doubles_;
  FactorStack factors_;
  std::vector<Place> places_;
};

}  // namespace kernmix
