#pragma once
/// \file
/// Dense kernels that do not fit in memory: they are evaluated, or read from their file, anew in
/// each pass.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bank/packed/pack.hpp"
#include "bank/packed/stack.hpp"

namespace kernmix {

class StoredBank;

/// Memory for kernels that are evaluated anew.
struct EvaluationRoom {
  std::size_t batch_bytes = 0;  ///< triangles that a pass evaluates at a time
  std::size_t held_bytes = 0;   ///< triangles of kernels with weight, which stay in memory
};

/// A pass evaluates batches of kernels into triangles, the same as a StoredBank keeps, and drops
/// them. Kernels with weight, from which K(d) is made, are kept until others take their place.
///
/// Passes end with a ResourceError when the caller stops them or the deadline is over by more than
/// the measured time of a pass: solvers stop between passes, and the last one may end.
class EvaluatedStack final : public KernelStack {
 public:
  explicit EvaluatedStack(Index samples);
  /// \param names  one name per kernel, for error messages
  EvaluatedStack(std::vector<KernelSourcePtr> sources, std::vector<std::string> names,
                 const BankOptions& options, const EvaluationRoom& room);

  [[nodiscard]] Index kernels() const override { return length(sources_); }
  /// The memory for a batch and for kernels with weight.
  [[nodiscard]] std::size_t bytes() const override;
  [[nodiscard]] Matrix products(std::span<const Index> chosen, const DualVector& a,
                                const Context& context) const override;
  [[nodiscard]] Matrix panel_forms(std::span<const Index> chosen, const Panel& A,
                                   const Context& context) const override;
  void add_panel_product(std::span<const Term> terms, const Panel& A, Matrix& Z,
                         const Context& context) const override;
  void add_block(std::span<const Term> terms, std::span<const Index> rows,
                 std::span<const Index> cols, MutableSpan out) const override;

  /// Products::rows of all vectors, from one evaluation of each kernel.
  [[nodiscard]] Matrix rows(std::span<const Index> chosen, const Panel& A, Reach reach,
                            const Context& context) const;

  /// Kernels with weight in memory.
  struct Held {
    std::shared_ptr<const StoredBank> bank;  ///< null where they do not fit
    std::vector<Term> terms;                 ///< their numbers in `bank`
  };
  [[nodiscard]] Held held(std::span<const Term> terms, const Context& context) const;

  /// Evaluates one batch, from which pass_seconds() follows.
  void measure(const Context& context);
  /// Expected time of a pass over all kernels; 0 before measure().
  [[nodiscard]] double pass_seconds() const { return pass_seconds_; }

  /// The same kernels on these samples, ascending.
  [[nodiscard]] EvaluatedStack on_samples(std::span<const Index> samples) const;

 private:
  struct Cache;

  /// The context of a pass: without progress, with a later deadline.
  [[nodiscard]] Context of_pass(const Context& context) const;
  /// At least one.
  [[nodiscard]] Index triangles_in(std::size_t bytes) const;
  /// The kernels `chosen` as a bank, with those of the cache.
  [[nodiscard]] std::shared_ptr<StoredBank> evaluated(std::span<const Index> chosen,
                                                      const Context& context) const;
  /// Calls body(bank, first): `bank` has chosen[first], chosen[first + 1], ...
  template <typename Body>
  void for_batches(std::span<const Index> chosen, const Context& context, const Body& body) const;

  Index n_;
  std::vector<KernelSourcePtr> sources_;
  std::vector<std::string> names_;
  BankOptions options_;
  EvaluationRoom room_;
  std::shared_ptr<Cache> cache_;
  double pass_seconds_ = 0.0;
};

}  // namespace kernmix
