#pragma once
/// \file
/// The bank that keeps its kernels in memory.

#include <array>
#include <memory>
#include <vector>

#include "bank/evaluated_stack.hpp"
#include "bank/family/factor_stack.hpp"
#include "bank/packed/packed.hpp"
#include "bank/part_stack.hpp"
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
  void keep(Index kernel, const LandmarkSource& factor, bool single, const Context& context);
  /// \param kernels  their numbers here, in the order of `bank`, a bank of the samples `samples`
  void keep(std::span<const Index> kernels, std::vector<Index> samples,
            std::unique_ptr<KernelBank> bank);

  /// \param kernels  their numbers here, in the order of `stack`, which has all that are evaluated
  void keep(std::span<const Index> kernels, EvaluatedStack stack);

  /// Expected time of evaluating all kernels that are not stored.
  [[nodiscard]] double evaluation_seconds() const { return evaluated_.pass_seconds(); }

  [[nodiscard]] Index samples() const override { return n_; }
  [[nodiscard]] Index kernels() const override { return length(places_); }
  [[nodiscard]] std::size_t bytes() const override;
  [[nodiscard]] bool dense() const override;
  void block(Index m, std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override;
  [[nodiscard]] Products products(std::span<const Index> subset, const Panel& A, Reach reach,
                                  const Context& context) const override;
  [[nodiscard]] std::unique_ptr<Combined> combined(ConstSpan d) const override;
  [[nodiscard]] std::unique_ptr<KernelBank> restricted(std::span<const Index> samples,
                                                       const Context& context) const override;

 private:
  class Combination;  ///< K(d), in stored_combined.cpp

  enum Stack : std::size_t {
    in_singles,
    in_doubles,
    in_factors,
    in_parts,
    in_evaluated,
    stack_count
  };
  /// Where a kernel is kept: stacks()[stack], number `kernel` there.
  struct Place {
    std::size_t stack;
    Index kernel;
  };
  /// Those of a subset that are kept in one stack.
  struct Part {
    std::vector<Index> kernels;  ///< their numbers in the stack
    std::vector<Index> at;       ///< and in the subset
  };

  [[nodiscard]] const Place& place(Index m) const { return places_[static_cast<std::size_t>(m)]; }
  [[nodiscard]] std::array<const KernelStack*, stack_count> stacks() const {
    return {&singles_, &doubles_, &factors_, &parts_, &evaluated_};
  }
  [[nodiscard]] std::array<Part, stack_count> by_stack(std::span<const Index> subset) const;
  [[nodiscard]] Matrix forms(std::span<const Index> subset, const Panel& A,
                             const Context& context) const;
  /// Products::rows at the support of one vector, for triangles.
  [[nodiscard]] Matrix support_rows(std::size_t stack, std::span<const Index> chosen,
                                    const Panel& A, const Context& context) const;
  [[nodiscard]] Matrix rows(std::span<const Index> subset, const Panel& A, Reach reach,
                            const Context& context) const;

  Index n_;
  PackedStack<float> singles_;
  PackedStack<double> doubles_;
  FactorStack factors_;
  PartStack parts_;
  EvaluatedStack evaluated_;
  std::vector<Place> places_;
};

}  // namespace kernmix
