// A kernel of samples of which some lack its view.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {
namespace {

/// Of some samples those that are present: where they are asked for, and their places.
struct Asked {
  std::vector<Index> at;
  std::vector<Index> places;
};
Asked among(const PresentSamples& present, std::span<const Index> index) {
  Asked asked;
  for (std::size_t k = 0; k < index.size(); ++k) {
    const Index place = present.place(index[k]);
    if (place < 0) continue;
    asked.at.push_back(static_cast<Index>(k));
    asked.places.push_back(place);
  }
  return asked;
}

/// A number for each sample from those of the present ones, 0 for the others.
void spread(const PresentSamples& present, ConstSpan values, MutableSpan out) {
  std::ranges::fill(out, 0.0);
  for (std::size_t k = 0; k < values.size(); ++k) out[to_size(present.samples()[k])] = values[k];
}

class PresentSource final : public KernelSource {
 public:
  PresentSource(KernelSourcePtr present, PresentSamplesPtr left, PresentSamplesPtr right)
      : source_(std::move(present)), left_(std::move(left)), right_(std::move(right)) {}

  Index rows() const override { return left_->all(); }
  Index cols() const override { return right_->all(); }
  Index rank_bound() const override { return source_->rank_bound(); }
  bool always_psd() const override { return source_->always_psd(); }
  bool is_repairable() const override { return source_->is_repairable(); }
  bool read_each_time() const override { return source_->read_each_time(); }
  std::optional<Part> part() const override { return Part{left_, right_, source_}; }
  std::size_t bytes() const override { return source_->bytes(); }

  void block(std::span<const Index> row_index, std::span<const Index> col_index,
             MutableSpan out) const override {
    at_present(row_index, col_index, out, Fill::zeros,
               [&](const auto& rows, const auto& cols, MutableSpan values) {
                 source_->block(rows, cols, values);
               });
  }
  std::optional<SampleComparison> comparison() const override { return source_->comparison(); }
  void compare(std::span<const Index> row_index, std::span<const Index> col_index,
               MutableSpan out) const override {
    at_present(row_index, col_index, out, Fill::zeros,
               [&](const auto& rows, const auto& cols, MutableSpan values) {
                 source_->compare(rows, cols, values);
               });
  }
  void finish(std::span<const Index> row_index, std::span<const Index> col_index,
              MutableSpan values) const override {
    at_present(row_index, col_index, values, Fill::given,
               [&](const auto& rows, const auto& cols, MutableSpan present) {
                 source_->finish(rows, cols, present);
               });
  }
  void left_diagonal(MutableSpan out) const override {
    Vector own(left_->samples().size());
    source_->left_diagonal(own);
    spread(*left_, own, out);
  }
  void right_diagonal(MutableSpan out) const override {
    Vector own(right_->samples().size());
    source_->right_diagonal(own);
    spread(*right_, own, out);
  }

 private:
  enum class Fill { zeros, given };

  /// Calls body(rows, cols, values) for the entries of a block between present samples, and sets
  /// the others to zero. \param fill  the values before: zeros, or those of the block
  template <typename Body>
  void at_present(std::span<const Index> row_index, std::span<const Index> col_index,
                  MutableSpan block, Fill fill, const Body& body) const {
    const Asked rows = among(*left_, row_index);
    const Asked cols = among(*right_, col_index);
    if (rows.at.size() == row_index.size() && cols.at.size() == col_index.size()) {
      return body(rows.places, cols.places, block);
    }
    Vector values(rows.at.size() * cols.at.size());
    const auto entry = [&](std::size_t r, std::size_t c) -> double& {
      return block[to_size(rows.at[r]) * col_index.size() + to_size(cols.at[c])];
    };
    const auto each = [&](const auto& use) {
      for (std::size_t r = 0; r < rows.at.size(); ++r) {
        for (std::size_t c = 0; c < cols.at.size(); ++c) {
          use(values[r * cols.at.size() + c], entry(r, c));
        }
      }
    };
    if (fill == Fill::given) each([](double& value, double given) { value = given; });
    if (!values.empty()) body(rows.places, cols.places, MutableSpan(values));
    std::ranges::fill(block, 0.0);
    each([](double value, double& out) { out = value; });
  }

  KernelSourcePtr source_;
  PresentSamplesPtr left_;
  PresentSamplesPtr right_;
};

}  // namespace

std::optional<KernelSource::Part> KernelSource::part() const { return std::nullopt; }

PresentSamples::PresentSamples(Index all, std::vector<Index> samples)
    : samples_(std::move(samples)), place_(to_size(all), -1) {
  for (Index k = 0; k < length(samples_); ++k) place_.at(to_size(samples_[to_size(k)])) = k;
}

KernelSourcePtr present_source(KernelSourcePtr present, PresentSamplesPtr left,
                               PresentSamplesPtr right) {
  const Index rows = length(left->samples());
  const Index cols = length(right->samples());
  if (present->rows() != rows || present->cols() != cols) {
    throw ParameterError(fmt::format("a kernel of {} x {} present samples is {} x {}", rows, cols,
                                     present->rows(), present->cols()));
  }
  if (rows == left->all() && cols == right->all()) return present;
  return std::make_shared<PresentSource>(std::move(present), std::move(left), std::move(right));
}

}  // namespace kernmix
