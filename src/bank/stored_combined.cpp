/// \file
/// K(d) of stored kernels: triangles are added up, factors of a family become one factor.

#include <algorithm>
#include <array>
#include <vector>

#include "bank/family/combined_factor.hpp"
#include "bank/packed/panel.hpp"
#include "bank/packed/tiles.hpp"
#include "bank/stored_bank.hpp"
#include "base/blas_threads.hpp"
#include "base/linear_algebra.hpp"
#include "base/samples.hpp"

namespace kernmix {

class StoredBank::Combination final : public Combined {
 public:
  Combination(const StoredBank& bank, ConstSpan d) : bank_(bank) {
    for (std::size_t m = 0; m < d.size(); ++m) {
      const Place& kept = bank.places_[m];
      if (d[m] != 0.0) terms_[kept.stack].push_back({kept.kernel, d[m]});
    }
  }

  [[nodiscard]] Index samples() const override { return bank_.n_; }
  [[nodiscard]] Matrix times(const Panel& A, const Context& context) const override;
  void matrix(std::span<const Index> on, std::span<float> out,
              const Context& context) const override;
  void matrix(std::span<const Index> on, MutableSpan out, const Context& context) const override {
    fill_block(on, out, context);
  }
  [[nodiscard]] std::shared_ptr<const float[]> triangle(const Context& context) const override;
  [[nodiscard]] Index columns() const override;
  [[nodiscard]] Matrix factor(const Context& context) const override;
  [[nodiscard]] std::vector<StoredColumns> stored_columns() const override {
    if (columns() != bank_.factors_.columns(terms_[in_factors])) return {};
    return bank_.factors_.stored_columns(terms_[in_factors]);
  }

 private:
  template <typename T>
  void fill_block(std::span<const Index> on, std::span<T> out, const Context& context) const;
  /// Calls add(stack, terms) for the triangles in memory, those that are held last.
  template <typename Add>
  void for_triangles(const EvaluatedStack::Held& held, const Add& add) const {
    add(bank_.singles_, terms_[in_singles]);
    add(bank_.doubles_, terms_[in_doubles]);
    if (held.bank == nullptr) return;
    if (held.bank->singles_.kernels() > 0) add(held.bank->singles_, held.terms);
    if (held.bank->doubles_.kernels() > 0) add(held.bank->doubles_, held.terms);
  }
  /// Kernels that some samples lack, and evaluated ones that do not fit in memory.
  void add_others(std::span<const Index> on, const Tile& tile, const EvaluatedStack::Held& held,
                  MutableSpan sum) const;
  /// The one kernel with weight 1, or none.
  [[nodiscard]] const Term* single(Stack stack) const;

  const StoredBank& bank_;
  std::array<std::vector<Term>, stack_count> terms_;  ///< the kernels with d_m != 0, by stack
};

void StoredBank::Combination::add_others(std::span<const Index> on, const Tile& tile,
                                         const EvaluatedStack::Held& held, MutableSpan sum) const {
  const auto rows = slice(on, tile.row_begin, tile.row_end);
  const auto cols = slice(on, tile.col_begin, tile.col_end);
  if (!terms_[in_parts].empty()) bank_.parts_.add_block(terms_[in_parts], rows, cols, sum);
  if (terms_[in_evaluated].empty() || held.bank != nullptr) return;
  bank_.evaluated_.add_block(terms_[in_evaluated], rows, cols, sum);
}

std::unique_ptr<Combined> StoredBank::combined(ConstSpan d) const {
  return std::make_unique<Combination>(*this, d);
}

Matrix StoredBank::Combination::times(const Panel& A, const Context& context) const {
  const SerialBlas serial;
  Matrix Z(A.rows, samples());
  for (std::size_t s = 0; s < stack_count; ++s) {
    if (terms_[s].empty()) continue;
    const KernelStack& stack = *bank_.stacks()[s];
    if (A.rows >= few_vectors) {
      stack.add_panel_product(terms_[s], A, Z, context);
      continue;
    }
    for (Index t = 0; t < A.rows; ++t) {
      stack.add_product(terms_[s], DualVector(A.row(t)), Z.row(t), context);
    }
  }
  return Z;
}

void StoredBank::Combination::matrix(std::span<const Index> on, std::span<float> out,
                                     const Context& context) const {
  if (!std::ranges::equal(on, all_samples(samples()))) return fill_block(on, out, context);
  const SerialBlas serial;
  const WeightedFactor W = bank_.factors_.combined(terms_[in_factors], context);
  const std::vector<Index> all = all_samples(samples());
  const EvaluatedStack::Held held = bank_.evaluated_.held(terms_[in_evaluated], context);
  fill_symmetric(samples(), out, context, [&](const Tile& tile, MutableSpan sum) {
    for_triangles(held, [&](const auto& stack, std::span<const Term> terms) {
      stack.add_tile(terms, tile, sum);
    });
    W.add_tile(tile, sum);
    add_others(all, tile, held, sum);
  });
}

template <typename T>
void StoredBank::Combination::fill_block(std::span<const Index> on, std::span<T> out,
                                         const Context& context) const {
  const SerialBlas serial;
  const Matrix Z = bank_.factors_.combined(terms_[in_factors], on, context);
  const bool everything = std::ranges::equal(on, all_samples(samples()));
  const bool ascending = std::ranges::is_sorted(on);
  const auto add_entries = [&](const auto& stack, std::span<const Term> terms, const Tile& tile,
                               MutableSpan sum) {
    if (everything) return stack.add_tile(terms, tile, sum);  // rows as they lie in memory
    const auto rows = slice(on, tile.row_begin, tile.row_end);
    const auto cols = slice(on, tile.col_begin, tile.col_end);
    if (ascending) return stack.add_lower_block(terms, rows, cols, sum);
    stack.add_block(terms, rows, cols, sum);
  };
  const EvaluatedStack::Held held = bank_.evaluated_.held(terms_[in_evaluated], context);
  fill_symmetric(length(on), out, context, [&](const Tile& tile, MutableSpan sum) {
    for_triangles(held, [&](const auto& stack, std::span<const Term> terms) {
      add_entries(stack, terms, tile, sum);
    });
    add_others(on, tile, held, sum);
    if (Z.cols == 0) return;
    Eigen::Map<RowMatrix>(sum.data(), tile.rows(), tile.cols()).noalias() +=
        as_matrix(Z).middleRows(tile.row_begin, tile.rows()) *
        as_matrix(Z).middleRows(tile.col_begin, tile.cols()).transpose();
  });
}

const Term* StoredBank::Combination::single(Stack stack) const {
  std::size_t count = 0;
  for (const std::vector<Term>& terms : terms_) count += terms.size();
  const bool alone = count == 1 && !terms_[stack].empty() && terms_[stack].front().weight == 1.0;
  return alone ? &terms_[stack].front() : nullptr;
}

std::shared_ptr<const float[]> StoredBank::Combination::triangle(const Context& context) const {
  if (const Term* term = single(in_singles)) return bank_.singles_.matrix(term->kernel).values;
  const Term* term = single(in_factors);
  if (term == nullptr) return Combined::triangle(context);
  const SerialBlas serial;
  const auto size = static_cast<std::size_t>(packed_size(samples()));
  std::shared_ptr<float[]> entries = huge_array<float>(size);
  pack_product(bank_.factors_.transposed_factor(term->kernel), samples(), {entries.get(), size});
  return entries;
}

Index StoredBank::Combination::columns() const {
  const bool dense = !terms_[in_singles].empty() || !terms_[in_doubles].empty();
  if (dense || !terms_[in_evaluated].empty()) return -1;
  const Index of_parts = bank_.parts_.columns(terms_[in_parts]);
  return of_parts < 0 ? -1 : of_parts + bank_.factors_.columns(terms_[in_factors]);
}

Matrix StoredBank::Combination::factor(const Context& context) const {
  const SerialBlas serial;
  Matrix Z = bank_.factors_.shortest(terms_[in_factors], context);
  if (terms_[in_parts].empty()) {
    if (bank_.factors_.share_bases(terms_[in_factors])) return Z;
    return compressed(std::move(Z), context);
  }
  const Matrix of_parts = bank_.parts_.factor(terms_[in_parts], context);
  Matrix both(samples(), Z.cols + of_parts.cols);
  if (Z.cols > 0) as_matrix(both).leftCols(Z.cols) = as_matrix(std::as_const(Z));
  as_matrix(both).rightCols(of_parts.cols) = as_matrix(of_parts);
  return compressed(std::move(both), context);
}

}  // namespace kernmix
