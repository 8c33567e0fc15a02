#pragma once
/// \file
/// A bank that measures what it is asked: how often, and for how long in processor seconds, of all
/// threads together.

#include <ctime>

#include "kernmix/bank/bank.hpp"

namespace kernmix {

struct Tally {
  int calls = 0;
  double seconds = 0.0;

  template <typename Work>
  void time(const Work& work) {
    const std::clock_t start = std::clock();
    work();
    seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    ++calls;
  }
};

class TimedBank final : public KernelBank {
 public:
  explicit TimedBank(const KernelBank& bank) : bank_(bank) {}

  mutable Tally forms, product, products, combination, part;
  mutable Index combined = 0;  ///< kernels in all combinations together
  mutable Index read = 0;      ///< kernels in all forms together

  [[nodiscard]] double seconds() const {
    return forms.seconds + product.seconds + products.seconds + combination.seconds + part.seconds;
  }

  [[nodiscard]] Index samples() const override { return bank_.samples(); }
  [[nodiscard]] Index kernels() const override { return bank_.kernels(); }
  [[nodiscard]] std::size_t bytes() const override { return bank_.bytes(); }
  void quadratic_forms(ConstSpan a, MutableSpan q, const Context& context) const override {
    forms.time([&] { bank_.quadratic_forms(a, q, context); });
    read += kernels();
  }
  [[nodiscard]] Matrix forms_and_products(std::span<const Index> subset, ConstSpan a, MutableSpan q,
                                          const Context& context) const override {
    Matrix U;
    forms.time([&] { U = bank_.forms_and_products(subset, a, q, context); });
    read += length(subset);
    return U;
  }
  void apply(ConstSpan d, ConstSpan a, MutableSpan z, const Context& context) const override {
    product.time([&] { bank_.apply(d, a, z, context); });
  }
  void apply_each(std::span<const Index> subset, ConstSpan a, MutableSpan u,
                  const Context& context) const override {
    products.time([&] { bank_.apply_each(subset, a, u, context); });
  }
  void triangles(std::span<const Index> subset, std::span<const std::span<float>> out,
                 const Context& context) const override {
    part.time([&] { bank_.triangles(subset, out, context); });
  }
  /// What is asked of the part is not measured.
  [[nodiscard]] std::unique_ptr<KernelBank> on_samples(std::span<const Index> samples,
                                                       const Context& context) const override {
    return bank_.on_samples(samples, context);
  }
  void combine(ConstSpan d, std::span<float> out, const Context& context) const override {
    combination.time([&] { bank_.combine(d, out, context); });
    for (const double weight : d) combined += weight != 0.0 ? 1 : 0;
  }
  void combine_block(ConstSpan d, std::span<const Index> index, MutableSpan out,
                     const Context& context) const override {
    part.time([&] { bank_.combine_block(d, index, out, context); });
  }
  void combine_part(ConstSpan d, std::span<const Index> samples, std::span<float> out,
                    const Context& context) const override {
    combination.time([&] { bank_.combine_part(d, samples, out, context); });
    for (const double weight : d) combined += weight != 0.0 ? 1 : 0;
  }
  [[nodiscard]] const Packed<float>* stored_triangle(Index m) const override {
    return bank_.stored_triangle(m);
  }
  void block(Index m, std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override {
    bank_.block(m, rows, cols, out);
  }

 private:
  const KernelBank& bank_;
};

}  // namespace kernmix
