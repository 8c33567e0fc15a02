#include "model/thresholds/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "model/file/fingerprint.hpp"
#include "model/landmarks/factor_matrix.hpp"

namespace kernmix {

MultiLabels labels_at(const MultiLabels& all, const std::vector<Index>& rows,
                      const std::vector<Index>& labels) {
  MultiLabels some{entries_at(all.names, labels), {}};
  for (const Index i : rows) {
    for (const Index t : labels) some.values.push_back(all.has(i, t) ? 1 : 0);
  }
  return some;
}

Matrix rows_at(const ConstMatrix& matrix, const std::vector<Index>& rows) {
  Matrix part(length(rows), matrix.cols);
  for (Index i = 0; i < part.rows; ++i) {
    std::ranges::copy(matrix.row(rows[to_size(i)]), part.row(i).begin());
  }
  return part;
}

std::vector<Index> random_folds(Index n, Index folds, std::uint64_t seed) {
  std::vector<Index> fold(to_size(n));
  for (std::size_t i = 0; i < fold.size(); ++i) fold[i] = static_cast<Index>(i) % folds;
  std::mt19937_64 engine(seed);
  for (std::size_t i = fold.size(); i > 1; --i) std::swap(fold[i - 1], fold[engine() % i]);
  return fold;
}

namespace {

bool lacks_a_place(const std::vector<Index>& places) {
  return std::ranges::find(places, no_place) != places.end();
}

/// Rows and columns of a matrix, with zeros where there is no place.
class PartOfMatrix final : public MatrixReader {
 public:
  PartOfMatrix(GivenMatrix whole, std::vector<Index> rows, std::vector<Index> cols)
      : whole_(std::move(whole)),
        rows_(std::move(rows)),
        cols_(std::move(cols)),
        has_zeros_(lacks_a_place(rows_) || lacks_a_place(cols_)) {}

  [[nodiscard]] Index rows() const override { return length(rows_); }
  [[nodiscard]] Index cols() const override { return length(cols_); }
  void block(std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override {
    if (!has_zeros_) return whole_.block(entries_at(rows_, rows), entries_at(cols_, cols), out);
    const Found left = found(rows_, rows);
    const Found right = found(cols_, cols);
    Vector entries(left.at.size() * right.at.size());
    if (!entries.empty()) whole_.block(left.places, right.places, entries);
    std::ranges::fill(out, 0.0);
    const double* entry = entries.data();
    for (const Index r : left.at) {
      for (const Index c : right.at) out[to_size(r * length(cols) + c)] = *entry++;
    }
  }

 private:
  /// Of some indices those with a place: where they stand, and their places.
  struct Found {
    std::vector<Index> at, places;
  };
  static Found found(const std::vector<Index>& places, std::span<const Index> index) {
    Found some;
    for (std::size_t k = 0; k < index.size(); ++k) {
      const Index place = places[to_size(index[k])];
      if (place == no_place) continue;
      some.at.push_back(static_cast<Index>(k));
      some.places.push_back(place);
    }
    return some;
  }

  GivenMatrix whole_;
  std::vector<Index> rows_, cols_;
  bool has_zeros_;
};

void require_room_of_part(Index rows, Index cols, const Context& context) {
  const double bytes = sizeof(double) * static_cast<double>(rows) * static_cast<double>(cols);
  if (has_room(context, bytes)) return;
  throw ResourceError(
      fmt::format("{} x {} entries of a matrix in the order of the samples need {}, more than "
                  "the memory budget of {}",
                  rows, cols, memory_text(bytes), memory_text(context.memory_bytes)));
}

MatrixFactor part_of_factor(const MatrixFactor& factor, const std::vector<Index>& rows) {
  return {rows_at(factor.F, rows), digest_of(rows, factor.digest)};
}

}  // namespace

GivenMatrix part_of_matrix(const GivenMatrix& matrix, const std::vector<Index>& rows,
                           const std::vector<Index>& cols, const Context& context) {
  const bool has_gaps = lacks_a_place(rows) || lacks_a_place(cols);
  const MatrixFactor* const factor = matrix.factor();
  if (factor != nullptr && rows == cols && !has_gaps) {
    require_room_of_part(length(rows), factor->F.cols, context);
    return matrix_of_factor(part_of_factor(*factor, rows));
  }
  if (!matrix.in_memory() || has_gaps) {
    return std::shared_ptr<const MatrixReader>(
        std::make_shared<const PartOfMatrix>(matrix, rows, cols));
  }
  require_room_of_part(length(rows), length(cols), context);
  auto part = std::make_shared<Matrix>(length(rows), length(cols));
  for (Index i = 0; i < part->rows; ++i) {
    stop_if_asked(context);
    matrix.block({&rows[to_size(i)], 1}, cols, part->row(i));
  }
  return part;
}

namespace {

/// Where in `rows` the samples that have a matrix stand; nullopt: all have it.
std::optional<std::vector<Index>> present_among(const MatrixView& view,
                                                const std::vector<Index>& rows) {
  if (!view.present) return std::nullopt;
  std::vector<Index> places;
  for (Index r = 0; r < length(rows); ++r) {
    if (std::ranges::binary_search(*view.present, rows[to_size(r)])) places.push_back(r);
  }
  if (places.size() == rows.size()) return std::nullopt;
  return places;
}

}  // namespace

Dataset part_of(const Dataset& data, const std::vector<Index>& rows,
                const std::vector<Index>& against, const std::vector<Index>& labels) {
  Dataset part;
  const Table& table = data.table;
  part.table.source = table.source;
  part.table.columns = table.columns;
  const std::vector<Index> with_numbers = table.columns.empty() ? std::vector<Index>() : rows;
  if (table.sparse) {
    part.table.sparse = std::make_shared<const SparseMatrix>(rows_at(*table.sparse, with_numbers));
  } else {
    part.table.values = rows_at(table.numbers(), with_numbers);
  }
  part.table.categories = table.categories;
  part.table.indicators = table.indicators;
  part.table.missing_codes = table.missing_codes;
  part.table.labels = entries_at(table.labels, rows);
  part.table.label_type = table.label_type;
  part.table.inlier = inlier_of(table);
  part.table.multi_labels = labels_at(table.multi_labels, rows, labels);
  part.table.targets = {
      table.targets.names,
      rows_at(table.targets.values, table.targets.empty() ? std::vector<Index>() : rows)};
  part.table.ids = entries_at(table.ids, rows);
  part.table.parts = table.parts;
  part.views = data.views;
  for (Presence& own : incomplete_views(data)) part.incomplete.push_back(std::move(own.view.name));
  for (const MatrixView& view : data.matrices) {
    const std::vector<Index> cols = against.empty() ? all_samples(view.matrix.cols()) : against;
    part.matrices.push_back(
        {view.name, view.kind, part_of_matrix(view.matrix, rows, cols), present_among(view, rows)});
    // New samples keep the names of the training samples, by which prediction finds them.
    if (against.empty()) {
      part.matrices.back().matrix.set_names({{}, view.matrix.names().columns});
    }
  }
  return part;
}

std::vector<Index> samples_with_weight(ConstSpan weights) {
  std::vector<Index> samples;
  for (Index i = 0; i < length(weights); ++i) {
    if (weights[to_size(i)] != 0.0) samples.push_back(i);
  }
  return samples;
}

Dataset samples_at(const Dataset& data, const std::vector<Index>& samples) {
  return part_of(data, samples, samples, all_samples(length(data.table.multi_labels.names)));
}

Dataset only_samples(const Dataset& data, const std::vector<Index>& samples) {
  Dataset kept = samples_at(data, samples);
  kept.table.inlier = data.table.inlier;  // where it is not given, it is that of the kept samples
  kept.incomplete = data.incomplete;
  return kept;
}

}  // namespace kernmix
