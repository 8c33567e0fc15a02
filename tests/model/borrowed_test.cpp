// Numbers that the caller owns: read where they lie, with the same answer as a copy of them.

#include <gtest/gtest.h>

#include "kernmix/error.hpp"
#include "model/feature_columns.hpp"
#include "model/file/model_container.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

/// Rows of `matrix` with a gap of NaN after each, as a part of a wider array has.
struct Strided {
  explicit Strided(const Matrix& matrix) : rows(matrix.rows), cols(matrix.cols) {
    numbers.assign(to_size(rows * stride()), std::numeric_limits<double>::quiet_NaN());
    for (Index i = 0; i < rows; ++i) {
      std::ranges::copy(matrix.row(i), numbers.begin() + i * stride());
    }
  }
  [[nodiscard]] Index stride() const { return cols + 3; }
  [[nodiscard]] ConstMatrix view() const { return {numbers.data(), rows, cols, stride(), nullptr}; }

  Index rows, cols;
  Vector numbers;
};

Dataset borrowing(const Dataset& data, ConstMatrix numbers) {
  Dataset other = data;
  other.table.values = {};
  other.table.borrowed = std::move(numbers);
  return other;
}

KernelDescription reading(const std::string& function, std::vector<std::string> columns) {
  KernelDescription kernel;
  kernel.function = make_kernel_function(
      function, function == "linear" ? std::map<std::string, double>()
                                     : std::map<std::string, double>{{"gamma", 0.1}});
  kernel.columns = std::move(columns);
  return kernel;
}

TEST(Borrowed, TheModelIsThatOfACopy) {
  Dataset data = toy_data(60, 31);
  for (double& value : data.table.values.values) value = std::abs(value);
  const Strided strided(data.table.values);
  for (const ScalingRule rule :
       {ScalingRule::automatic, ScalingRule::standard, ScalingRule::none, ScalingRule::minmax,
        ScalingRule::common, ScalingRule::root, ScalingRule::standard_root}) {
    TrainOptions options = toy_options();
    options.scaling = rule;
    options.kernels = {"rbf(width=median*2^-1..2^1) on *", "linear on a, each", "chi2 on all",
                       "laplacian(gamma=0.1) on b"};
    const std::string bytes = encode_model(train(data, options, {}).model);
    const Model model = decode_model(bytes);
    for (const ConstMatrix& numbers : {ConstMatrix(data.table.values), strided.view()}) {
      const Dataset other = borrowing(data, numbers);
      EXPECT_EQ(encode_model(train(other, options, {}).model), bytes);
      EXPECT_TRUE(verify(model, other, {}).agrees);
      EXPECT_EQ(predict(model, other, {}).decision.values,
                predict(model, data, {}).decision.values);
    }
  }
}

TEST(Borrowed, UnscaledColumnsSideBySideAreReadInPlaceAndOthersCopiedOnce) {
  Dataset data = toy_data(50, 32);
  for (double& value : data.table.values.values) value = std::abs(value);
  const double* const first = data.table.values.values.data();
  const auto columns = [&](ScalingRule rule) {
    std::vector<ScaledView> views = {{"all", rule, rule, data.table.columns}};
    return FeatureColumns::fit(data.table, data.table.columns, views);
  };
  FeatureColumns raw = columns(ScalingRule::none);
  EXPECT_EQ(raw.of(reading("linear", data.table.columns)).dense().values.data(), first);
  EXPECT_EQ(raw.of(reading("linear", {"a2", "a3"})).dense().values.data(), first + 1);
  EXPECT_EQ(raw.bytes(), 0U);
  EXPECT_EQ(raw.of(reading("linear", {"a3", "a1"})).dense().row(7)[1], data.table.values(7, 0));
  EXPECT_EQ(raw.bytes(), 50U * 2U * sizeof(double));

  FeatureColumns scaled = columns(ScalingRule::standard);
  EXPECT_EQ(scaled.bytes(), 0U);
  const double* const copy = scaled.of(reading("linear", data.table.columns)).dense().values.data();
  EXPECT_NE(copy, first);
  EXPECT_EQ(scaled.of(reading("laplacian", data.table.columns)).dense().values.data(), copy);
  EXPECT_EQ(scaled.of(reading("chi2", data.table.columns)).dense().values.data(), first);
  EXPECT_EQ(scaled.bytes(), 50U * 5U * sizeof(double));
}

TEST(Borrowed, MatricesWithGapsBetweenTheirRows) {
  const Dataset source = toy_data(40, 33);
  Matrix gram(40, 40);
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < 40; ++j) {
      gram(i, j) = source.table.values(i, 0) * source.table.values(j, 0) + (i == j ? 1.0 : 0.0);
    }
  }
  const Strided strided(gram);
  TrainOptions options = toy_options();
  options.kernels = {};
  const auto with = [&](GivenMatrix matrix) {
    Dataset data;
    data.table.labels = source.table.labels;
    data.matrices = {{"K", KernelInput::gram, std::move(matrix)}};
    return data;
  };
  const Model model = train(with(gram), options, {}).model;
  const Dataset data = with(strided.view());
  EXPECT_EQ(encode_model(train(data, options, {}).model), encode_model(model));
  EXPECT_TRUE(verify(model, data, {}).agrees);
  EXPECT_EQ(predict(model, data, {}).decision.values,
            predict(model, with(gram), {}).decision.values);
}

TEST(Borrowed, KeepsItsOwnerAsLongAsItIsUsed) {
  auto owner = std::make_shared<const Matrix>(toy_data(20, 34).table.values);
  const std::weak_ptr<const Matrix> watch = owner;
  ConstMatrix numbers(owner->values.data(), 20, 5, 5, owner);
  auto source = feature_source(make_kernel_function("linear", {}), numbers, numbers);
  GivenMatrix given(numbers);
  owner.reset();
  numbers = {};
  EXPECT_FALSE(watch.expired());
  EXPECT_GT(given.whole()(19, 4), 0.0);
  given = {};
  EXPECT_FALSE(watch.expired());
  source.reset();
  EXPECT_TRUE(watch.expired());
}

TEST(Borrowed, WhatIsNoMatrixIsRefused) {
  const Dataset data = toy_data(40, 35);
  const auto refusal = [&](const Dataset& given) -> std::string {
    try {
      (void)train(given, toy_options(), {});
    } catch (const ParameterError& failure) {
      return failure.what();
    }
    return "";
  };
  Dataset both = data;
  both.table.borrowed = data.table.values;
  EXPECT_EQ(refusal(both), "toy.csv: it has both its own and borrowed numbers");
  ConstMatrix numbers = data.table.values;
  numbers.values = numbers.values.first(199);
  EXPECT_EQ(refusal(borrowing(data, numbers)), "toy.csv: a matrix of 40 x 5 numbers holds 199");
  numbers = data.table.values;
  numbers.stride = 4;
  EXPECT_NE(refusal(borrowing(data, numbers)), "");
  numbers = data.table.values;
  numbers.cols = 4;
  EXPECT_NE(refusal(borrowing(data, numbers)), "");
}

}  // namespace
}  // namespace kernmix
