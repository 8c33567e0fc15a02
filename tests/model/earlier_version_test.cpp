// A model that kernmix 0.1 trained on examples/data/wine_train.csv, whose default was the trace:
//   kernmix train wine_train.csv --label cultivar --id sample --kernel linear
//     --kernel 'rbf(width=median*2^-1..2^1), normalize=center+trace'
//     --kernel 'poly(degree=2), normalize=cosine+center'

#include <gtest/gtest.h>

#include "kernmix/kernmix.hpp"

namespace kernmix {
namespace {

const char* const kWine = KERNMIX_SOURCE_DIR "/tests/model/golden/wine-0.1.kmx";

Dataset wine(const std::string& part) {
  ReadOptions options;
  options.label_column = "cultivar";
  options.id_column = "sample";
  Dataset data;
  data.table = read_table({KERNMIX_SOURCE_DIR "/examples/data/wine_" + part + ".csv"}, options);
  data.views = resolve_views({}, data.table);
  return data;
}

TEST(EarlierVersion, KeepsItsRules) {
  const Model model = load_model(kWine);
  std::vector<std::string> rules;
  for (const ModelKernel& kernel : model.kernels) {
    rules.push_back(kernel.description.normalization.text());
    EXPECT_EQ(kernel.normalization.rule, kernel.description.normalization);
  }
  std::ranges::sort(rules);
  EXPECT_EQ(rules, (std::vector<std::string>{"center+trace", "center+trace", "center+trace",
                                             "cosine+center", "trace"}));
}

TEST(EarlierVersion, VerifiesAndPredicts) {
  const Model model = load_model(kWine);
  const Verification verification = verify(model, wine("train"), {});
  for (const Claim& claim : verification.claims) EXPECT_TRUE(claim.agrees) << claim.finding;
  EXPECT_TRUE(verification.agrees);
  const Dataset held_out = wine("test");
  const Prediction prediction = predict(model, held_out, {});
  Index right = 0;
  for (std::size_t i = 0; i < held_out.table.labels.size(); ++i) {
    right +=
        model.names[static_cast<std::size_t>(prediction.winner[i])] == held_out.table.labels[i];
  }
  EXPECT_GE(10 * right, 9 * held_out.table.samples());
}

/// As long as sample weights were factors of C alone:
///   kernmix train factors-v6.csv --label y --sample-weight w --regularizer average --bias none
///     --kernel linear --kernel 'rbf(width=median), normalize=center+trace'
TEST(EarlierVersion, KeepsTheMeaningOfSampleWeights) {
  const std::string golden = KERNMIX_SOURCE_DIR "/tests/model/golden/factors-v6";
  const Model model = load_model(golden + ".kmx");
  EXPECT_FALSE(model.weights_repeat);
  EXPECT_FALSE(model.sample_weights.empty());
  ReadOptions options;
  options.label_column = "y";
  options.ignore = {"w"};
  Dataset data;
  data.table = read_table({golden + ".csv"}, options);
  data.views = resolve_views({}, data.table);
  const Verification verification = verify(model, data, {});
  for (const Claim& claim : verification.claims) EXPECT_TRUE(claim.agrees) << claim.finding;
  EXPECT_TRUE(verification.agrees);
}

/// A learned product:
///   train product-v8.csv --label y --combination product --kernel 'rbf(gamma=0.5) on a|b, each'
///     --kernel 'rbf(width=median) on c|d' --view a=a --view b=b --view c=c --view d=d
TEST(EarlierVersion, ReadsProducts) {
  const std::string golden = KERNMIX_SOURCE_DIR "/tests/model/golden/product-v8";
  const Model model = load_model(golden + ".kmx");
  EXPECT_EQ(encode_model(model)[8], 8);
  ASSERT_EQ(model.product->factors.size(), 4u);
  ReadOptions options;
  options.label_column = "y";
  Dataset data;
  data.table = read_table({golden + ".csv"}, options);
  const Verification verification = verify(model, data, {});
  for (const Claim& claim : verification.claims) EXPECT_TRUE(claim.agrees) << claim.finding;
  EXPECT_TRUE(verification.agrees);
}

/// Missing cells and words:
///   kernmix train words-v7.csv --id id --label outcome --missing mean+indicator
///     --categorical 'smoker,region,stage=I<II<III' --kernel 'rbf(width=median), each'
TEST(EarlierVersion, ReadsCellsAsTrainingDid) {
  const std::string golden = KERNMIX_SOURCE_DIR "/tests/model/golden/words-v7";
  const Model model = load_model(golden + ".kmx");
  EXPECT_EQ(encode_model(model)[8], 7);
  ReadOptions options;
  options.label_column = "outcome";
  options.id_column = "id";
  Dataset data;
  std::vector<std::string> columns;
  for (const ModelKernel& kernel : model.kernels) {
    columns.insert(columns.end(), kernel.description.columns.begin(),
                   kernel.description.columns.end());
  }
  data.table = read_new_table({golden + ".csv"}, columns, column_reading(model), options);
  const Verification verification = verify(model, data, {});
  for (const Claim& claim : verification.claims) EXPECT_TRUE(claim.agrees) << claim.finding;
  EXPECT_TRUE(verification.agrees);
}

}  // namespace
}  // namespace kernmix
