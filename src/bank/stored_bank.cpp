#include "bank/stored_bank.hpp"

#include <algorithm>
#include <numeric>

#include "bank/family/combined_factor.hpp"
#include "bank/family/incomplete_cholesky.hpp"
#include "bank/packed/tiles.hpp"
#include "base/blas_threads.hpp"
#include "base/linear_algebra.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"

namespace kernmix {

StoredBank::StoredBank(Index samples, Index kernels)
    : n_(samples),
      singles_(samples),
      doubles_(samples),
      factors_(samples),
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
  const DualVector dual(a);
  std::array<std::vector<Index>, stack_count> kernels;
  std::array<std::vector<MutableSpan>, stack_count> out;
  for (Index k = 0; k < length(subset); ++k) {
    const Place& place = places_[static_cast<std::size_t>(subset[static_cast<std::size_t>(k)])];
    kernels[place.stack].push_back(place.kernel);
    out[place.stack].push_back(
        u.subspan(static_cast<std::size_t>(k * n_), static_cast<std::size_t>(n_)));
  }
  factors_.products(kernels[in_factors], dual, out[in_factors], context);
  const auto multiply = [&](const auto& stack, std::size_t kind) {
    const Matrix products = stack.products(kernels[kind], dual, context);
    for (std::size_t k = 0; k < out[kind].size(); ++k) {
      std::ranges::copy(products.row(static_cast<Index>(k)), out[kind][k].begin());
    }
  };
  multiply(singles_, in_singles);
  multiply(doubles_, in_doubles);
}

void StoredBank::triangles(std::span<const Index> subset, std::span<const std::span<float>> out,
                           const Context& context) const {
  const SerialBlas serial;
  parallel_for(context, length(subset), [&](Index task) {
    const auto k = static_cast<std::size_t>(task);
    const Place& place = places_[static_cast<std::size_t>(subset[k])];
    if (place.stack == in_singles) {
      singles_.copy(place.kernel, out[k]);
    } else if (place.stack == in_doubles) {
      doubles_.copy(place.kernel, out[k]);
    } else {
      pack_product(factors_.transposed_factor(place.kernel), n_, out[k]);
    }
  });
}

const Packed<float>* StoredBank::stored_triangle(Index m) const {
  const Place& place = places_[static_cast<std::size_t>(m)];
  return place.stack == in_singles ? &singles_.matrix(place.kernel) : nullptr;
}

std::vector<std::vector<float>> StoredBank::single_factors(std::span<const Index> subset,
                                                           const Context& context) const {
  const SerialBlas serial;
  std::vector<std::vector<float>> factors(subset.size());
  parallel_for(context, length(subset), [&](Index task) {
    const auto k = static_cast<std::size_t>(task);
    const Place& place = places_[static_cast<std::size_t>(subset[k])];
    if (place.stack != in_factors || !factors_.rough(place.kernel)) return;
    factors[k] = factors_.transposed_factor(place.kernel);
  });
  return factors;
}

std::unique_ptr<KernelBank> StoredBank::on_samples(std::span<const Index> samples,
                                                   const Context& context) const {
  auto part = std::make_unique<StoredBank>(length(samples), kernels());
  part->singles_ = singles_.on_samples(samples, context);
  part->doubles_ = doubles_.on_samples(samples, context);
  part->factors_ = factors_.on_samples(samples, context);
  part->places_ = places_;
  return part;
}

void StoredBank::combine(ConstSpan d, std::span<float> out, const Context& context) const {
  const SerialBlas serial;
  const Terms chosen = terms(d);
  const WeightedFactor W = factors_.combined(chosen[in_factors], context);
  fill_symmetric(n_, out, context, [&](const Tile& tile, MutableSpan sum) {
    singles_.add_tile(chosen[in_singles], tile, sum);
    doubles_.add_tile(chosen[in_doubles], tile, sum);
    W.add_tile(tile, sum);
  });
}

Index StoredBank::columns_to_combine(Index m) const {
  const Place& place = places_[static_cast<std::size_t>(m)];
  return place.stack == in_factors ? factors_.columns(place.kernel) : 0;
}

template <typename T>
void StoredBank::fill_block(ConstSpan d, std::span<const Index> index, std::span<T> out,
                            const Context& context) const {
  const SerialBlas serial;
  const Terms chosen = terms(d);
  const Matrix Z = factors_.combined(chosen[in_factors], index, context);
  const bool everything = std::ranges::equal(index, all_samples(n_));
  const bool ascending = std::ranges::is_sorted(index);
  const auto add_entries = [&](const auto& stack, std::size_t kind, auto rows, auto cols,
                               MutableSpan sum) {
    if (ascending) return stack.add_lower_block(chosen[kind], rows, cols, sum);
    stack.add_block(chosen[kind], rows, cols, sum);
  };
  fill_symmetric(length(index), out, context, [&](const Tile& tile, MutableSpan sum) {
    if (everything) {  // rows as they lie in memory
      singles_.add_tile(chosen[in_singles], tile, sum);
      doubles_.add_tile(chosen[in_doubles], tile, sum);
    } else {
      const auto rows = index.subspan(static_cast<std::size_t>(tile.row_begin),
                                      static_cast<std::size_t>(tile.rows()));
      const auto cols = index.subspan(static_cast<std::size_t>(tile.col_begin),
                                      static_cast<std::size_t>(tile.cols()));
      add_entries(singles_, in_singles, rows, cols, sum);
      add_entries(doubles_, in_doubles, rows, cols, sum);
    }
    if (Z.cols == 0) return;
    Eigen::Map<RowMatrix>(sum.data(), tile.rows(), tile.cols()).noalias() +=
        as_matrix(Z).middleRows(tile.row_begin, tile.rows()) *
        as_matrix(Z).middleRows(tile.col_begin, tile.cols()).transpose();
  });
}

void StoredBank::combine_block(ConstSpan d, std::span<const Index> index, MutableSpan out,
                               const Context& context) const {
  fill_block(d, index, out, context);
}

void StoredBank::combine_part(ConstSpan d, std::span<const Index> samples, std::span<float> out,
                              const Context& context) const {
  fill_block(d, samples, out, context);
}

Index StoredBank::factor_columns(ConstSpan d) const {
  const Terms chosen = terms(d);
  if (!chosen[in_singles].empty() || !chosen[in_doubles].empty()) return -1;
  return factors_.columns(chosen[in_factors]);
}

Matrix StoredBank::combined_factor(ConstSpan d, const Context& context) const {
  const SerialBlas serial;
  const Terms chosen = terms(d);
  Matrix Z = factors_.shortest(chosen[in_factors], context);
  if (factors_.share_bases(chosen[in_factors])) return Z;
  return compressed(std::move(Z), context);
}

void StoredBank::block(Index m, std::span<const Index> rows, std::span<const Index> cols,
                       MutableSpan out) const {
  const Place& place = places_[static_cast<std::size_t>(m)];
  stacks()[place.stack]->block(place.kernel, rows, cols, out);
}

}  // namespace kernmix
