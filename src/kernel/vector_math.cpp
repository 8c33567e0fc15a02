#include "kernel/vector_math.hpp"

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

}  // namespace kernmix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kernmix {

HWY_EXPORT(exponentials_here);
HWY_EXPORT(column_sums_here);

void exponentials(double factor, MutableSpan values) {
  HWY_DYNAMIC_DISPATCH(exponentials_here)(factor, values);
}

void column_sums(ColumnTerm term, ConstSpan sample, const double* panel, double* sums) {
  HWY_DYNAMIC_DISPATCH(column_sums_here)(term, sample, panel, sums);
}

}  // namespace kernmix
#endif
