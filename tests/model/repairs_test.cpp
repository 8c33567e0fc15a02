// Indefinite matrices that are repaired: in the model file, in what verify says, under a budget and
// a deadline.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "base/symmetric.hpp"
#include "kernmix/error.hpp"
#include "model/file/model_container.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

/// A similarity with some eigenvalues well below zero.
Dataset indefinite_data(Index n, unsigned seed) {
  Dataset data = toy_data(n, seed);
  std::mt19937 draw(seed);
  std::normal_distribution<double> noise;
  Matrix K(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) {
      double product = 0.0;
      for (Index k = 0; k < data.table.values.cols; ++k) {
        product += data.table.values(i, k) * data.table.values(j, k);
      }
      K(i, j) = K(j, i) = product / 100.0 + noise(draw);
    }
  }
  data.views.clear();
  data.table.columns.clear();
  data.table.values = {};
  data.matrices = {{"K", KernelInput::gram, std::move(K)}};
  return data;
}

TrainOptions repaired_by(Repair repair) {
  TrainOptions options;
  options.repair = repair;
  return options;
}

class Repairs : public ::testing::TestWithParam<Repair> {};

TEST_P(Repairs, SurviveTheFileAndVerify) {
  const Dataset data = indefinite_data(60, 1);
  const Model model = train(data, repaired_by(GetParam()), {}).model;
  const FittedRepair& repair = model.kernels.front().repair;
  const Eigen::VectorXd values =
      symmetric_eigenvalues(as_matrix(data.matrices.front().matrix.whole()));
  EXPECT_NEAR(repair.smallest, values[0], 1e-10 * values.cwiseAbs().maxCoeff());
  EXPECT_EQ(repair.negative_count, (values.array() < 0.0).count());
  EXPECT_EQ(repair.negative.rows, GetParam() == Repair::shift ? 0 : 60);
  EXPECT_TRUE(verify(model, data, {}).agrees);
  const Model again = to_model(unpack(pack(to_container(model))));
  EXPECT_EQ(predict(again, data, {}).decision.values, predict(model, data, {}).decision.values);
  EXPECT_TRUE(verify(again, data, {}).agrees);
}

/// A sign, a number of eigenvalues, the smallest one, another rule.
TEST_P(Repairs, ThatAreAlteredAreFound) {
  const Dataset data = indefinite_data(60, 2);
  const Model model = train(data, repaired_by(GetParam()), {}).model;
  const auto refused_or_disagrees = [&](const auto& alter) {
    Model altered = model;
    alter(altered.kernels.front());
    try {
      return !verify(altered, data, {}).agrees;
    } catch (const DataError&) {
      return true;
    }
  };
  EXPECT_TRUE(refused_or_disagrees([](ModelKernel& k) { k.repair.smallest *= 1.01; }));
  EXPECT_TRUE(refused_or_disagrees([](ModelKernel& k) { k.repair.negative_count -= 1; }));
  const Repair other = GetParam() == Repair::clip ? Repair::flip : Repair::clip;
  EXPECT_TRUE(refused_or_disagrees([&](ModelKernel& k) { k.repair.rule = other; }));
  EXPECT_TRUE(refused_or_disagrees([&](ModelKernel& k) { k.description.repair = other; }));
  if (GetParam() == Repair::shift) return;
  EXPECT_TRUE(refused_or_disagrees([](ModelKernel& k) { k.repair.negative(3, 0) += 0.05; }));
  Model shorter = model;
  shorter.kernels.front().repair.negative.values.pop_back();
  EXPECT_THROW((void)to_model(unpack(pack(to_container(shorter)))), DataError);
}

TEST_P(Repairs, AskForRoomAndTime) {
  const Dataset data = indefinite_data(300, 3);
  Context context;
  context.memory_bytes = std::size_t{3} * 300 * 300 * sizeof(double) - 1;
  EXPECT_THROW((void)train(data, repaired_by(GetParam()), context), ResourceError);
  context.memory_bytes = 0;
  context.deadline = std::chrono::steady_clock::now();
  EXPECT_THROW((void)train(data, repaired_by(GetParam()), context), ResourceError);
}

/// The normalization removes the constant part, clip a negative one: what is left has another size.
TEST_P(Repairs, AreExactBesideAConstant) {
  for (const double constant : {-0.5, 0.5}) {
    Dataset data = indefinite_data(60, 4);
    Matrix K = data.matrices.front().matrix.whole();
    for (double& entry : K.values) entry = constant + 1e-6 * entry;
    data.matrices = {{"K", KernelInput::gram, std::move(K)}};
    const Model model = train(data, repaired_by(GetParam()), {}).model;
    EXPECT_TRUE(verify(model, data, {}).agrees) << constant;
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, Repairs,
                         ::testing::Values(Repair::clip, Repair::shift, Repair::flip),
                         [](const auto& rule) { return repair_name(rule.param); });

TEST(RepairRules, AreNamed) {
  for (const Repair rule : {Repair::none, Repair::clip, Repair::shift, Repair::flip}) {
    EXPECT_EQ(parse_repair(repair_name(rule)), rule);
  }
  EXPECT_THROW((void)parse_repair("mend"), ParameterError);
}

}  // namespace
}  // namespace kernmix
