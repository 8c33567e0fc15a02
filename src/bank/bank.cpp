/// \file
/// Functions of all banks, based on block().

#include "kernmix/bank/bank.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bank/reference/entries.hpp"
#include "base/memory/huge_pages.hpp"
#include "base/samples.hpp"
#include "base/simd.hpp"
#include "kernmix/bank/plan.hpp"
#include "kernmix/bank/triangle_cache.hpp"

namespace kernmix {
namespace {

KernelEntries entries_of(const KernelBank& bank) {
  return {bank.samples(), bank.kernels(),
          [&bank](Index m, std::span<const Index> rows, std::span<const Index> cols) {
            Matrix K(length(rows), length(cols));
            bank.block(m, rows, cols, K.values);
            return SourceRows(std::move(K));
          }};
}

/// Some samples of a bank, which must outlive it.
class RestrictedBank final : public KernelBank {
 public:
  RestrictedBank(const KernelBank& bank, std::span<const Index> samples)
      : bank_(bank), samples_(samples.begin(), samples.end()) {}

  [[nodiscard]] Index samples() const override { return length(samples_); }
  [[nodiscard]] Index kernels() const override { return bank_.kernels(); }
  [[nodiscard]] std::size_t bytes() const override { return 0; }  // a view
  void block(Index m, std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override {
    bank_.block(m, entries_at(samples_, rows), entries_at(samples_, cols), out);
  }

 private:
  const KernelBank& bank_;
  std::vector<Index> samples_;
};

}  // namespace

Vector Products::combine(ConstSpan weights) const {
  Vector z(static_cast<std::size_t>(rows.cols), 0.0);
  for (Index k = 0; k < rows.rows; ++k) {
    const double weight = weights[static_cast<std::size_t>(k)];
    if (weight != 0.0) simd::add_scaled(weight, rows.row(k).data(), z.data(), rows.cols);
  }
  return z;
}

std::shared_ptr<const float[]> Combined::triangle(const Context& context) const {
  const Index n = samples();
  std::vector<float> K(static_cast<std::size_t>(n * n));
  matrix(all_samples(n), K, context);
  std::shared_ptr<float[]> entries = huge_array<float>(static_cast<std::size_t>(packed_size(n)));
  for (Index i = 0; i < n; ++i) std::copy_n(K.data() + i * n, i + 1, &entries[packed_size(i)]);
  return entries;
}

Matrix Combined::factor(const Context& /*context*/) const {
  throw std::logic_error("this bank has no factors: call columns() first");
}

bool KernelBank::dense() const { return mostly_dense(samples(), kernels(), bytes()); }

Products KernelBank::products(std::span<const Index> subset, const Panel& A, Reach reach,
                              const Context& context) const {
  return products_of_entries(entries_of(*this), subset, A, reach, context);
}

std::unique_ptr<Combined> KernelBank::combined(ConstSpan d) const {
  return combined_entries(entries_of(*this), d);
}

std::unique_ptr<KernelBank> KernelBank::restricted(std::span<const Index> samples,
                                                   const Context& /*context*/) const {
  return std::make_unique<RestrictedBank>(*this, samples);
}

std::vector<Index> every_kernel(const KernelBank& bank) { return index_range(0, bank.kernels()); }

Matrix all_panel_forms(const KernelBank& bank, const Panel& A, const Context& context) {
  return bank.products(every_kernel(bank), A, Reach::forms, context).forms;
}

Vector all_forms(const KernelBank& bank, ConstSpan a, const Context& context) {
  return all_panel_forms(bank, a, context).values;
}

Vector combined_product(const KernelBank& bank, ConstSpan d, ConstSpan a, const Context& context) {
  return bank.combined(d)->times(a, context).values;
}

}  // namespace kernmix
