#include "bank/packed/panel.hpp"

#include <algorithm>

#include "bank/stored_bank.hpp"
#include "base/blas_threads.hpp"

namespace kernmix {
namespace {

/// A few vectors one by one are faster than by tiles of kernels in double precision.
constexpr Index few_vectors = 4;

std::vector<Index> numbers_from(Index begin, Index end) {
  std::vector<Index> numbers;
  for (Index i = begin; i < end; ++i) numbers.push_back(i);
  return numbers;
}

/// entries += weight K_m at `tile`, at and below the diagonal, of kernels that answer block() only.
void add_block_tile(const KernelBank& bank, Index m, double weight, const Tile& tile,
                    MutableSpan entries) {
  Vector block(entries.size());
  bank.block(m, numbers_from(tile.row_begin, tile.row_end),
             numbers_from(tile.col_begin, tile.col_end), block);
  for (Index i = 0; i < tile.rows(); ++i) {
    const Index end = std::min(tile.row_begin + i + 1, tile.col_end) - tile.col_begin;
    for (Index at = i * tile.cols(); at < i * tile.cols() + end; ++at) {
      entries[static_cast<std::size_t>(at)] += weight * block[static_cast<std::size_t>(at)];
    }
  }
}

/// Row t of a T x n matrix by a function of row t of A.
template <typename Body>
Matrix row_by_row(const Matrix& A, Index columns, const Body& body) {
  Matrix result(A.rows, columns);
  for (Index t = 0; t < A.rows; ++t) body(A.row(t), result.row(t));
  return result;
}

/// Whether reading each vector's own rows and columns, entry by entry, takes less than all of them
/// in matrix products, which do some sixteen times as many operations a second.
bool read_at_supports(const Matrix& A) {
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

template <typename Stack>
Matrix forms_at_supports(const Stack& stack, const Matrix& A, const Context& context) {
  return row_by_row(A, stack.kernels(), [&](ConstSpan a, MutableSpan q) {
    stack.quadratic_forms(DualVector(a), q, context);
    for (double& value : q) value = std::max(value, 0.0);
  });
}

}  // namespace

Matrix KernelBank::panel_forms(const Matrix& A, const Context& context) const {
  if (A.rows < few_vectors) {
    return row_by_row(A, kernels(),
                      [&](ConstSpan a, MutableSpan q) { quadratic_forms(a, q, context); });
  }
  const SerialBlas serial;
  return panel_forms_of(samples(), kernels(), A, context,
                        [&](Index m, const Tile& tile, MutableSpan entries) {
                          add_block_tile(*this, m, 1.0, tile, entries);
                        });
}

Matrix KernelBank::panel_product(ConstSpan d, const Matrix& A, const Context& context) const {
  if (A.rows < few_vectors) {
    return row_by_row(A, samples(), [&](ConstSpan a, MutableSpan z) { apply(d, a, z, context); });
  }
  const SerialBlas serial;
  return panel_product_of(samples(), A, context, [&](const Tile& tile, MutableSpan entries) {
    for (Index m = 0; m < kernels(); ++m) {
      const double weight = d[static_cast<std::size_t>(m)];
      if (weight != 0.0) add_block_tile(*this, m, weight, tile, entries);
    }
  });
}

Matrix StoredBank::panel_forms(const Matrix& A, const Context& context) const {
  if (A.rows < few_vectors) return KernelBank::panel_forms(A, context);
  const SerialBlas serial;
  const bool at_supports = read_at_supports(A);
  const auto forms_of = [&](const auto& stack) {
    if (at_supports) return forms_at_supports(stack, A, context);
    return panel_forms_of(n_, stack.kernels(), A, context,
                          [&](Index k, const Tile& tile, MutableSpan entries) {
                            const Term term{k, 1.0};
                            stack.add_tile({&term, 1}, tile, entries);
                          });
  };
  const Matrix singles = forms_of(singles_);
  const Matrix doubles = forms_of(doubles_);
  const RowMatrix factors = factors_.panel_forms(A, context);
  Matrix Q(A.rows, kernels());
  for (Index m = 0; m < kernels(); ++m) {
    const auto [stack, kernel] = places_[static_cast<std::size_t>(m)];
    for (Index t = 0; t < A.rows; ++t) {
      Q(t, m) = stack == in_singles   ? singles(t, kernel)
                : stack == in_doubles ? doubles(t, kernel)
                                      : factors(t, kernel);
    }
  }
  return Q;
}

Matrix StoredBank::panel_product(ConstSpan d, const Matrix& A, const Context& context) const {
  if (A.rows < few_vectors) return KernelBank::panel_product(d, A, context);
  const SerialBlas serial;
  const Terms chosen = terms(d);
  Matrix Z(A.rows, n_);
  if (!chosen[in_singles].empty() || !chosen[in_doubles].empty()) {
    Z = panel_product_of(n_, A, context, [&](const Tile& tile, MutableSpan entries) {
      singles_.add_tile(chosen[in_singles], tile, entries);
      doubles_.add_tile(chosen[in_doubles], tile, entries);
    });
  }
  factors_.add_panel_product(chosen[in_factors], A, Z, context);
  return Z;
}

}  // namespace kernmix
