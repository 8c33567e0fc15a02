#include "bank/part_stack.hpp"

#include <algorithm>
#include <utility>

#include "base/linear_algebra.hpp"
#include "base/samples.hpp"

namespace kernmix {
namespace {

/// The columns `samples` of the vectors in the rows of A.
Matrix columns_at(const Panel& A, std::span<const Index> samples) {
  Matrix part(A.rows, length(samples));
  for (Index t = 0; t < A.rows; ++t) {
    for (Index k = 0; k < part.cols; ++k) part(t, k) = A(t, samples[to_size(k)]);
  }
  return part;
}

/// The indices that lie in `samples`: where they stand, and their places in `samples`.
struct Found {
  std::vector<Index> at;
  std::vector<Index> places;
};
Found find_among(std::span<const Index> index, std::span<const Index> samples) {
  Found found;
  for (std::size_t k = 0; k < index.size(); ++k) {
    const auto place = std::ranges::lower_bound(samples, index[k]);
    if (place == samples.end() || *place != index[k]) continue;
    found.at.push_back(static_cast<Index>(k));
    found.places.push_back(place - samples.begin());
  }
  return found;
}

}  // namespace

void PartStack::append(std::vector<Index> samples, std::unique_ptr<KernelBank> bank) {
  for (Index k = 0; k < bank->kernels(); ++k) places_.push_back({parts_.size(), k});
  parts_.push_back({std::move(samples), std::move(bank)});
}

std::size_t PartStack::bytes() const {
  std::size_t sum = 0;
  for (const Part& part : parts_) {
    sum += part.bank->bytes() + part.samples.size() * sizeof(Index);
  }
  return sum;
}

template <typename Body>
void PartStack::for_parts(std::span<const Term> terms, const Body& body) const {
  std::vector<Vector> weights(parts_.size());
  for (const Term& term : terms) {
    const Place& place = places_[to_size(term.kernel)];
    Vector& own = weights[place.part];
    own.resize(to_size(parts_[place.part].bank->kernels()), 0.0);
    own[to_size(place.kernel)] += term.weight;
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (!weights[p].empty()) body(parts_[p], weights[p]);
  }
}

template <typename Body>
void PartStack::for_chosen(std::span<const Index> chosen, const Body& body) const {
  std::vector<std::vector<Index>> kernels(parts_.size());
  std::vector<std::vector<Index>> at(parts_.size());
  for (Index k = 0; k < length(chosen); ++k) {
    const Place& place = places_[to_size(chosen[to_size(k)])];
    kernels[place.part].push_back(place.kernel);
    at[place.part].push_back(k);
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (!kernels[p].empty()) body(parts_[p], kernels[p], at[p]);
  }
}

Matrix PartStack::panel_forms(std::span<const Index> chosen, const Panel& A,
                              const Context& context) const {
  Matrix Q(A.rows, length(chosen));
  for_chosen(chosen, [&](const Part& part, const auto& kernels, const auto& at) {
    const Matrix a = columns_at(A, part.samples);
    const Matrix own = part.bank->products(kernels, a, Reach::forms, context).forms;
    for (Index t = 0; t < own.rows; ++t) {
      for (Index k = 0; k < own.cols; ++k) Q(t, at[to_size(k)]) = own(t, k);
    }
  });
  return Q;
}

Matrix PartStack::products(std::span<const Index> chosen, const DualVector& a,
                           const Context& context) const {
  Matrix U(length(chosen), n_);
  for_chosen(chosen, [&](const Part& part, const auto& kernels, const auto& at) {
    const Matrix own =
        part.bank->products(kernels, columns_at(a.dense, part.samples), Reach::everywhere, context)
            .rows;
    for (Index k = 0; k < own.rows; ++k) {
      const MutableSpan row = U.row(at[to_size(k)]);
      for (Index i = 0; i < own.cols; ++i) row[to_size(part.samples[to_size(i)])] = own(k, i);
    }
  });
  return U;
}

void PartStack::add_panel_product(std::span<const Term> terms, const Panel& A, Matrix& Z,
                                  const Context& context) const {
  for_parts(terms, [&](const Part& part, const Vector& weights) {
    const Matrix own = part.bank->combined(weights)->times(columns_at(A, part.samples), context);
    for (Index t = 0; t < own.rows; ++t) {
      for (Index i = 0; i < own.cols; ++i) Z(t, part.samples[to_size(i)]) += own(t, i);
    }
  });
}

void PartStack::add_block(std::span<const Term> terms, std::span<const Index> rows,
                          std::span<const Index> cols, MutableSpan out) const {
  Vector entries;
  for (const Term& term : terms) {
    const Place& place = places_[to_size(term.kernel)];
    const Part& part = parts_[place.part];
    const Found own_rows = find_among(rows, part.samples);
    const Found own_cols = find_among(cols, part.samples);
    entries.resize(own_rows.at.size() * own_cols.at.size());
    if (entries.empty()) continue;
    part.bank->block(place.kernel, own_rows.places, own_cols.places, entries);
    const double* entry = entries.data();
    for (const Index r : own_rows.at) {
      double* const row = out.data() + r * length(cols);
      for (const Index c : own_cols.at) row[c] += term.weight * *entry++;
    }
  }
}

PartStack PartStack::on_samples(std::span<const Index> samples, const Context& context) const {
  PartStack some(length(samples));
  some.places_ = places_;
  for (const Part& part : parts_) {
    Found own = find_among(samples, part.samples);
    some.parts_.push_back({std::move(own.at), part.bank->restricted(own.places, context)});
  }
  return some;
}

Index PartStack::columns(std::span<const Term> terms) const {
  Index sum = 0;
  for_parts(terms, [&](const Part& part, const Vector& weights) {
    const Index own = part.bank->combined(weights)->columns();
    sum = own < 0 || sum < 0 ? -1 : sum + own;
  });
  return sum;
}

Matrix PartStack::factor(std::span<const Term> terms, const Context& context) const {
  std::vector<std::pair<const Part*, Matrix>> factors;
  Index columns = 0;
  for_parts(terms, [&](const Part& part, const Vector& weights) {
    factors.emplace_back(&part, part.bank->combined(weights)->factor(context));
    columns += factors.back().second.cols;
  });
  Matrix Z(n_, columns);
  Index first = 0;
  for (const auto& [part, own] : factors) {
    for (Index i = 0; i < own.rows; ++i) {
      std::ranges::copy(own.row(i), Z.row(part->samples[to_size(i)]).begin() + first);
    }
    first += own.cols;
  }
  return Z;
}

}  // namespace kernmix
