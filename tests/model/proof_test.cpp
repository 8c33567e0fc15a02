// A model from a cutting-plane solver carries the dual vector that proves its lower bound.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "kernmix/error.hpp"
#include "model/file/model_container.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

TrainOptions cutting_plane_options(const std::string& solver) {
  TrainOptions options = toy_options();
  options.C = 10.0;
  options.solver.solver = solver;
  options.solver.tolerance = 1e-4;
  return options;
}

TEST(Proof, IsKeptAndVerified) {
  const Dataset data = toy_data(80, 6);
  for (const char* solver : {"silp", "level"}) {
    const TrainResult result = train(data, cutting_plane_options(solver), {});
    EXPECT_EQ(result.status, Status::converged) << solver;
    ASSERT_FALSE(result.model.tasks[0].witness.empty()) << solver;
    const Model model = decode_model(encode_model(result.model));
    EXPECT_EQ(model.tasks[0].witness, result.model.tasks[0].witness);
    const Verification check = verify(model, data, {});
    EXPECT_TRUE(check.agrees) << solver << " " << check.difference;
    EXPECT_LE(check.recomputed.relative_gap(), 1e-4) << solver;

    std::vector<Index> backwards(80);
    std::iota(backwards.rbegin(), backwards.rend(), Index{0});
    EXPECT_TRUE(verify(model, rows_of(data, backwards), {}).agrees) << solver;
  }
}

TEST(Proof, AClaimWithoutItDoesNotHold) {
  const Dataset data = toy_data(80, 6);
  Model model = train(data, cutting_plane_options("silp"), {}).model;
  Model without = model;
  without.tasks[0].witness.clear();
  EXPECT_FALSE(verify(without, data, {}).agrees);
  for (std::size_t s = 0; s < model.tasks[0].witness.size(); s += 2)
    model.tasks[0].witness[s] = 0.0;
  EXPECT_FALSE(verify(model, data, {}).agrees);
}

TEST(Proof, OtherSolversNeedNone) {
  TrainOptions options = toy_options();
  options.normalization = parse_normalization("trace");
  const TrainResult result = train(toy_data(60, 6), options, {});
  EXPECT_TRUE(result.model.tasks[0].witness.empty());
}

TEST(Proof, OfAnotherLengthIsRefused) {
  Model model = train(toy_data(60, 6), toy_options(), {}).model;
  model.tasks[0].witness.assign(model.tasks[0].coefficients.size() + 1, 0.0);
  EXPECT_THROW(check_model(model), DataError);
  model.tasks[0].witness.assign(model.tasks[0].coefficients.size(), std::nan(""));
  EXPECT_THROW(check_model(model), DataError);
}

}  // namespace
}  // namespace kernmix
