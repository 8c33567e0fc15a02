#pragma once
/// \file
/// A bank that asks another one: for tests that count or hide something of it.

#include <memory>
#include <utility>

#include "kernmix/bank/bank.hpp"

namespace kernmix::testing {

class ForwardingCombined : public Combined {
 public:
  explicit ForwardingCombined(std::unique_ptr<Combined> other) : other_(std::move(other)) {}

  [[nodiscard]] Index samples() const override { return other_->samples(); }
  [[nodiscard]] Matrix times(const Panel& A, const Context& context) const override {
    return other_->times(A, context);
  }
  void matrix(std::span<const Index> on, std::span<float> out,
              const Context& context) const override {
    other_->matrix(on, out, context);
  }
  void matrix(std::span<const Index> on, MutableSpan out, const Context& context) const override {
    other_->matrix(on, out, context);
  }
  [[nodiscard]] std::shared_ptr<const float[]> triangle(const Context& context) const override {
    return other_->triangle(context);
  }
  [[nodiscard]] Index columns() const override { return other_->columns(); }
  [[nodiscard]] Matrix factor(const Context& context) const override {
    return other_->factor(context);
  }

 private:
  std::unique_ptr<Combined> other_;
};

class ForwardingBank : public KernelBank {
 public:
  /// `bank` must outlive it.
  explicit ForwardingBank(const KernelBank& bank) : bank_(bank) {}

  [[nodiscard]] Index samples() const override { return bank_.samples(); }
  [[nodiscard]] Index kernels() const override { return bank_.kernels(); }
  [[nodiscard]] std::size_t bytes() const override { return bank_.bytes(); }
  void block(Index m, std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override {
    bank_.block(m, rows, cols, out);
  }
  [[nodiscard]] Products products(std::span<const Index> subset, const Panel& A, Reach reach,
                                  const Context& context) const override {
    return bank_.products(subset, A, reach, context);
  }
  [[nodiscard]] std::unique_ptr<Combined> combined(ConstSpan d) const override {
    return bank_.combined(d);
  }
  [[nodiscard]] std::unique_ptr<KernelBank> restricted(std::span<const Index> samples,
                                                       const Context& context) const override {
    return bank_.restricted(samples, context);
  }

 protected:
  [[nodiscard]] const KernelBank& bank() const { return bank_; }

 private:
  const KernelBank& bank_;
};

}  // namespace kernmix::testing
