#include "kernel/vector_math.hpp"

#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/vector_math.cpp"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
// foreach_target must come first.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on
#pragma GCC diagnostic pop

HWY_BEFORE_NAMESPACE();
namespace kernmix::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most 8 lanes, so that a panel of 16 is a whole number of pairs of vectors everywhere.
using Lanes = hn::CappedTag<double, 8>;
using Lane = hn::Vec<Lanes>;

void exponentials_here(double factor, MutableSpan values) {
  const Lanes lanes;
  const std::size_t width = hn::Lanes(lanes);
  const Lane scale = hn::Set(lanes, factor);
  double* v = values.data();
  std::size_t left = values.size();
  for (; left >= width; left -= width, v += width) {
    hn::StoreU(hn::Exp(lanes, hn::Mul(scale, hn::LoadU(lanes, v))), lanes, v);
  }
  if (left == 0) return;
  double rest[8] = {};
  for (std::size_t i = 0; i < left; ++i) rest[i] = v[i];
  hn::StoreU(hn::Exp(lanes, hn::Mul(scale, hn::LoadU(lanes, rest))), lanes, rest);
  for (std::size_t i = 0; i < left; ++i) v[i] = rest[i];
}

struct Product {
  static Lane add(Lane sum, Lane x, Lane z) { return hn::MulAdd(x, z, sum); }
};
struct SquaredDifference {
  static Lane add(Lane sum, Lane x, Lane z) {
    const Lane difference = hn::Sub(x, z);
    return hn::MulAdd(difference, difference, sum);
  }
};
struct AbsoluteDifference {
  static Lane add(Lane sum, Lane x, Lane z) { return hn::Add(sum, hn::Abs(hn::Sub(x, z))); }
};
Lane ratio(Lane numerator, Lane x, Lane z) {
  const Lane total = hn::Add(x, z);
  return hn::IfThenElseZero(hn::Gt(total, hn::Zero(Lanes())), hn::Div(numerator, total));
}
struct Chi2 {
  static Lane add(Lane sum, Lane x, Lane z) {
    const Lane difference = hn::Sub(x, z);
    return hn::Add(sum, ratio(hn::Mul(difference, difference), x, z));
  }
};
struct Harmonic {
  static Lane add(Lane sum, Lane x, Lane z) {
    const Lane product = hn::Mul(x, z);
    return hn::Add(sum, ratio(hn::Add(product, product), x, z));
  }
};
struct Minimum {
  static Lane add(Lane sum, Lane x, Lane z) { return hn::Add(sum, hn::Min(x, z)); }
};

template <typename Term>
void sum_columns(ConstSpan sample, const double* panel, double* sums) {
  const Lanes lanes;
  const std::size_t width = hn::Lanes(lanes);
  // Two sums at a time, since each addition waits for the one before.
  for (std::size_t j = 0; j < panel_width; j += 2 * width) {
    Lane first = hn::Zero(lanes);
    Lane second = hn::Zero(lanes);
    for (std::size_t c = 0; c < sample.size(); ++c) {
      const double* z = panel + c * panel_width + j;
      const Lane x = hn::Set(lanes, sample[c]);
      first = Term::add(first, x, hn::LoadU(lanes, z));
      second = Term::add(second, x, hn::LoadU(lanes, z + width));
    }
    hn::StoreU(first, lanes, sums + j);
    hn::StoreU(second, lanes, sums + j + width);
  }
}

void column_sums_here(ColumnTerm term, ConstSpan sample, const double* panel, double* sums) {
  switch (term) {
    case ColumnTerm::product:
      return sum_columns<Product>(sample, panel, sums);
    case ColumnTerm::squared_difference:
      return sum_columns<SquaredDifference>(sample, panel, sums);
    case ColumnTerm::absolute_difference:
      return sum_columns<AbsoluteDifference>(sample, panel, sums);
    case ColumnTerm::chi2:
      return sum_columns<Chi2>(sample, panel, sums);
    case ColumnTerm::harmonic:
      return sum_columns<Harmonic>(sample, panel, sums);
    case ColumnTerm::minimum:
      return sum_columns<Minimum>(sample, panel, sums);
  }
}

/// The sums above the first row.
struct NoSums {
  static void load(const double* /*sums*/, std::size_t /*stride*/) {}
  template <typename... Z>
  static void add(const double* const* /*rows*/, std::size_t /*c*/, Z... /*z*/) {}
  static void store(double* /*sums*/, std::size_t /*stride*/) {}
};

/// A pair of vectors of sums for each of R rows, in registers without an array: enough of them that
/// no addition waits for the one before.
template <std::size_t R>
struct RowSums {
  std::conditional_t<(R > 1), RowSums<R - 1>, NoSums> above;
  Lane first;
  Lane second;

  void load(const double* sums, std::size_t stride) {
    above.load(sums, stride);
    first = hn::LoadU(Lanes(), sums + (R - 1) * stride);
    second = hn::LoadU(Lanes(), sums + (R - 1) * stride + hn::Lanes(Lanes()));
  }
  void add(const double* const* rows, std::size_t c, Lane left, Lane right) {
    above.add(rows, c, left, right);
    const Lane x = hn::Set(Lanes(), rows[R - 1][c]);
    first = hn::MulAdd(x, left, first);
    second = hn::MulAdd(x, right, second);
  }
  void store(double* sums, std::size_t stride) const {
    above.store(sums, stride);
    hn::StoreU(first, Lanes(), sums + (R - 1) * stride);
    hn::StoreU(second, Lanes(), sums + (R - 1) * stride + hn::Lanes(Lanes()));
  }
};
template <std::size_t R>
void add_pair_of_products(const double* const* rows, std::size_t columns, const double* panel,
                          double* sums, std::size_t stride) {
  const Lanes lanes;
  const std::size_t width = hn::Lanes(lanes);
  RowSums<R> all;
  all.load(sums, stride);
  for (std::size_t c = 0; c < columns; ++c) {
    const double* z = panel + c * panel_width;
    all.add(rows, c, hn::LoadU(lanes, z), hn::LoadU(lanes, z + width));
  }
  all.store(sums, stride);
}

using OneLane = hn::CappedTag<double, 1>;

/// The same for one column of the panel.
template <std::size_t R>
struct SingleSums {
  std::conditional_t<(R > 1), SingleSums<R - 1>, NoSums> above;
  hn::Vec<OneLane> sum;

  void load(const double* sums, std::size_t stride) {
    above.load(sums, stride);
    sum = hn::LoadU(OneLane(), sums + (R - 1) * stride);
  }
  void add(const double* const* rows, std::size_t c, hn::Vec<OneLane> z) {
    above.add(rows, c, z);
    sum = hn::MulAdd(hn::LoadU(OneLane(), rows[R - 1] + c), z, sum);
  }
  void store(double* sums, std::size_t stride) const {
    above.store(sums, stride);
    hn::StoreU(sum, OneLane(), sums + (R - 1) * stride);
  }
};
template <std::size_t R>
void add_single_products(const double* const* rows, std::size_t columns, const double* panel,
                         double* sums, std::size_t stride) {
  SingleSums<R> all;
  all.load(sums, stride);
  for (std::size_t c = 0; c < columns; ++c) {
    all.add(rows, c, hn::LoadU(OneLane(), panel + c * panel_width));
  }
  all.store(sums, stride);
}

template <std::size_t R>
void add_products_of(const double* const* rows, std::size_t columns, const double* panel,
                     std::size_t width, double* out, std::size_t stride) {
  const std::size_t pair = 2 * hn::Lanes(Lanes());
  std::size_t j = 0;
  for (; j + pair <= width; j += pair) {
    add_pair_of_products<R>(rows, columns, panel + j, out + j, stride);
  }
  if (j == width) return;
  if (j + 1 == width) return add_single_products<R>(rows, columns, panel + j, out + j, stride);
  double sums[R * panel_width] = {};
  for (std::size_t r = 0; r < R; ++r) {
    for (std::size_t k = j; k < width; ++k) sums[r * panel_width + k - j] = out[r * stride + k];
  }
  add_pair_of_products<R>(rows, columns, panel + j, sums, panel_width);
  for (std::size_t r = 0; r < R; ++r) {
    for (std::size_t k = j; k < width; ++k) out[r * stride + k] = sums[r * panel_width + k - j];
  }
}

/// \returns the number of rows that are left
template <std::size_t R>
std::size_t add_groups_of_rows(std::span<const double* const> rows, std::size_t left,
                               std::size_t columns, const double* panel, std::size_t width,
                               double* out, std::size_t stride) {
  for (; left >= R; left -= R) {
    const std::size_t r = rows.size() - left;
    add_products_of<R>(&rows[r], columns, panel, width, out + r * stride, stride);
  }
  return left;
}

void add_products_here(std::span<const double* const> rows, std::size_t columns,
                       const double* panel, std::size_t width, double* out, std::size_t stride) {
  std::size_t left = rows.size();
  left = add_groups_of_rows<6>(rows, left, columns, panel, width, out, stride);
  left = add_groups_of_rows<4>(rows, left, columns, panel, width, out, stride);
  left = add_groups_of_rows<2>(rows, left, columns, panel, width, out, stride);
  add_groups_of_rows<1>(rows, left, columns, panel, width, out, stride);
}

}  // namespace kernmix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kernmix {

HWY_EXPORT(exponentials_here);
HWY_EXPORT(column_sums_here);
HWY_EXPORT(add_products_here);

void exponentials(double factor, MutableSpan values) {
  HWY_DYNAMIC_DISPATCH(exponentials_here)(factor, values);
}

void column_sums(ColumnTerm term, ConstSpan sample, const double* panel, double* sums) {
  HWY_DYNAMIC_DISPATCH(column_sums_here)(term, sample, panel, sums);
}

void add_products(std::span<const double* const> rows, Index columns, const double* panel,
                  Index width, double* out, Index stride) {
  HWY_DYNAMIC_DISPATCH(add_products_here)
  (rows, to_size(columns), panel, to_size(width), out, to_size(stride));
}

}  // namespace kernmix
#endif
