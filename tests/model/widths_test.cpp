#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/file/model_container.hpp"
#include "model/toy_tasks.hpp"

namespace kernmix {
namespace {

/// Standardised columns of `data`, and the middle of all sorted positive distances between them.
double naive_median(const Dataset& data, const std::vector<std::string>& columns) {
  const Matrix& raw = data.table.values;
  Matrix scaled(raw.rows, length(columns));
  for (Index j = 0; j < scaled.cols; ++j) {
    const auto at = std::ranges::find(data.table.columns, columns[static_cast<std::size_t>(j)]);
    const Index from = at - data.table.columns.begin();
    double mean = 0.0;
    double squares = 0.0;
    for (Index i = 0; i < raw.rows; ++i) mean += raw(i, from) / static_cast<double>(raw.rows);
    for (Index i = 0; i < raw.rows; ++i) squares += std::pow(raw(i, from) - mean, 2.0);
    const double deviation = std::sqrt(squares / static_cast<double>(raw.rows));
    for (Index i = 0; i < raw.rows; ++i) scaled(i, j) = (raw(i, from) - mean) / deviation;
  }
  Vector distances;
  for (Index i = 0; i < raw.rows; ++i) {
    for (Index k = 0; k < i; ++k) {
      double squared = 0.0;
      for (Index j = 0; j < scaled.cols; ++j) squared += std::pow(scaled(i, j) - scaled(k, j), 2.0);
      distances.push_back(std::sqrt(squared));
    }
  }
  std::ranges::sort(distances);
  const std::size_t half = distances.size() / 2;
  return distances.size() % 2 == 1 ? distances[half]
                                   : 0.5 * (distances[half - 1] + distances[half]);
}

double gamma_of(const ModelKernel& kernel) {
  return kernel.description.function.parameters.at("gamma");
}

TrainOptions relative_options() {
  TrainOptions options = toy_options();
  options.kernels = {"rbf(width=median*2^-1..2^1) on a", "rbf(width=median) on b, each"};
  return options;
}

const std::vector<std::vector<std::string>> relative_columns = {
    {"a1", "a2", "a3"}, {"a1", "a2", "a3"}, {"a1", "a2", "a3"}, {"b1"}, {"b2"}};
const Vector relative_factors = {0.5, 1.0, 2.0, 1.0, 1.0};

void expect_fitted(const Dataset& data, const Model& model) {
  ASSERT_EQ(model.kernels.size(), relative_factors.size());
  for (std::size_t m = 0; m < relative_factors.size(); ++m) {
    const double width = relative_factors[m] * naive_median(data, relative_columns[m]);
    const double gamma = 0.5 / (width * width);
    EXPECT_NEAR(gamma_of(model.kernels[m]), gamma, 1e-11 * gamma) << m;
    EXPECT_EQ(model.kernels[m].description.relative_width->factor, relative_factors[m]);
  }
}

TEST(RelativeWidths, AreMeasuredOnScaledTrainingColumns) {
  for (const Index n : {Index{40}, Index{61}}) {
    const Dataset data = toy_data(n, 31);
    expect_fitted(data, train(data, relative_options(), {}).model);
  }
}

TEST(RelativeWidths, OfPairsOfClassesAreThoseOfAllSamples) {
  const Dataset data = testing::toy_classes(60, 3, 32);
  TrainOptions options = testing::toy_task_options("separate", TaskScheme::one_vs_one);
  options.kernels = relative_options().kernels;
  const TrainResult result = train(data, options, {});
  expect_fitted(data, result.model);
  EXPECT_TRUE(verify(result.model, data, {}).agrees);
}

TEST(RelativeWidths, AreKeptInTheModelFile) {
  const Dataset data = toy_data(50, 33);
  const Model model = train(data, relative_options(), {}).model;
  const Model again = decode_model(encode_model(model));
  for (std::size_t m = 0; m < model.kernels.size(); ++m) {
    EXPECT_EQ(again.kernels[m].description.function, model.kernels[m].description.function);
    EXPECT_EQ(again.kernels[m].description.relative_width,
              model.kernels[m].description.relative_width);
    EXPECT_EQ(again.kernels[m].description.name(), model.kernels[m].description.name());
  }
  EXPECT_EQ(again.kernels.front().description.name(), "rbf(width=median*0.5) on a");
  const Dataset fresh = toy_data(20, 34);
  EXPECT_EQ(predict(again, fresh, {}).decision.values, predict(model, fresh, {}).decision.values);
}

TEST(RelativeWidths, AreThoseThatTheirGammasSay) {
  const Dataset data = toy_data(50, 35);
  const Model model = train(data, relative_options(), {}).model;
  TrainOptions absolute = toy_options();
  absolute.kernels.clear();
  for (const ModelKernel& kernel : model.kernels) {
    const KernelDescription& said = kernel.description;
    const std::string& view = said.columns.size() == 1 ? said.columns.front() : said.view;
    absolute.kernels.push_back(said.function.text() + " on " + view);
  }
  Dataset with_columns = data;
  for (const char* column : {"b1", "b2"}) with_columns.views.push_back({column, {column}});
  const Model same = train(with_columns, absolute, {}).model;
  EXPECT_EQ(predict(same, with_columns, {}).decision.values,
            predict(model, data, {}).decision.values);
}

TEST(RelativeWidths, VerifyMeasuresThemAgain) {
  const Dataset data = toy_data(60, 36);
  const Model model = train(data, relative_options(), {}).model;
  EXPECT_TRUE(verify(model, data, {}).agrees);
  std::vector<Index> order(60);
  std::iota(order.rbegin(), order.rend(), Index{0});
  EXPECT_TRUE(verify(model, rows_of(data, order), {}).agrees);
}

TEST(RelativeWidths, OfAGivenMatrixAreThoseOfItsDistances) {
  Dataset data = toy_data(3, 37);
  data.table.columns.clear();
  data.table.values = Matrix(3, 0);
  data.views.clear();
  auto distances = std::make_shared<Matrix>(3, 3);
  distances->values = {0.0, 1.0, 5.0, 1.0, 0.0, 3.0, 5.0, 3.0, 0.0};
  data.matrices = {{"D", KernelInput::distance, distances}};
  TrainOptions options;
  options.kernels = {"laplacian(width=median*2) on D"};
  EXPECT_EQ(gamma_of(train(data, options, {}).model.kernels.front()), 1.0 / 6.0);
}

TEST(RelativeWidths, OfEqualSamplesAreThoseOfDistanceOne) {
  Dataset data = toy_data(20, 38);
  for (Index i = 0; i < 20; ++i) data.table.values(i, 3) = 4.0;
  const Model model = train(data, relative_options(), {}).model;
  EXPECT_EQ(gamma_of(model.kernels[3]), 0.5);
}

/// n samples of 2000 columns of noise, the first 200 of them with the class in their mean.
Dataset wide_data(Index n, std::uint32_t seed) {
  Numbers numbers(seed);
  Dataset data;
  for (Index j = 0; j < 2000; ++j) data.table.columns.push_back(fmt::format("x{}", j));
  data.table.values = Matrix(n, 2000);
  data.table.source = "wide.csv";
  for (Index i = 0; i < n; ++i) {
    const double sign = i % 2 == 0 ? 1.0 : -1.0;
    data.table.labels.push_back(i % 2 == 0 ? "yes" : "no");
    for (Index j = 0; j < 2000; ++j) {
      data.table.values(i, j) = numbers.normal() + (j < 200 ? 0.4 * sign : 0.0);
    }
  }
  data.views = {{"x", data.table.columns}};
  return data;
}

double share_right(const Model& model, const Dataset& data) {
  const Prediction prediction = predict(model, data, {});
  double right = 0.0;
  for (std::size_t i = 0; i < prediction.winner.size(); ++i) {
    right += label_of(model, prediction, i) == data.table.labels[i] ? 1.0 : 0.0;
  }
  return right / static_cast<double>(prediction.winner.size());
}

/// The mean of 200 columns tells the classes apart by 0.4 sqrt(200) = 5.7 deviations.
TEST(DefaultKernels, SeeAWideView) {
  const Dataset training = wide_data(60, 39);
  const Dataset fresh = wide_data(100, 40);
  const Model model = train(training, {}, {}).model;
  EXPECT_GT(share_right(model, fresh), 0.9);
  // Between two samples the squared distance is 4000 up to some percent: no kernel is an identity.
  for (const ModelKernel& kernel : model.kernels) {
    EXPECT_GT(std::exp(-4000.0 * gamma_of(kernel)), 5e-3) << kernel.description.name();
  }
}

}  // namespace
}  // namespace kernmix
