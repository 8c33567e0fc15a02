#include "kernel/bank/stored_bank.hpp"

#include <algorithm>
#include <numeric>

#include "blas_threads.hpp"
#include "kernel/bank/tiles.hpp"
#include "parallel.hpp"

namespace kernmix {

StoredBank::StoredBank(Index samples)
    : n_(samples), singles_(samples), doubles_(samples), factors_(samples) {}

void StoredBank::append(Packed<float> matrix) {
  places_.push_back({in_singles, singles_.kernels()});
  singles_.append(std::move(matrix));
}

void StoredBank::append(Packed<double> matrix) {
  places_.push_back({in_doubles, doubles_.kernels()});
  doubles_.append(std::move(matrix));
}

void StoredBank::append_factor(Matrix Z) {
  places_.push_back({in_factors, factors_.kernels()});
  factors_.append(std::move(Z));
}

std::size_t StoredBank::bytes() const {
  return singles_.bytes() + doubles_.bytes() + factors_.bytes();
}

StoredBank::Terms StoredBank::terms(ConstSpan d) const {
  Terms result;
  for (std::size_t m = 0; m < places_.size(); ++m) {
    if (d[m] != 0.0) result[places_[m].stack].push_back({places_[m].kernel, d[m]});
  }
  return result;
}

void StoredBank::quadratic_forms(ConstSpan a, MutableSpan q, const Context& context) const {
  const DualVector dual(a);
  std::array<Vector, stack_count> parts;
  for (std::size_t s = 0; s < stack_count; ++s) {
    parts[s].resize(static_cast<std::size_t>(stacks()[s]->kernels()));
    stacks()[s]->quadratic_forms(dual, parts[s], context);
  }
  for (std::size_t m = 0; m < places_.size(); ++m) {
    const double value = parts[places_[m].stack][static_cast<std::size_t>(places_[m].kernel)];
    q[m] = std::max(value, 0.0);
  }
}

Matrix StoredBank::forms_and_products(std::span<const Index> subset, ConstSpan a, MutableSpan q,
                                      const Context& context) const {
  const bool all_single = singles_.kernels() == kernels();
  if (!all_single && doubles_.kernels() != kernels()) {
    return KernelBank::forms_and_products(subset, a, q, context);
  }
  const DualVector dual(a);
  Matrix U = all_single ? singles_.support_products(subset, dual, context)
                        : doubles_.support_products(subset, dual, context);
  for (std::size_t k = 0; k < subset.size(); ++k) {
    const ConstSpan u = U.row(static_cast<Index>(k));
    q[k] = std::max(std::inner_product(u.begin(), u.end(), dual.values.begin(), 0.0), 0.0);
  }
  return U;
}

void StoredBank::apply(ConstSpan d, ConstSpan a, MutableSpan z, const Context& context) const {
  const DualVector dual(a);
  const Terms chosen = terms(d);
  std::ranges::fill(z, 0.0);
  for (std::size_t s = 0; s < stack_count; ++s) {
    stacks()[s]->add_product(chosen[s], dual, z, context);
  }
}

void StoredBank::apply_each(std::span<const Index> subset, ConstSpan a, MutableSpan u,
                            const Context& context) const {
  // Few kernels share out their rows among the threads, many are shared out as they are: the
  // inner loops of a parallel body are serial. The sums are the same either way.
  constexpr Index many = 8;
  const DualVector dual(a);
  const auto product = [&](Index k) {
    const Place& place = places_[static_cast<std::size_t>(subset[static_cast<std::size_t>(k)])];
    const Term term{place.kernel, 1.0};
    const MutableSpan z = u.subspan(static_cast<std::size_t>(k * n_), static_cast<std::size_t>(n_));
    std::ranges::fill(z, 0.0);
    stacks()[place.stack]->add_product({&term, 1}, dual, z, context);
  };
  if (length(subset) >= many) {
    parallel_for(context, length(subset), product);
  } else {
    for (Index k = 0; k < length(subset); ++k) product(k);
  }
}

void StoredBank::combine(ConstSpan d, std::span<float> out, const Context& context) const {
  const SerialBlas serial;
  const Terms chosen = terms(d);
  const WeightedFactor W = factors_.weighted(chosen[in_factors], context);
  fill_symmetric(n_, out, context, [&](const Tile& tile, MutableSpan sum) {
    singles_.add_tile(chosen[in_singles], tile, sum);
    doubles_.add_tile(chosen[in_doubles], tile, sum);
    W.add_tile(tile, sum);
  });
}

void StoredBank::combine_block(ConstSpan d, std::span<const Index> index, MutableSpan out,
                               const Context& context) const {
  const SerialBlas serial;
  const Terms chosen = terms(d);
  fill_symmetric(length(index), out, context, [&](const Tile& tile, MutableSpan sum) {
    const auto rows = index.subspan(static_cast<std::size_t>(tile.row_begin),
                                    static_cast<std::size_t>(tile.rows()));
    const auto cols = index.subspan(static_cast<std::size_t>(tile.col_begin),
                                    static_cast<std::size_t>(tile.cols()));
    for (std::size_t s = 0; s < stack_count; ++s) {
      stacks()[s]->add_block(chosen[s], rows, cols, sum);
    }
  });
}

void StoredBank::block(Index m, std::span<const Index> rows, std::span<const Index> cols,
                       MutableSpan out) const {
  const Place& place = places_[static_cast<std::size_t>(m)];
  stacks()[place.stack]->block(place.kernel, rows, cols, out);
}

}  // namespace kernmix
