#pragma once
/// \file
/// A bank that asks another one: for tests that count or hide something of it.

#include "kernmix/bank/bank.hpp"

namespace kernmix::testing {

class ForwardingBank : public KernelBank {
 public:
  /// `bank` must outlive it.
  explicit ForwardingBank(const KernelBank& bank) : bank_(bank) {}

  [[nodiscard]] Index samples() const override { return bank_.samples(); }
  [[nodiscard]] Index kernels() const override { return bank_.kernels(); }
  [[nodiscard]] std::size_t bytes() const override { return bank_.bytes(); }
  void quadratic_forms(ConstSpan a, MutableSpan q, const Context& context) const override {
    bank_.quadratic_forms(a, q, context);
  }
  [[nodiscard]] Matrix forms_and_products(std::span<const Index> subset, ConstSpan a, MutableSpan q,
                                          const Context& context) const override {
    return bank_.forms_and_products(subset, a, q, context);
  }
  void apply(ConstSpan d, ConstSpan a, MutableSpan z, const Context& context) const override {
    bank_.apply(d, a, z, context);
  }
  void apply_each(std::span<const Index> subset, ConstSpan a, MutableSpan u,
                  const Context& context) const override {
    bank_.apply_each(subset, a, u, context);
  }
  void combine(ConstSpan d, std::span<float> out, const Context& context) const override {
    bank_.combine(d, out, context);
  }
  void combine_block(ConstSpan d, std::span<const Index> index, MutableSpan out,
                     const Context& context) const override {
    bank_.combine_block(d, index, out, context);
  }
  void combine_part(ConstSpan d, std::span<const Index> samples, std::span<float> out,
                    const Context& context) const override {
    bank_.combine_part(d, samples, out, context);
  }
  void triangles(std::span<const Index> subset, std::span<const std::span<float>> out,
                 const Context& context) const override {
    bank_.triangles(subset, out, context);
  }
  [[nodiscard]] const Packed<float>* stored_triangle(Index m) const override {
    return bank_.stored_triangle(m);
  }
  [[nodiscard]] Index columns_to_combine(Index m) const override {
    return bank_.columns_to_combine(m);
  }
  [[nodiscard]] Index factor_columns(ConstSpan d) const override { return bank_.factor_columns(d); }
  void block(Index m, std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override {
    bank_.block(m, rows, cols, out);
  }

 protected:
  [[nodiscard]] const KernelBank& bank() const { return bank_; }

 private:
  const KernelBank& bank_;
};

}  // namespace kernmix::testing
