#include "bank/stored_bank.hpp"

#include <algorithm>
#include <utility>

#include "bank/packed/panel.hpp"
#include "bank/reference/entries.hpp"
#include "base/blas_threads.hpp"

namespace kernmix {
namespace {

/// Whether reading each vector's own rows and columns, entry by entry, takes less than all of them
/// in matrix products, which do some sixteen times as many operations a second.
bool read_at_supports(const Panel& A) {
  constexpr double kProducts = 16.0;
  double entries = 0.0;
  for (Index t = 0; t < A.rows; ++t) {
    const auto support = static_cast<double>(
        std::ranges::count_if(A.row(t), [](double value) { return value != 0.0; }));
    entries += support * support;
  }
  const auto n = static_cast<double>(A.cols);
  return kProducts * entries < static_cast<double>(A.rows) * n * n;
}

/// T x |chosen|
Matrix forms_one_by_one(const KernelStack& stack, std::span<const Index> chosen, const Panel& A,
                        const Context& context) {
  Matrix Q(A.rows, length(chosen));
  for (Index t = 0; t < A.rows; ++t) {
    stack.quadratic_forms(chosen, DualVector(A.row(t)), Q.row(t), context);
  }
  return Q;
}

/// Row k T + t: K a_t, K the kernel chosen[k].
Matrix panel_rows(const KernelStack& stack, std::span<const Index> chosen, const Panel& A,
                  const Context& context) {
  if (A.rows == 1) return stack.products(chosen, DualVector(A.row(0)), context);
  Matrix U(length(chosen) * A.rows, A.cols);
  for (Index t = 0; A.rows < few_vectors && t < A.rows; ++t) {
    const Matrix one = stack.products(chosen, DualVector(A.row(t)), context);
    for (Index k = 0; k < one.rows; ++k) {
      std::ranges::copy(one.row(k), U.row(k * A.rows + t).begin());
    }
  }
  for (Index k = 0; A.rows >= few_vectors && k < length(chosen); ++k) {
    const Term term{chosen[static_cast<std::size_t>(k)], 1.0};
    Matrix Z(A.rows, A.cols);
    stack.add_panel_product({&term, 1}, A, Z, context);
    std::ranges::copy(Z.values, U.row(k * A.rows).begin());
  }
  return U;
}

}  // namespace

StoredBank::StoredBank(Index samples, Index kernels)
    : n_(samples),
      singles_(samples),
      doubles_(samples),
      factors_(samples),
      parts_(samples),
      evaluated_(samples),
      places_(static_cast<std::size_t>(kernels)) {}

void StoredBank::keep(Index kernel, Packed<float> matrix) {
  places_[static_cast<std::size_t>(kernel)] = {in_singles, singles_.kernels()};
  singles_.append(std::move(matrix));
}

void StoredBank::keep(Index kernel, Packed<double> matrix) {
  places_[static_cast<std::size_t>(kernel)] = {in_doubles, doubles_.kernels()};
  doubles_.append(std::move(matrix));
}

void StoredBank::keep(const FactorFamily& family, bool single) {
  Index at = factors_.kernels();
  for (const Index kernel : family.kernels) {
    places_[static_cast<std::size_t>(kernel)] = {in_factors, at++};
  }
  factors_.append(family, single);
}

void StoredBank::keep(Index kernel, const LandmarkSource& factor, bool single,
                      const Context& context) {
  places_[static_cast<std::size_t>(kernel)] = {in_factors, factors_.kernels()};
  factors_.append(factor, single, context);
}

void StoredBank::keep(std::span<const Index> kernels, std::vector<Index> samples,
                      std::unique_ptr<KernelBank> bank) {
  Index at = parts_.kernels();
  for (const Index kernel : kernels) places_[static_cast<std::size_t>(kernel)] = {in_parts, at++};
  parts_.append(std::move(samples), std::move(bank));
}

void StoredBank::keep(std::span<const Index> kernels, EvaluatedStack stack) {
  for (Index k = 0; k < length(kernels); ++k)
    places_[to_size(kernels[to_size(k)])] = {in_evaluated, k};
  evaluated_ = std::move(stack);
}

std::size_t StoredBank::bytes() const {
  return singles_.bytes() + doubles_.bytes() + factors_.bytes() + parts_.bytes() +
         evaluated_.bytes();
}

bool StoredBank::dense() const { return evaluated_.kernels() > 0 || KernelBank::dense(); }

std::array<StoredBank::Part, StoredBank::stack_count> StoredBank::by_stack(
    std::span<const Index> subset) const {
  std::array<Part, stack_count> result;
  for (Index k = 0; k < length(subset); ++k) {
    const Place& kept = place(subset[static_cast<std::size_t>(k)]);
    result[kept.stack].kernels.push_back(kept.kernel);
    result[kept.stack].at.push_back(k);
  }
  return result;
}

Matrix StoredBank::forms(std::span<const Index> subset, const Panel& A,
                         const Context& context) const {
  const SerialBlas serial;
  const std::array<Part, stack_count> all = by_stack(subset);
  const bool few = A.rows < few_vectors;
  const bool at_supports = few || read_at_supports(A);
  Matrix Q(A.rows, length(subset));
  for (std::size_t s = 0; s < stack_count; ++s) {
    const bool dense = s == in_singles || s == in_doubles;
    const bool one_by_one = s != in_evaluated && (dense ? at_supports : few);
    const std::vector<Index>& chosen = all[s].kernels;
    if (chosen.empty()) continue;
    const Matrix part = one_by_one ? forms_one_by_one(*stacks()[s], chosen, A, context)
                                   : stacks()[s]->panel_forms(chosen, A, context);
    for (Index t = 0; t < A.rows; ++t) {
      for (Index k = 0; k < part.cols; ++k) {
        Q(t, all[s].at[static_cast<std::size_t>(k)]) = std::max(part(t, k), 0.0);
      }
    }
  }
  return Q;
}

Matrix StoredBank::support_rows(std::size_t stack, std::span<const Index> chosen, const Panel& A,
                                const Context& context) const {
  const DualVector a(A.row(0));
  return stack == in_singles ? singles_.support_products(chosen, a, context)
                             : doubles_.support_products(chosen, a, context);
}

Matrix StoredBank::rows(std::span<const Index> subset, const Panel& A, Reach reach,
                        const Context& context) const {
  const std::array<Part, stack_count> all = by_stack(subset);
  const bool at_support = reach == Reach::support;
  // Only dense kernels have these from the entries that forms read, and only for one vector.
  if (at_support && (A.rows != 1 || factors_.kernels() > 0 || parts_.kernels() > 0)) return {};
  if (reach == Reach::forms) return {};
  const SerialBlas serial;
  Matrix U;
  for (std::size_t s = 0; s < stack_count; ++s) {
    const Part& part = all[s];
    if (part.kernels.empty()) continue;
    Matrix own = s == in_evaluated ? evaluated_.rows(part.kernels, A, reach, context)
                 : at_support      ? support_rows(s, part.kernels, A, context)
                                   : panel_rows(*stacks()[s], part.kernels, A, context);
    if (part.kernels.size() == subset.size()) return own;
    if (U.rows == 0) U = Matrix(length(subset) * A.rows, own.cols);
    for (Index r = 0; r < own.rows; ++r) {
      const Index k = part.at[static_cast<std::size_t>(r / A.rows)];
      std::ranges::copy(own.row(r), U.row(k * A.rows + r % A.rows).begin());
    }
  }
  return U;
}

Products StoredBank::products(std::span<const Index> subset, const Panel& A, Reach reach,
                              const Context& context) const {
  Matrix U = rows(subset, A, reach, context);
  Matrix Q = U.rows == 0                  ? forms(subset, A, context)
             : reach == Reach::everywhere ? forms_of_rows(U, A)
                                          : forms_of_rows(U, DualVector(A.row(0)).values);
  return {std::move(Q), std::move(U)};
}

std::unique_ptr<KernelBank> StoredBank::restricted(std::span<const Index> samples,
                                                   const Context& context) const {
  auto part = std::make_unique<StoredBank>(length(samples), kernels());
  part->singles_ = singles_.on_samples(samples, context);
  part->doubles_ = doubles_.on_samples(samples, context);
  part->factors_ = factors_.on_samples(samples, context);
  part->parts_ = parts_.on_samples(samples, context);
  part->evaluated_ = evaluated_.on_samples(samples);
  part->places_ = places_;
  return part;
}

void StoredBank::block(Index m, std::span<const Index> rows, std::span<const Index> cols,
                       MutableSpan out) const {
  stacks()[place(m).stack]->block(place(m).kernel, rows, cols, out);
}

}  // namespace kernmix
