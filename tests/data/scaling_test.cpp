#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/temporary_file.hpp"
#include "kernmix/data.hpp"

namespace kernmix {
namespace {

Matrix column(const Vector& values) {
  Matrix matrix(length(values), 1);
  matrix.values = values;
  return matrix;
}

RC_GTEST_PROP(Scaling, StandardHasMeanZeroAndDeviationOne, ()) {
  const auto whole = *rc::gen::suchThat(
      rc::gen::container<std::vector<int>>(rc::gen::inRange(-1000, 1000)), [](const auto& x) {
        return !x.empty() &&
               *std::min_element(x.begin(), x.end()) < *std::max_element(x.begin(), x.end());
      });
  const double unit = *rc::gen::element(1e-200, 1e-3, 1.0, 1e200);
  Vector values;
  for (const int value : whole) values.push_back(unit * value);
  const Matrix raw = column(values);
  const Vector scaled = Scaling::fit(ScalingRule::standard, raw).apply(raw).values;
  double sum = 0.0;
  double squares = 0.0;
  for (const double value : scaled) {
    sum += value;
    squares += value * value;
  }
  const auto n = static_cast<double>(scaled.size());
  RC_ASSERT(std::abs(sum / n) < 1e-10);
  RC_ASSERT(std::abs(squares / n - 1.0) < 1e-10);
}

TEST(Scaling, MinmaxRunsFromZeroToOne) {
  const Scaling scaling = Scaling::fit(ScalingRule::minmax, column({-1, 3, 1}));
  EXPECT_EQ(scaling.apply(column({-1, 3, 1, 5})).values, (Vector{0, 1, 0.5, 1.5}));
}

TEST(Scaling, NoneChangesNothing) {
  const Matrix raw = column({0.1, 1e308, -0.0});
  EXPECT_EQ(Scaling::fit(ScalingRule::none, raw).apply(raw).values, raw.values);
}

TEST(Scaling, ConstantColumnsBecomeZero) {
  for (const ScalingRule rule : {ScalingRule::standard, ScalingRule::minmax}) {
    const Scaling scaling = Scaling::fit(rule, column({0.1, 0.1, 0.1}));
    EXPECT_EQ(scaling.divisor, (Vector{1}));
    EXPECT_EQ(scaling.apply(column({0.1, 1.1})).values, (Vector{0, 1}));
  }
}

TEST(Scaling, RefusesWhatDoubleCannotHold) {
  EXPECT_THROW(static_cast<void>(Scaling::fit(ScalingRule::minmax, column({-1e308, 1e308}))),
               DataError);
  EXPECT_THROW(static_cast<void>(Scaling::fit(ScalingRule::standard, column({1.7e308, 1.6e308}))),
               DataError);
  EXPECT_EQ(error_of([] {
              static_cast<void>(Scaling::fit(ScalingRule::none, column({1})).apply(Matrix(1, 2)));
            }),
            "the scaling was fitted on 1 columns, the data has 2");
}

TEST(Scaling, NamesParseBack) {
  for (const ScalingRule rule : {ScalingRule::none, ScalingRule::standard, ScalingRule::minmax}) {
    EXPECT_EQ(parse_scaling(scaling_name(rule)), rule);
  }
  EXPECT_EQ(error_of([] { static_cast<void>(parse_scaling("min-max")); }),
            "scaling 'min-max' is not known, did you mean 'minmax'? (none, standard or minmax)");
}

}  // namespace
}  // namespace kernmix
