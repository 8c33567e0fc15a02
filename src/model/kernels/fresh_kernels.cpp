#include "model/kernels/fresh_kernels.hpp"

#include "base/samples.hpp"
#include "kernel/cached_source.hpp"

namespace kernmix {
namespace {

/// Some columns of a kernel in memory.
class Columns final : public KernelSource {
 public:
  Columns(KernelSourcePtr source, std::span<const Index> columns)
      : source_(std::move(source)), columns_(columns) {}

  Index rows() const override { return source_->rows(); }
  Index cols() const override { return length(columns_); }
  void block(std::span<const Index> row_index, std::span<const Index> col_index,
             MutableSpan out) const override {
    source_->block(row_index, entries_at(columns_, col_index), out);
  }
  void left_diagonal(MutableSpan out) const override { source_->left_diagonal(out); }
  void right_diagonal(MutableSpan out) const override {
    Vector all(to_size(source_->cols()));
    source_->right_diagonal(all);
    std::ranges::copy(entries_at(all, columns_), out.begin());
  }

 private:
  KernelSourcePtr source_;
  std::span<const Index> columns_;
};

}  // namespace

FreshKernels::FreshKernels(KernelCache& kept, const Loss& loss, const Dataset& fresh,
                           const Context& context)
    : fresh_(&fresh), sources_(cached_sources(kept.sources_between(loss, fresh), context)) {}

std::size_t FreshKernels::bytes(std::size_t kernels, Index training, Index fresh) {
  return kernels * to_size(training) * to_size(fresh) * sizeof(double);
}

PredictionKernels FreshKernels::of(const Model& model) const {
  PredictionKernels kernels;
  for (std::size_t m = 0; m < sources_.size(); ++m) {
    if (model.kernels[m].weight == 0.0 || model.support.empty()) continue;
    kernels.index.push_back(static_cast<Index>(m));
    kernels.sources.push_back(std::make_shared<Columns>(sources_[m], model.support));
  }
  return kernels;
}

}  // namespace kernmix
