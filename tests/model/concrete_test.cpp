// Regression on real data: the strength of concrete from its mixture and age (Yeh 1998). Needs the
// folder of data sets (environment variable KERNMIX_DATA, or shared/data beside the checkout).

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "kernmix/kernmix.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

namespace fs = std::filesystem;

fs::path concrete_folder() {
  const char* const named = std::getenv("KERNMIX_DATA");
  const fs::path folder =
      named != nullptr ? fs::path(named) : fs::path(KERNMIX_SOURCE_DIR) / ".." / "shared" / "data";
  return folder / "concrete";
}

TEST(Concrete, HeldOutStrengthIsPredictedFarBetterThanByItsMean) {
  const fs::path folder = concrete_folder();
  if (!fs::exists(folder)) GTEST_SKIP() << "set KERNMIX_DATA to the folder of data sets";
  Dataset all;
  all.table = read_table({(folder / "data.libsvm").string()}, {});
  all.views = resolve_views({}, all.table);
  std::ifstream splits(folder / "splits_70_30.txt");
  std::string split;
  std::getline(splits, split);
  ASSERT_EQ(split.size(), 1030U);
  std::vector<Index> training;
  std::vector<Index> held_out;
  for (std::size_t i = 0; i < split.size(); ++i) {
    (split[i] == '1' ? training : held_out).push_back(static_cast<Index>(i));
  }

  TrainOptions options;
  options.loss = "squared";
  options.kernels = {"rbf(gamma=2^-4..2^1) on *", "rbf(gamma=2^-2..2^1) on *, each"};
  options.C = 30.0;
  const Dataset shown = rows_of(all, training);
  const TrainResult result = train(shown, options, {});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_TRUE(verify(result.model, shown, {}).agrees);

  const Dataset fresh = rows_of(all, held_out);
  const Vector y = numbers_of(fresh.table.labels);
  const Metric r2 = r_squared(y, predict(result.model, fresh, {}).decision.values);
  EXPECT_GT(*r2.low, 0.85);
}

}  // namespace
}  // namespace kernmix
