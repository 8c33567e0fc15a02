// K_ij of all samples in memory, row-major. Kernels with the same comparison share it.

#include "kernel/cached_source.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernel/alike.hpp"

namespace kernmix {
namespace {

class CachedSource final : public KernelSource {
 public:
  explicit CachedSource(KernelSourcePtr source)
      : source_(std::move(source)), entries_(source_->rows(), source_->cols()) {}

  Index rows() const override { return entries_.rows; }
  Index cols() const override { return entries_.cols; }
  Index rank_bound() const override { return source_->rank_bound(); }
  bool always_psd() const override { return source_->always_psd(); }
  bool is_repairable() const override { return source_->is_repairable(); }
  bool definite_on_differences_only() const override {
    return source_->definite_on_differences_only();
  }
  std::optional<Stored> stored() const override {
    return Stored{entries_.values.data(), entries_.cols, 1.0};
  }
  std::size_t bytes() const override { return entries_.values.size() * sizeof(double); }

  void block(std::span<const Index> row_index, std::span<const Index> col_index,
             MutableSpan out) const override {
    double* to = out.data();
    for (const Index i : row_index) {
      const double* const row = entries_.row(i).data();
      for (const Index j : col_index) *to++ = row[j];
    }
  }
  void left_diagonal(MutableSpan out) const override { source_->left_diagonal(out); }
  void right_diagonal(MutableSpan out) const override { source_->right_diagonal(out); }

  [[nodiscard]] const KernelSource& source() const { return *source_; }
  [[nodiscard]] MutableSpan rows(Index begin, Index end) {
    return slice(MutableSpan(entries_.values), begin * cols(), end * cols());
  }

 private:
  KernelSourcePtr source_;
  Matrix entries_;
};

using Alike = std::vector<std::shared_ptr<CachedSource>>;

void evaluate(const Alike& kernels, std::span<const Index> rows, std::span<const Index> cols) {
  const Index begin = rows.front();
  const Index end = rows.back() + 1;
  const MutableSpan first = kernels.front()->rows(begin, end);
  kernels.front()->source().compare(rows, cols, first);
  for (std::size_t k = kernels.size(); k-- > 0;) {
    const MutableSpan entries = kernels[k]->rows(begin, end);
    if (k > 0) std::ranges::copy(first, entries.begin());
    kernels[k]->source().finish(rows, cols, entries);
  }
}

/// Kernels of the same size.
std::vector<KernelSourcePtr> cached_alike(const std::vector<KernelSourcePtr>& sources,
                                          const Context& context) {
  constexpr Index band = 64;
  std::vector<KernelSourcePtr> result;
  Alike evaluated;
  for (const KernelSourcePtr& source : sources) {
    if (!source->stored()) evaluated.push_back(std::make_shared<CachedSource>(source));
    result.push_back(source->stored() ? source : evaluated.back());
  }
  const Index n = sources.front()->rows();
  const Index bands = blocks_of(n, band);
  const std::vector<Index> left = all_samples(n);
  const std::vector<Index> right = all_samples(sources.front()->cols());
  const auto groups = alike(
      index_range(0, length(evaluated)), [&](Index k) -> const auto& {
        return evaluated[to_size(k)]->source();
      });
  parallel_for(context, length(groups) * bands, [&](Index task) {
    stop_if_asked(context);
    const Index begin = task % bands * band;
    evaluate(entries_at(evaluated, groups[to_size(task / bands)]),
             slice(left, begin, std::min(begin + band, n)), right);
  });
  return result;
}

}  // namespace

std::vector<KernelSourcePtr> cached_sources(const std::vector<KernelSourcePtr>& sources,
                                            const Context& context) {
  std::map<std::pair<Index, Index>, std::vector<std::size_t>> of_size;
  std::vector<KernelSourcePtr> result = sources;
  for (std::size_t m = 0; m < sources.size(); ++m) {
    if (const auto part = sources[m]->part()) result[m] = part->source;
    of_size[{result[m]->rows(), result[m]->cols()}].push_back(m);
  }
  for (const auto& [size, places] : of_size) {
    std::vector<KernelSourcePtr> some;
    for (const std::size_t m : places) some.push_back(result[m]);
    some = cached_alike(some, context);
    for (std::size_t k = 0; k < places.size(); ++k) result[places[k]] = std::move(some[k]);
  }
  for (std::size_t m = 0; m < sources.size(); ++m) {
    const auto part = sources[m]->part();
    if (part) result[m] = present_source(result[m], part->left, part->right);
  }
  return result;
}

std::size_t cached_bytes(const std::vector<KernelSourcePtr>& sources) {
  std::size_t bytes = 0;
  for (const KernelSourcePtr& source : sources) {
    const auto part = source->part();
    const KernelSource& own = part ? *part->source : *source;
    if (!own.stored()) bytes += to_size(own.rows() * own.cols()) * sizeof(double);
  }
  return bytes;
}

}  // namespace kernmix
