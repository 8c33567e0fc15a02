#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/samples.hpp"
#include "data/scaling/scaling_fit.hpp"
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

/// Also those whose values differ by rounding only.
RC_GTEST_PROP(Scaling, ConstantColumnsAreZeroForAnyNewValue, ()) {
  const auto rule =
      *rc::gen::element(ScalingRule::standard, ScalingRule::minmax, ScalingRule::common,
                        ScalingRule::root, ScalingRule::standard_root);
  const double value = *rc::gen::element(0.0, 0.1, 7.0, 2023.0, 1e9, 1e200);
  const bool rounded = *rc::gen::arbitrary<bool>() && value > 0.0;
  const double last = rounded ? std::nextafter(value, 1e300) : value;
  const double fresh = *rc::gen::element(0.0, 0.2, 8.0, 1e6, 1e250);
  const Scaling scaling = Scaling::fit(rule, column({value, value, last}));
  RC_ASSERT(scaling.apply(column({value, fresh})).values == (Vector{0.0, 0.0}));
}

TEST(Scaling, SmallDifferencesThatAreNotRoundingCount) {
  const Scaling scaling = Scaling::fit(ScalingRule::minmax, column({1e9, 1e9 + 1.0}));
  EXPECT_EQ(scaling.apply(column({1e9, 1e9 + 1.0})).values, (Vector{0.0, 1.0}));
}

/// n samples of numbers >= 0, of which the columns have these ranges.
Matrix with_ranges(const Vector& ranges, Index n, double share_of_zeros = 0.0) {
  Matrix matrix(n, length(ranges));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < matrix.cols; ++j) {
      const auto step = static_cast<double>((7 * i + 3 * j) % n) / static_cast<double>(n - 1);
      const double above = (step - share_of_zeros) / (1.0 - share_of_zeros);
      matrix(i, j) = ranges[static_cast<std::size_t>(j)] * std::max(above, 0.0);
    }
  }
  return matrix;
}

ScalingRule chosen(const Matrix& matrix) {
  std::vector<std::string> names;
  for (Index j = 0; j < matrix.cols; ++j) names.push_back(std::to_string(j));
  const auto column = [&](Index j) { return ColumnValues{column_of(matrix, j)}; };
  return fit_view(ScalingRule::automatic, names, column, {}).rule;
}

TEST(Scaling, AutomaticFollowsTheNumbersOfTheView) {
  const Index n = 50;
  const Matrix pixels = with_ranges(Vector(20, 16.0), n);
  EXPECT_EQ(chosen(pixels), ScalingRule::common);
  EXPECT_EQ(chosen(with_ranges(Vector(20, 16.0), n, 0.9)), ScalingRule::root);
  EXPECT_EQ(chosen(with_ranges(Vector(15, 16.0), n, 0.9)), ScalingRule::standard) << "few columns";
  Vector spectrum;
  for (int j = 0; j < 40; ++j) spectrum.push_back(std::pow(1.2, std::min(j, 40 - j)));
  EXPECT_EQ(chosen(with_ranges(spectrum, n)), ScalingRule::common);
  std::ranges::sort(spectrum, {}, [](double x) { return std::fmod(x * 997.0, 1.0); });
  EXPECT_EQ(chosen(with_ranges(spectrum, n)), ScalingRule::standard) << "neighbours differ";
  Vector mixed(20, 1.0);
  for (const double share : {0.0, 0.9}) {
    mixed[3] = mixed[4] = 1.0;
    EXPECT_NE(chosen(with_ranges(mixed, n, share)), ScalingRule::standard);
    mixed[3] = mixed[4] = 1000.0;
    EXPECT_EQ(chosen(with_ranges(mixed, n, share)), ScalingRule::standard) << "two dominate";
  }
  Matrix negative = pixels;
  negative(7, 7) = -1e-9;
  EXPECT_EQ(chosen(negative), ScalingRule::standard);
}

TEST(Scaling, AutomaticTakesRootsOfPartsOfAWhole) {
  Matrix histogram = with_ranges(Vector(20, 16.0), 50);
  for (Index i = 0; i < histogram.rows; ++i) {
    double sum = 0.0;
    for (const double value : histogram.row(i)) sum += value;
    for (double& value : histogram.row(i)) value *= 100.0 / sum;
  }
  EXPECT_EQ(chosen(histogram), ScalingRule::standard_root);
  for (double& value : histogram.row(3)) value *= 1.05;
  EXPECT_EQ(chosen(histogram), ScalingRule::common);
}

/// Whatever the order of the samples and the unit of a view, a power of two that rounds nothing.
RC_GTEST_PROP(Scaling, AutomaticDoesNotDependOnOrderOrUnit, ()) {
  const auto columns = *rc::gen::inRange(2, 40);
  const auto whole = *rc::gen::container<std::vector<int>>(static_cast<std::size_t>(columns * 12),
                                                           rc::gen::inRange(-1, 12));
  Matrix matrix(12, columns);
  for (std::size_t k = 0; k < whole.size(); ++k) matrix.values[k] = std::max(whole[k], 0);
  Matrix other(12, columns);
  const double unit = *rc::gen::element(0x1p-40, 0x1p-3, 0x1p60);
  for (Index i = 0; i < 12; ++i) {
    for (Index j = 0; j < columns; ++j) other(i, j) = unit * matrix(11 - i, j);
  }
  RC_ASSERT(chosen(matrix) == chosen(other));
}

RC_GTEST_PROP(Scaling, CommonKeepsRatiosAndHasMeanVarianceOne, ()) {
  const auto columns = *rc::gen::inRange(1, 6);
  const auto whole = *rc::gen::container<std::vector<int>>(static_cast<std::size_t>(columns * 9),
                                                           rc::gen::inRange(-1000, 1000));
  Matrix raw(9, columns);
  for (std::size_t k = 0; k < whole.size(); ++k) raw.values[k] = whole[k];
  const Scaling scaling = Scaling::fit(ScalingRule::common, raw);
  const Matrix scaled = scaling.apply(raw);
  double variances = 0.0;
  double varying = 0.0;  // columns that are not constant
  const double common = *std::ranges::max_element(scaling.divisor);
  for (Index j = 0; j < columns; ++j) {
    const double divisor = scaling.divisor[static_cast<std::size_t>(j)];
    RC_ASSERT(divisor == common || divisor == 0.0);
    varying += divisor == 0.0 ? 0.0 : 1.0;
    double sum = 0.0;
    double squares = 0.0;
    for (Index i = 0; i < 9; ++i) {
      sum += scaled(i, j);
      squares += scaled(i, j) * scaled(i, j);
    }
    RC_ASSERT(std::abs(sum) < 1e-10);
    variances += squares / 9.0;
  }
  const bool constant =
      std::ranges::all_of(scaled.values, [](double value) { return value == 0.0; });
  RC_ASSERT(constant || std::abs(variances / varying - 1.0) < 1e-10);
}

TEST(Scaling, RootsAreTakenFirst) {
  const Matrix raw = column({0, 1, 4, 9});
  EXPECT_EQ(Scaling::fit(ScalingRule::root, raw).apply(raw).values, (Vector{0, 1, 2, 3}));
  EXPECT_EQ(
      Scaling::fit(ScalingRule::standard_root, raw).apply(raw).values,
      Scaling::fit(ScalingRule::standard, column({0, 1, 2, 3})).apply(column({0, 1, 2, 3})).values);
  EXPECT_EQ(error_of([] {
              static_cast<void>(Scaling::fit(ScalingRule::root, column({1, -2})));
            }),
            "column 1 has the value -2, which has no square root; choose a scaling rule other than "
            "sqrt for its view");
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
  for (const ScalingRule rule :
       {ScalingRule::automatic, ScalingRule::none, ScalingRule::standard, ScalingRule::minmax,
        ScalingRule::common, ScalingRule::root, ScalingRule::standard_root}) {
    EXPECT_EQ(parse_scaling_rule(scaling_name(rule)), rule);
  }
  EXPECT_EQ(error_of([] { static_cast<void>(parse_scaling_rule("min-max")); }),
            "scaling 'min-max' is not known, did you mean 'minmax'? (auto, none, standard, minmax, "
            "common, sqrt or sqrt+standard)");
}

TEST(Scaling, ChoicesParseBack) {
  for (const std::vector<std::string>& rules : std::vector<std::vector<std::string>>{
           {"auto"}, {"minmax", "a=none", "words of a=b=common"}, {"auto", "x=sqrt+standard"}}) {
    EXPECT_EQ(scaling_texts(parse_scaling(rules)), rules);
    EXPECT_EQ(parse_scaling(scaling_texts(parse_scaling(rules))), parse_scaling(rules));
  }
  const ScalingChoice choice = parse_scaling({"a=none", "minmax"});
  EXPECT_EQ(choice.of("a"), ScalingRule::none);
  EXPECT_EQ(choice.of("b"), ScalingRule::minmax);
  EXPECT_EQ(parse_scaling({}), ScalingChoice());
  EXPECT_EQ(ScalingChoice().of("a"), ScalingRule::automatic);
}

TEST(Scaling, ChoicesThatSayTwoThingsAreRefused) {
  const auto refusal = [](const std::vector<std::string>& rules) {
    return error_of([&] { static_cast<void>(parse_scaling(rules)); });
  };
  EXPECT_EQ(refusal({"a=none", "a=none"}), "scaling has two rules for the view 'a'");
  EXPECT_EQ(refusal({"none", "a=none", "minmax"}),
            "scaling has two rules for all views, none and minmax; write VIEW=RULE for one view");
  EXPECT_EQ(refusal({"=none"}), "scaling '=none' has no view before the '='");
  EXPECT_NE(refusal({"a="}), "");
  EXPECT_NE(refusal({""}), "");
  EXPECT_EQ(error_of([] {
              check_scaling_views(parse_scaling({"wrods=none"}), {"pixels", "words"});
            }),
            "scaling: there is no view 'wrods' with columns, did you mean 'words'? (views: pixels, "
            "words)");
}

}  // namespace
}  // namespace kernmix
