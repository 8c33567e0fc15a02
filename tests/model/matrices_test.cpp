#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string_view>

#include "data/temporary_file.hpp"
#include "kernmix/error.hpp"
#include "model/file/model_container.hpp"
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

class GivenMatrices : public ::testing::TestWithParam<Kind> {};

TEST_P(GivenMatrices, EqualsTheKernelOfFeatures) {
  const Dataset training = toy_data(60, 21);
  const Dataset fresh = toy_data(30, 22);
  const TrainOptions features = feature_options();
  TrainOptions matrices = features;
  matrices.kernels = {GetParam() == Kind::gram ? "precomputed on K" : "rbf(gamma=0.02) on K"};
  for (const char* rule : {"trace", "center+trace", "variance"}) {
    matrices.normalization = parse_normalization(rule);
    TrainOptions expected_options = features;
    expected_options.normalization = matrices.normalization;
    const Model expected = train(training, expected_options, {}).model;
    const Dataset given = as_matrix_data(training, training, GetParam());
    const Model model = decode_model(encode_model(train(given, matrices, {}).model));
    EXPECT_NEAR(model.certificate.primal, expected.certificate.primal,
                1e-9 * expected.certificate.primal);
    EXPECT_TRUE(verify(model, given, {}).agrees);
    expect_near(predict(model, as_matrix_data(fresh, training, GetParam()), {}).decision.values,
                predict(expected, fresh, {}).decision.values);
  }
}

TEST_P(GivenMatrices, TakesColumnsOfSupportVectorsAlone) {
  const Dataset training = toy_data(60, 23);
  const Dataset fresh = toy_data(30, 24);
  TrainOptions options = feature_options();
  options.kernels = {GetParam() == Kind::gram ? "precomputed on K" : "rbf(gamma=0.02) on K"};
  const Model model = train(as_matrix_data(training, training, GetParam()), options, {}).model;
  ASSERT_LT(length(model.support), 60);
  const Dataset support = rows_of(training, model.support);
  EXPECT_EQ(predict(model, as_matrix_data(fresh, support, GetParam()), {}).decision.values,
            predict(model, as_matrix_data(fresh, training, GetParam()), {}).decision.values);
  const Dataset wrong = rows_of(training, {0, 1, 2});
  EXPECT_THROW((void)predict(model, as_matrix_data(fresh, wrong, GetParam()), {}), DataError);
}

INSTANTIATE_TEST_SUITE_P(Kinds, GivenMatrices, ::testing::Values(Kind::gram, Kind::distance));

TEST(RefusedMatrices, AreFoundByNameOrByPlace) {
  const Dataset training = toy_data(60, 25);
  Dataset given = as_matrix_data(training, training, Kind::gram);
  TrainOptions options;
  const Model model = train(given, options, {}).model;
  const Vector decision = predict(model, given, {}).decision.values;
  given.matrices[0].name = "K_test";
  EXPECT_EQ(predict(model, given, {}).decision.values, decision);
  EXPECT_TRUE(verify(model, given, {}).agrees);
  given.matrices.push_back(given.matrices[0]);
  given.matrices[1].name = "another";
  EXPECT_THROW((void)predict(model, given, {}), DataError);
  given.matrices.clear();
  EXPECT_THROW((void)predict(model, given, {}), DataError);
}

TEST(RefusedMatrices, GoTogetherWithFeatures) {
  Dataset data = toy_data(60, 26);
  data.matrices = as_matrix_data(data, data, Kind::gram).matrices;
  TrainOptions options;
  options.kernels = {"linear on a", "precomputed on K"};
  options.regularizer = "average";
  const Model model = train(data, options, {}).model;
  EXPECT_TRUE(verify(model, data, {}).agrees);
  EXPECT_EQ(length(predict(model, data, {}).decision.values), 60);
}

TEST(RefusedMatrices, RefuseCosineThatPredictionCouldNotApply) {
  const Dataset training = toy_data(60, 28);
  TrainOptions options;
  options.normalization = parse_normalization("cosine");
  EXPECT_THROW((void)train(as_matrix_data(training, training, Kind::gram), options, {}),
               ParameterError);
  const Dataset distances = as_matrix_data(training, training, Kind::distance);
  EXPECT_EQ(length(predict(train(distances, options, {}).model, distances, {}).decision.values),
            60);
}

TEST(RefusedMatrices, MustBeSquareAndMatchTheLabels) {
  const Dataset training = toy_data(60, 27);
  Dataset wide = as_matrix_data(training, toy_data(61, 27), Kind::gram);
  EXPECT_THROW((void)train(wide, {}, {}), DataError);
  Dataset tall = as_matrix_data(training, training, Kind::gram);
  tall.table.labels.pop_back();
  EXPECT_THROW((void)train(tall, {}, {}), DataError);
}

/// The same matrices, those of `kind` as a stack in a file.
Dataset in_file(const Dataset& data, const std::string& path) {
  Dataset result = data;
  const Index rows = data.matrices.front().matrix.rows();
  const Index cols = data.matrices.front().matrix.cols();
  Vector all;
  for (const MatrixView& view : data.matrices) {
    const Matrix matrix = view.matrix.whole();
    all.insert(all.end(), matrix.values.begin(), matrix.values.end());
  }
  write_npy(path, {length(data.matrices), rows, cols}, all);
  const std::vector<GivenMatrix> opened = open_matrices(path);
  for (std::size_t m = 0; m < opened.size(); ++m) result.matrices[m].matrix = opened[m];
  return result;
}

/// Three matrices of the columns of toy_data.
Dataset three_matrices(const Dataset& data, const Dataset& training, Kind kind) {
  Dataset result = as_matrix_data(data, training, kind);
  result.matrices.clear();
  for (const Index begin : {0, 1, 2}) {
    const auto part = [&](const Dataset& from) {
      Table table = from.table;
      for (Index i = 0; i < table.values.rows; ++i) {
        for (Index j = 0; j < table.values.cols; ++j) {
          if (j % 3 != begin) table.values(i, j) = 0.0;
        }
      }
      return table;
    };
    const auto input = kind == Kind::gram ? KernelInput::gram : KernelInput::distance;
    result.matrices.push_back(
        {"K" + std::to_string(begin), input, matrix_between(part(data), part(training), kind)});
  }
  return result;
}

TEST_P(GivenMatrices, OfAFileTrainTheSameModelAsInMemory) {
  const TemporaryFolder folder;
  const Dataset training = toy_data(70, 25);
  const Dataset memory = three_matrices(training, training, GetParam());
  const Dataset file = in_file(memory, folder.path("train.npy"));
  const Dataset fresh = three_matrices(toy_data(20, 26), training, GetParam());
  const Dataset fresh_file = in_file(fresh, folder.path("test.npy"));
  for (const char* rule : {"trace", "none", "center+trace", "variance"}) {
    for (const char* regularizer : {"l1", "lp:p=2"}) {
      for (const double tolerance : {1e-3, 1e-8}) {
        TrainOptions options;
        options.kernels = {GetParam() == Kind::gram ? "precomputed on *"
                                                    : "rbf(width=median) on *"};
        options.normalization = parse_normalization(rule);
        options.regularizer = regularizer;
        options.solver.tolerance = tolerance;
        Context context;
        context.threads = 2;
        const Model expected = train(memory, options, {}).model;
        const Model model = train(file, options, context).model;
        EXPECT_EQ(model.training_hash, expected.training_hash);
        // In memory entries are scaled after they are added up: other last bits.
        const double size = expected.certificate.primal;
        EXPECT_LE(model.certificate.gap, tolerance * size) << rule << ", " << regularizer;
        EXPECT_NEAR(model.certificate.primal, size, tolerance * size);
        EXPECT_TRUE(verify(model, file, {}).agrees);
        expect_near(predict(model, fresh_file, {}).decision.values,
                    predict(model, fresh, {}).decision.values);
      }
    }
  }
}

/// The certificate is of what was trained on, or there is none.
TEST(RefusedMatrices, AreThoseOfAFileThatShrinksAfterItWasCompressed) {
  const TemporaryFolder folder;
  const std::string path = folder.path("k.npy");
  const Dataset training = toy_data(40, 29);
  const Dataset data = in_file(as_matrix_data(training, training, Kind::gram), path);
  Context context;
  context.progress = [&](const Progress& moment) {
    if (std::string_view(moment.stage) == "kernels") std::filesystem::resize_file(path, 1000);
  };
  const std::string message =
      error_of([&] { static_cast<void>(train(data, TrainOptions{}, context)); });
  EXPECT_EQ(folder.strip(message), "k.npy: became shorter during the run; run again");
}

TEST(RefusedMatrices, OfAFileAreRefusedAsThoseInMemory) {
  const TemporaryFolder folder;
  const Dataset training = toy_data(40, 27);
  const auto refusal = [&](Kind kind, double value, bool both) {
    Dataset data = as_matrix_data(training, training, kind);
    Matrix matrix = data.matrices[0].matrix.whole();
    matrix(3, 5) = value;
    if (both) matrix(5, 3) = value;
    data.matrices[0].matrix = matrix;
    TrainOptions options;
    const auto message = [&](const Dataset& from) {
      return error_of([&] { static_cast<void>(train(from, options, {})); });
    };
    const std::string in_memory = message(data);
    EXPECT_EQ(message(in_file(data, folder.path("k.npy"))), in_memory);
    return in_memory;
  };
  EXPECT_NE(refusal(Kind::gram, 0.5, false).find("is not symmetric: row "), std::string::npos);
  EXPECT_NE(refusal(Kind::gram, 7.0, true).find("is not positive semidefinite"), std::string::npos);
  EXPECT_NE(refusal(Kind::distance, -1.0, true)
                .find("finite non-negative values, but row 4, "
                      "column 6 is -1"),
            std::string::npos);
}

TEST(RefusedMatrices, MayBeTakenForDefinite) {
  const Dataset training = toy_data(40, 28);
  Dataset data = as_matrix_data(training, training, Kind::gram);
  TrainOptions options;
  options.assume_psd = true;
  const TrainResult result = train(data, options, {});
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_EQ(result.warnings[0].code, "definiteness-assumed");
  EXPECT_EQ(result.warnings[0].kernels, std::vector<Index>{0});
  options.kernels = {"rbf on *"};
  EXPECT_TRUE(train(training, options, {}).warnings.empty());  // known to be definite
  Matrix matrix = data.matrices[0].matrix.whole();
  for (Index i = 0; i < matrix.rows; ++i) matrix(i, i) -= 0.1;
  data.matrices[0].matrix = matrix;
  options.kernels.clear();
  const Model model = train(data, options, {}).model;
  EXPECT_FALSE(verify(model, data, {}).agrees);
}

/// Weights of a rule too: verify says what does not hold and goes on.
TEST(RefusedMatrices, TakenForDefiniteFailTheirClaimAndNoOther) {
  const Dataset training = toy_data(40, 29);
  Dataset data = as_matrix_data(training, training, Kind::gram);
  Matrix matrix = data.matrices[0].matrix.whole();
  for (Index i = 0; i < matrix.rows; ++i) matrix(i, i) -= 0.1;
  data.matrices[0].matrix = matrix;
  TrainOptions options;
  options.assume_psd = true;
  options.regularizer = "alignment";
  const Model model = train(data, options, {}).model;
  const Verification result = verify(model, data, {});
  EXPECT_FALSE(result.agrees);
  const auto holds = [&](const std::string& name) {
    const auto claim = std::ranges::find(result.claims, name, &Claim::name);
    return claim != result.claims.end() && claim->agrees;
  };
  EXPECT_FALSE(holds("kernels"));
  EXPECT_TRUE(holds("weights"));
}

/// Looking whether a kernel is definite takes n^2 numbers in single precision.
TEST(RefusedMatrices, AreNotLookedForBeyondTheBudget) {
  constexpr Index kSamples = 600;
  const Dataset training = toy_data(kSamples, 30);
  const Dataset data = as_matrix_data(training, training, Kind::gram);
  const Model model = train(data, TrainOptions{}, {}).model;
  Context context;
  context.memory_bytes = kSamples * kSamples * sizeof(float) - 1;
  EXPECT_THROW(static_cast<void>(verify(model, data, context)), ResourceError);
}

}  // namespace
}  // namespace kernmix
