// K_ij of all samples in memory, row by row.

#include "kernel/remembered_source.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "base/samples.hpp"

namespace kernmix {
namespace {

class RememberedSource final : public KernelSource {
 public:
  explicit RememberedSource(KernelSourcePtr source)
      : source_(std::move(source)), entries_(source_->rows(), source_->cols()) {}

  Index rows() const override { return entries_.rows; }
  Index cols() const override { return entries_.cols; }
  Index rank_bound() const override { return source_->rank_bound(); }
  bool always_psd() const override { return source_->always_psd(); }
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

  void evaluate(Index begin, Index end, std::span<const Index> all) {
    source_->block(slice(all, begin, end), all,
                   slice(MutableSpan(entries_.values), begin * cols(), end * cols()));
  }

 private:
  KernelSourcePtr source_;
  Matrix entries_;
};

}  // namespace

std::vector<KernelSourcePtr> remembered_sources(const std::vector<KernelSourcePtr>& sources,
                                                const Context& context) {
  constexpr Index band = 64;
  std::vector<KernelSourcePtr> result;
  std::vector<std::shared_ptr<RememberedSource>> evaluated;
  for (const KernelSourcePtr& source : sources) {
    if (!source->stored()) evaluated.push_back(std::make_shared<RememberedSource>(source));
    result.push_back(source->stored() ? source : evaluated.back());
  }
  const Index n = sources.front()->rows();
  const Index bands = blocks_of(n, band);
  const std::vector<Index> all = all_samples(n);
  parallel_for(context, length(evaluated) * bands, [&](Index task) {
    stop_if_asked(context);
    const Index begin = task % bands * band;
    evaluated[to_size(task / bands)]->evaluate(begin, std::min(begin + band, n), all);
  });
  return result;
}

std::size_t remembered_bytes(const std::vector<KernelSourcePtr>& sources) {
  std::size_t bytes = 0;
  for (const KernelSourcePtr& source : sources) {
    if (!source->stored()) bytes += to_size(source->rows() * source->cols()) * sizeof(double);
  }
  return bytes;
}

}  // namespace kernmix
