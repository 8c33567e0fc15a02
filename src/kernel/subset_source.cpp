// Some rows and columns of a training kernel.

#include "kernel/subset_source.hpp"

#include <algorithm>
#include <utility>

#include "base/samples.hpp"
#include "kernel/landmark_source.hpp"

namespace kernmix {
namespace {

class SubsetSource final : public KernelSource {
 public:
  SubsetSource(KernelSourcePtr source, std::vector<Index> rows)
      : source_(std::move(source)), rows_(std::move(rows)) {}

  Index rows() const override { return length(rows_); }
  Index cols() const override { return length(rows_); }
  Index rank_bound() const override { return std::min(source_->rank_bound(), rows()); }
  bool always_psd() const override { return source_->always_psd(); }
  bool is_repairable() const override { return source_->is_repairable(); }
  bool read_each_time() const override { return source_->read_each_time(); }
  bool definite_on_differences_only() const override {
    return source_->definite_on_differences_only();
  }

  void block(std::span<const Index> row_index, std::span<const Index> col_index,
             MutableSpan out) const override {
    source_->block(places(row_index), places(col_index), out);
  }
  std::optional<SampleComparison> comparison() const override { return source_->comparison(); }
  void compare(std::span<const Index> row_index, std::span<const Index> col_index,
               MutableSpan out) const override {
    source_->compare(places(row_index), places(col_index), out);
  }
  void finish(std::span<const Index> row_index, std::span<const Index> col_index,
              MutableSpan values) const override {
    source_->finish(places(row_index), places(col_index), values);
  }

  void left_diagonal(MutableSpan out) const override {
    Vector all(to_size(source_->rows()));
    source_->left_diagonal(all);
    choose(all, out);
  }
  void right_diagonal(MutableSpan out) const override {
    Vector all(to_size(source_->cols()));
    source_->right_diagonal(all);
    choose(all, out);
  }

 private:
  [[nodiscard]] std::vector<Index> places(std::span<const Index> index) const {
    return entries_at(rows_, index);
  }
  void choose(const Vector& all, MutableSpan out) const {
    for (std::size_t i = 0; i < rows_.size(); ++i) out[i] = all[to_size(rows_[i])];
  }

  KernelSourcePtr source_;
  std::vector<Index> rows_;
};

}  // namespace

KernelSourcePtr subset_source(KernelSourcePtr source, std::vector<Index> rows) {
  if (const auto part = source->part()) {
    std::vector<Index> at;      // where those of `rows` are that the part has
    std::vector<Index> places;  // and which they are in the part
    for (Index r = 0; r < length(rows); ++r) {
      const Index place = part->left->place(rows[to_size(r)]);
      if (place < 0) continue;
      at.push_back(r);
      places.push_back(place);
    }
    const auto present = std::make_shared<const PresentSamples>(length(rows), std::move(at));
    return present_source(subset_source(part->source, std::move(places)), present, present);
  }
  if (const LandmarkSource* const own = source->by_landmarks()) {
    return own->on_samples(std::move(rows));
  }
  return std::make_shared<SubsetSource>(std::move(source), std::move(rows));
}

std::vector<KernelSourcePtr> subset_sources(const std::vector<KernelSourcePtr>& sources,
                                            const std::vector<Index>& rows) {
  if (rows.empty()) return sources;
  std::vector<KernelSourcePtr> subsets;
  for (const KernelSourcePtr& source : sources) subsets.push_back(subset_source(source, rows));
  return subsets;
}

}  // namespace kernmix
