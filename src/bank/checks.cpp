#include "bank/checks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "bank/as_given.hpp"
#include "bank/family/incomplete_cholesky.hpp"
#include "bank/packed/tiles.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr double kCheckTolerance = 1e-8;

/// Statistics of a tile of the lower triangle and its mirror image.
struct TileFinding {
  bool finite = true;
  double largest = 0.0;     ///< max |K_ij|
  double difference = 0.0;  ///< max |K_ij - K_ji|
  Index row = 0, col = 0;   ///< of that difference, or of the entry that is not finite
  double value = 0.0, mirror = 0.0;
};

TileFinding examine(const KernelSource& source, const std::vector<Index>& samples,
                    const Tile& tile) {
  const auto rows = slice(samples, tile.row_begin, tile.row_end);
  const auto cols = slice(samples, tile.col_begin, tile.col_end);
  Matrix lower(tile.rows(), tile.cols());
  Matrix upper(tile.cols(), tile.rows());
  source.block(rows, cols, lower.values);
  source.block(cols, rows, upper.values);
  TileFinding found;
  for (Index i = 0; i < tile.rows(); ++i) {
    for (Index j = 0; j < tile.cols(); ++j) {
      const double value = lower(i, j);
      const double mirror = upper(j, i);
      const Index row = tile.row_begin + i;
      const Index col = tile.col_begin + j;
      if (!std::isfinite(value)) return {false, 0.0, 0.0, row, col, value, mirror};
      if (!std::isfinite(mirror)) return {false, 0.0, 0.0, col, row, mirror, value};
      found.largest = std::max({found.largest, std::abs(value), std::abs(mirror)});
      if (std::abs(value - mirror) <= found.difference) continue;
      found.difference = std::abs(value - mirror);
      found.row = row;
      found.col = col;
      found.value = value;
      found.mirror = mirror;
    }
  }
  return found;
}

}  // namespace

void refuse_entry(const std::string& name, Index row, Index col, double value) {
  throw DataError(
      fmt::format("kernel '{}' has the value {} at row {}, column {}: kernel values must be finite",
                  name, value, row + 1, col + 1));
}

namespace {

void check_mirrored(const KernelSource& source, const std::string& name, const Context& context) {
  const std::vector<Index> samples = all_samples(source.rows());
  const std::vector<Tile> tiles = lower_tiles(source.rows());
  std::vector<TileFinding> findings(tiles.size());
  parallel_for(context, length(tiles), [&](Index t) {
    stop_if_asked(context);
    const auto at = static_cast<std::size_t>(t);
    findings[at] = examine(source, samples, tiles[at]);
  });
  TileFinding worst;
  double largest = 0.0;
  for (const TileFinding& found : findings) {
    if (!found.finite) refuse_entry(name, found.row, found.col, found.value);
    largest = std::max(largest, found.largest);
    if (found.difference > worst.difference) worst = found;
  }
  if (worst.difference > kCheckTolerance * largest) {
    throw DataError(
        fmt::format("kernel '{}' is not symmetric: row {}, column {} is {} but row {}, column {} "
                    "is {}; pass (K + K') / 2 if the difference is rounding",
                    name, worst.row + 1, worst.col + 1, worst.value, worst.col + 1, worst.row + 1,
                    worst.mirror));
  }
}

}  // namespace

void check_symmetric(const KernelSource& source, const std::string& name, const Context& context) {
  check_as_given(
      source, [&] { check_mirrored(source, name, context); },
      [&](const KernelSource& given) { check_mirrored(given, name, context); });
}

void Symmetry::add(const Symmetry& other) {
  difference = std::max(difference, other.difference);
  largest = std::max(largest, other.largest);
  sum += other.sum;
}

bool Symmetry::holds() const {
  return std::isfinite(sum) && std::isfinite(largest) && difference <= kCheckTolerance * largest;
}

Symmetry compare_mirrored(ConstSpan lower, ConstSpan upper, Index rows, Index cols,
                          bool on_diagonal) {
  constexpr Index side = 8;  // a cache line of every row
  Symmetry found;
  for (Index top = 0; top < rows; top += side) {
    const Index bottom = std::min(top + side, rows);
    for (Index left = 0; left < (on_diagonal ? bottom : cols); left += side) {
      const Index right = std::min(left + side, cols);
      for (Index i = top; i < bottom; ++i) {
        const double* const row = lower.data() + i * cols;
        const double* const column = upper.data() + i;
        for (Index j = left; j < right; ++j) {
          const double difference = std::abs(row[j] - column[j * rows]);
          found.sum += difference;
          if (difference > found.difference) found.difference = difference;
        }
      }
    }
  }
  return found;
}

}  // namespace kernmix
