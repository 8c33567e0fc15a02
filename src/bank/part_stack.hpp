#pragma once
/// \file
/// Kernels that some samples lack, each kept between the others alone.

#include <memory>
#include <span>
#include <vector>

#include "bank/packed/stack.hpp"

namespace kernmix {

/// Kernels that are zero beyond their samples: those with the same samples share a bank of these.
class PartStack final : public KernelStack {
 public:
  explicit PartStack(Index samples) : n_(samples) {}

  /// All kernels of `bank`, which is of the samples `samples`, ascending.
  void append(std::vector<Index> samples, std::unique_ptr<KernelBank> bank);

  [[nodiscard]] Index kernels() const override { return length(places_); }
  [[nodiscard]] std::size_t bytes() const override;
  [[nodiscard]] Matrix products(std::span<const Index> chosen, const DualVector& a,
                                const Context& context) const override;
  [[nodiscard]] Matrix panel_forms(std::span<const Index> chosen, const Panel& A,
                                   const Context& context) const override;
  void add_panel_product(std::span<const Term> terms, const Panel& A, Matrix& Z,
                         const Context& context) const override;
  void add_block(std::span<const Term> terms, std::span<const Index> rows,
                 std::span<const Index> cols, MutableSpan out) const override;

  /// The same kernels on these samples, ascending.
  [[nodiscard]] PartStack on_samples(std::span<const Index> samples, const Context& context) const;

  /// The most columns of a factor of the weighted sum, or -1 without one.
  [[nodiscard]] Index columns(std::span<const Term> terms) const;
  /// Z, n x r, with the weighted sum Z Z'.
  [[nodiscard]] Matrix factor(std::span<const Term> terms, const Context& context) const;

 private:
  struct Part {
    std::vector<Index> samples;
    std::unique_ptr<KernelBank> bank;
  };
  struct Place {
    std::size_t part;
    Index kernel;  ///< in the bank of the part
  };
  /// Calls body(part, weights of the kernels of its bank) for every part with a term.
  template <typename Body>
  void for_parts(std::span<const Term> terms, const Body& body) const;
  /// Calls body(part, kernels of its bank, where these stand in `chosen`).
  template <typename Body>
  void for_chosen(std::span<const Index> chosen, const Body& body) const;

  Index n_;
  std::vector<Part> parts_;
  std::vector<Place> places_;
};

}  // namespace kernmix
