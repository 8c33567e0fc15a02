#include <gtest/gtest.h>

#include <cmath>

#include "kernmix/error.hpp"
#include "model/model_container.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

double squared_distance(ConstSpan left, ConstSpan right) {
  double sum = 0.0;
  for (std::size_t j = 0; j < left.size(); ++j) sum += (left[j] - right[j]) * (left[j] - right[j]);
  return sum;
}

enum class Kind { gram, distance };

/// exp(-|x - z|^2 / 50) or |x - z| between the rows of two tables.
std::shared_ptr<const Matrix> matrix_between(const Table& left, const Table& right, Kind kind) {
  auto matrix = std::make_shared<Matrix>(left.samples(), right.samples());
  for (Index i = 0; i < matrix->rows; ++i) {
    for (Index j = 0; j < matrix->cols; ++j) {
      const double squared = squared_distance(left.values.row(i), right.values.row(j));
      (*matrix)(i, j) = kind == Kind::gram ? std::exp(-squared / 50.0) : std::sqrt(squared);
    }
  }
  return matrix;
}

/// `data` with its features replaced by a matrix against `training`.
Dataset as_matrix_data(const Dataset& data, const Dataset& training, Kind kind) {
  Dataset result;
  result.table.labels = data.table.labels;
  result.table.source = "labels.csv";
  const auto input = kind == Kind::gram ? KernelInput::gram : KernelInput::distance;
  result.matrices = {{"K", input, matrix_between(data.table, training.table, kind)}};
  return result;
}

TrainOptions feature_options() {
  TrainOptions options;
  options.kernels = {"rbf(gamma=0.02) on all"};
  options.scaling = ScalingRule::none;
  options.regularizer = "average";
  return options;
}

void expect_near(const Vector& left, const Vector& right) {
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) EXPECT_NEAR(left[i], right[i], 1e-9) << i;
}

class GivenMatrix : public testing::TestWithParam<Kind> {};

TEST_P(GivenMatrix, EqualsTheKernelOfFeatures) {
  const Dataset training = toy_data(60, 21);
  const Dataset fresh = toy_data(30, 22);
  const TrainOptions features = feature_options();
  TrainOptions matrices = features;
  matrices.kernels = {GetParam() == Kind::gram ? "precomputed on K" : "rbf(gamma=0.02) on K"};
  for (const char* rule : {"trace", "center+trace"}) {
    matrices.normalization = parse_normalization(rule);
    TrainOptions expected_options = features;
    expected_options.normalization = matrices.normalization;
    const Model expected = train(training, expected_options, {}).model;
    const Dataset given = as_matrix_data(training, training, GetParam());
    const Model model = decode_model(encode_model(train(given, matrices, {}).model));
    EXPECT_NEAR(model.certificate.primal, expected.certificate.primal,
                1e-9 * expected.certificate.primal);
    EXPECT_TRUE(verify(model, given, {}).agrees);
    expect_near(predict(model, as_matrix_data(fresh, training, GetParam()), {}).decision,
                predict(expected, fresh, {}).decision);
  }
}

TEST_P(GivenMatrix, TakesColumnsOfSupportVectorsAlone) {
  const Dataset training = toy_data(60, 23);
  const Dataset fresh = toy_data(30, 24);
  TrainOptions options = feature_options();
  options.kernels = {GetParam() == Kind::gram ? "precomputed on K" : "rbf(gamma=0.02) on K"};
  const Model model = train(as_matrix_data(training, training, GetParam()), options, {}).model;
  ASSERT_LT(length(model.support), 60);
  const Dataset support = rows_of(training, model.support);
  EXPECT_EQ(predict(model, as_matrix_data(fresh, support, GetParam()), {}).decision,
            predict(model, as_matrix_data(fresh, training, GetParam()), {}).decision);
  const Dataset wrong = rows_of(training, {0, 1, 2});
  EXPECT_THROW((void)predict(model, as_matrix_data(fresh, wrong, GetParam()), {}), DataError);
}

INSTANTIATE_TEST_SUITE_P(Kinds, GivenMatrix, testing::Values(Kind::gram, Kind::distance));

TEST(GivenMatrices, AreFoundByNameOrByPlace) {
  const Dataset training = toy_data(60, 25);
  Dataset given = as_matrix_data(training, training, Kind::gram);
  TrainOptions options;
  const Model model = train(given, options, {}).model;
  const Vector decision = predict(model, given, {}).decision;
  given.matrices[0].name = "K_test";
  EXPECT_EQ(predict(model, given, {}).decision, decision);
  EXPECT_TRUE(verify(model, given, {}).agrees);
  given.matrices.push_back(given.matrices[0]);
  given.matrices[1].name = "another";
  EXPECT_THROW((void)predict(model, given, {}), DataError);
  given.matrices.clear();
  EXPECT_THROW((void)predict(model, given, {}), DataError);
}

TEST(GivenMatrices, GoTogetherWithFeatures) {
  Dataset data = toy_data(60, 26);
  data.matrices = as_matrix_data(data, data, Kind::gram).matrices;
  TrainOptions options;
  options.kernels = {"linear on a", "precomputed on K"};
  options.regularizer = "average";
  const Model model = train(data, options, {}).model;
  EXPECT_TRUE(verify(model, data, {}).agrees);
  EXPECT_EQ(length(predict(model, data, {}).decision), 60);
}

TEST(GivenMatrices, RefuseCosineThatPredictionCouldNotApply) {
  const Dataset training = toy_data(60, 28);
  TrainOptions options;
  options.normalization = parse_normalization("cosine");
  EXPECT_THROW((void)train(as_matrix_data(training, training, Kind::gram), options, {}),
               ParameterError);
  const Dataset distances = as_matrix_data(training, training, Kind::distance);
  EXPECT_EQ(length(predict(train(distances, options, {}).model, distances, {}).decision), 60);
}

TEST(GivenMatrices, MustBeSquareAndMatchTheLabels) {
  const Dataset training = toy_data(60, 27);
  Dataset wide = as_matrix_data(training, toy_data(61, 27), Kind::gram);
  EXPECT_THROW((void)train(wide, {}, {}), DataError);
  Dataset tall = as_matrix_data(training, training, Kind::gram);
  tall.table.labels.pop_back();
  EXPECT_THROW((void)train(tall, {}, {}), DataError);
}

}  // namespace
}  // namespace kernmix
