#pragma once
/// \file
/// A bank that measures what it is asked: how often, and for how long in processor seconds, of all
/// threads together.

#include <algorithm>
#include <ctime>
#include <memory>
#include <utility>

#include "kernmix/bank/plan.hpp"

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

  mutable Tally forms, product, rows, combination, part;
  mutable Index combined_kernels = 0;  ///< kernels in all combinations together
  mutable Index read = 0;              ///< kernels in all forms together

  [[nodiscard]] double seconds() const {
    return forms.seconds + product.seconds + rows.seconds + combination.seconds + part.seconds;
  }

  [[nodiscard]] Index samples() const override { return bank_.samples(); }
  [[nodiscard]] Index kernels() const override { return bank_.kernels(); }
  [[nodiscard]] std::size_t bytes() const override { return bank_.bytes(); }
  void block(Index m, std::span<const Index> of, std::span<const Index> with,
             MutableSpan out) const override {
    bank_.block(m, of, with, out);
  }
  [[nodiscard]] Products products(std::span<const Index> subset, const Panel& A, Reach reach,
                                  const Context& context) const override {
    Products result;
    const bool whole = reach == Reach::everywhere;
    (whole ? rows : forms).time([&] { result = bank_.products(subset, A, reach, context); });
    if (!whole) read += length(subset);
    return result;
  }
  [[nodiscard]] std::unique_ptr<Combined> combined(ConstSpan d) const override {
    const Index kernels = std::ranges::count_if(d, [](double weight) { return weight != 0.0; });
    return std::make_unique<TimedCombined>(*this, bank_.combined(d), kernels);
  }
  /// What is asked of the part is not measured.
  [[nodiscard]] std::unique_ptr<KernelBank> restricted(std::span<const Index> samples,
                                                       const Context& context) const override {
    return bank_.restricted(samples, context);
  }

 private:
  class TimedCombined final : public Combined {
   public:
    TimedCombined(const TimedBank& bank, std::unique_ptr<Combined> K, Index kernels)
        : bank_(bank), K_(std::move(K)), kernels_(kernels) {}
    [[nodiscard]] Index samples() const override { return K_->samples(); }
    [[nodiscard]] Matrix times(const Panel& A, const Context& context) const override {
      Matrix Z;
      bank_.product.time([&] { Z = K_->times(A, context); });
      return Z;
    }
    void matrix(std::span<const Index> on, std::span<float> out,
                const Context& context) const override {
      bank_.combination.time([&] { K_->matrix(on, out, context); });
      bank_.combined_kernels += kernels_;
    }
    void matrix(std::span<const Index> on, MutableSpan out, const Context& context) const override {
      bank_.part.time([&] { K_->matrix(on, out, context); });
    }
    [[nodiscard]] std::shared_ptr<const float[]> triangle(const Context& context) const override {
      return K_->triangle(context);  // asked for by many threads at once
    }
    [[nodiscard]] Index columns() const override { return K_->columns(); }
    [[nodiscard]] Matrix factor(const Context& context) const override {
      Matrix Z;
      bank_.part.time([&] { Z = K_->factor(context); });
      return Z;
    }

   private:
    const TimedBank& bank_;
    std::unique_ptr<Combined> K_;
    Index kernels_;
  };

  const KernelBank& bank_;
};

}  // namespace kernmix
