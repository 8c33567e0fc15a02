// Missing cells and columns of words: filled and indicated as somebody would by hand, from training
// samples alone.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "kernmix/fitted_kernels.hpp"
#include "kernmix/training.hpp"
#include "model/feature_columns.hpp"
#include "model/thresholds/folds.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

constexpr MissingRule kMissingRules[] = {MissingRule::mean, MissingRule::median,
                                         MissingRule::mean_indicator,
                                         MissingRule::median_indicator};

/// Toy data in which some cells of numbers are missing, with a column of words.
Dataset patchy_data(Index n, std::uint32_t seed, double share, bool words) {
  Dataset data = toy_data(n, seed);
  Numbers numbers(seed + 1);
  const Matrix whole = data.table.values;
  for (double& cell : data.table.values.values) {
    if (numbers.uniform() < share) cell = missing_cell;
  }
  for (Index i = 0; i < n; ++i) {  // a view without any value would be absent
    for (const Index first : {0, 3}) {
      const auto row = data.table.values.row(i);
      const auto cells = slice(row, first, first == 0 ? 3 : 5);
      const bool absent = std::ranges::all_of(cells, [](double x) { return std::isnan(x); });
      if (absent) data.table.values(i, first) = whole(i, first);
    }
  }
  if (!words) return data;
  Table& table = data.table;
  Matrix wider(n, 6);
  for (Index i = 0; i < n; ++i) {
    std::ranges::copy(table.values.row(i), wider.row(i).begin());
    wider(i, 5) = numbers.uniform() < share ? missing_cell : std::floor(3.0 * numbers.uniform());
  }
  table.values = std::move(wider);
  table.columns.emplace_back("w");
  table.categories = {{"w", {"ape", "bee", "cat"}, true}};
  if (share > 0.0) {
    data.views.back().columns.emplace_back("w");  // a view of this column would be absent
  } else {
    data.views.push_back({"words", {"w"}});
  }
  return data;
}

/// Means or medians of the known values, written out.
double fill_by_hand(const Table& table, Index column, bool median) {
  Vector known;
  for (Index i = 0; i < table.values.rows; ++i) {
    if (!std::isnan(table.values(i, column))) known.push_back(table.values(i, column));
  }
  if (median) {
    std::ranges::sort(known);
    const std::size_t middle = known.size() / 2;
    return known.size() % 2 == 1 ? known[middle] : (known[middle - 1] + known[middle]) / 2.0;
  }
  double sum = 0.0;
  for (const double value : known) sum += value;
  return sum / static_cast<double>(known.size());
}

Dataset filled_by_hand(Dataset data, const Table& training, bool median) {
  Matrix& values = data.table.values;
  for (Index j = 0; j < values.cols; ++j) {
    for (Index i = 0; i < values.rows; ++i) {
      if (std::isnan(values(i, j))) values(i, j) = fill_by_hand(training, j, median);
    }
  }
  return data;
}

std::vector<Index> places(Index begin, Index end) {
  std::vector<Index> all;
  for (Index i = begin; i < end; ++i) all.push_back(i);
  return all;
}

Vector entries_between(const FittedKernels& kernels, const Dataset& fresh) {
  return all_entries(kernels.between(fresh), {});
}

RC_GTEST_PROP(Missing, CellsAreFilledAsByHandFromTrainingSamples, (std::uint32_t seed)) {
  const Index n = 30;
  const Dataset all = patchy_data(n, seed % 1000, 0.2, false);
  for (const bool median : {false, true}) {
    const auto train = std::make_shared<Dataset>(part_of(all, places(0, 20), {}, {}));
    const Dataset fresh = part_of(all, places(20, n), {}, {});
    TrainOptions options = toy_options();
    options.missing = median ? MissingRule::median : MissingRule::mean;
    const FittedKernels own(train, options, {});
    options.missing = MissingRule::refuse;
    const auto by_hand = std::make_shared<Dataset>(filled_by_hand(*train, train->table, median));
    const FittedKernels other(by_hand, options, {});
    const Vector left = entries_between(own, fresh);
    const Vector right = entries_between(other, filled_by_hand(fresh, train->table, median));
    RC_ASSERT(left.size() == right.size());
    for (std::size_t i = 0; i < left.size(); ++i) {
      RC_ASSERT(std::abs(left[i] - right[i]) <= 1e-9 * (1.0 + std::abs(right[i])));
    }
  }
}

RC_GTEST_PROP(Missing, ModelsPredictTheirTrainingSamplesAndAgreeWithTheData, (std::uint32_t seed)) {
  for (const MissingRule rule : kMissingRules) {
    for (const char* loss : {"hinge", "squared-hinge", "logistic"}) {
      Dataset data = patchy_data(40, seed % 1000, 0.15, true);
      make_indicators(data, rule);
      TrainOptions options;
      options.kernels = {"rbf(width=median)", "linear, each"};
      options.loss = loss;
      options.missing = rule;
      const Model trained = train(data, options, {}).model;
      const Model model = decode_model(encode_model(trained));
      RC_ASSERT(verify(model, data, {}).agrees);
      Dataset raw = patchy_data(40, seed % 1000, 0.15, true);
      raw.views.clear();
      expect_absence(raw, column_reading(model).lacking, model.indicators);
      make_indicators(raw, model.indicators);
      RC_ASSERT(predict(model, raw, {}).decision.values ==
                predict(trained, data, {}).decision.values);
      RC_ASSERT(has_indicators(rule) == std::ranges::any_of(model.views, [](const auto& view) {
                  return view.view == missing_view;
                }));
    }
  }
}

/// Verification trains the folds of the calibration again, from what the model says.
TEST(Missing, CalibratedModelsAgreeWithTheData) {
  for (const MissingRule rule : kMissingRules) {
    Dataset data = patchy_data(40, 5, 0.15, true);
    make_indicators(data, rule);
    TrainOptions options;
    options.missing = rule;
    options.calibration = CalibrationMethod::platt;
    const Model model = decode_model(encode_model(train(data, options, {}).model));
    ASSERT_FALSE(model.calibration.empty());
    const Verification verification = verify(model, data, {});
    for (const Claim& claim : verification.claims) EXPECT_TRUE(claim.agrees) << claim.finding;
  }
}

RC_GTEST_PROP(Missing, HeavierSamplesCountAsRepeatedOnes, (std::uint32_t seed)) {
  const Dataset data = patchy_data(20, seed % 1000, 0.2, false);
  std::vector<Index> twice = places(0, 20);
  for (const Index i : places(0, 7)) twice.push_back(i);
  Vector weights(20, 1.0);
  std::fill_n(weights.begin(), 7, 2.0);
  const Dataset repeated = part_of(data, twice, {}, {});
  for (const MissingRule rule : {MissingRule::mean, MissingRule::median}) {
    std::vector<ScaledView> views = {
        {"a", ScalingRule::standard, ScalingRule::standard, data.table.columns}};
    const auto own = FeatureColumns::fit(data.table, data.table.columns, views, weights, rule);
    const auto other = FeatureColumns::fit(repeated.table, data.table.columns, views, {}, rule);
    for (std::size_t j = 0; j < data.table.columns.size(); ++j) {
      const double expected = other.scaling().fill[j];
      RC_ASSERT(std::abs(own.scaling().fill[j] - expected) <= 1e-12 * std::abs(expected));
    }
  }
}

/// Variance of the scaled columns of one view, in all.
double variance_of_view(const FeatureColumns& columns, const std::vector<std::string>& names) {
  double total = 0.0;
  for (const std::string& name : names) {
    const Vector x = columns.scaled_column(columns.place(name));
    double mean = 0.0;
    for (const double value : x) mean += value / static_cast<double>(x.size());
    for (const double value : x) {
      total += (value - mean) * (value - mean) / static_cast<double>(x.size());
    }
  }
  return total;
}

RC_GTEST_PROP(Words, CountAsOneColumnOfNumbers, (std::uint32_t seed)) {
  Dataset data = patchy_data(60, seed % 1000, 0.0, true);
  make_indicators(data, MissingRule::refuse);
  const std::vector<std::string> names = {"w=ape", "w=bee", "w=cat"};
  RC_ASSERT(data.views.back().columns == names);
  for (const ScalingRule rule :
       {ScalingRule::automatic, ScalingRule::standard, ScalingRule::common}) {
    std::vector<ScaledView> views = {{"words", rule, rule, names}};
    const auto columns = FeatureColumns::fit(data.table, names, views);
    RC_ASSERT(std::abs(variance_of_view(columns, names) - 1.0) < 1e-12);
  }
}

TEST(Words, MakeOneKernelOfEachColumn) {
  Dataset data = patchy_data(30, 1, 0.0, true);
  make_indicators(data, MissingRule::refuse);
  TrainOptions options;
  options.kernels = {"rbf(gamma=1) on a|words, each"};
  std::vector<std::string> names;
  for (const KernelDescription& kernel : expand_kernels(data, options)) {
    names.push_back(kernel.name());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"rbf(gamma=1) on a:a1", "rbf(gamma=1) on a:a2",
                                             "rbf(gamma=1) on a:a3", "rbf(gamma=1) on words:w"}));
}

TEST(Words, MakeOneKernelOfEachColumnOfAllViews) {
  Dataset data = patchy_data(30, 1, 0.0, true);
  make_indicators(data, MissingRule::refuse);
  const auto columns_of = [&](const char* expression) {
    TrainOptions options;
    options.kernels = {expression};
    std::vector<std::vector<std::string>> columns;
    for (const KernelDescription& kernel : expand_kernels(data, options)) {
      columns.push_back(kernel.columns);
    }
    return columns;
  };
  EXPECT_EQ(columns_of("rbf(gamma=1) on all, each"), columns_of("rbf(gamma=1) on each view, each"));
}

/// A word that only new samples have is as any other such word, inside of every fold.
TEST(Words, OfNewSamplesAloneHaveNoInfluence) {
  Dataset all = patchy_data(30, 3, 0.0, true);
  const Index w = 5;
  for (Index i = 0; i < 20; ++i) all.table.values(i, w) = static_cast<double>(i % 2);
  for (const ScalingRule rule : {ScalingRule::none, ScalingRule::standard, ScalingRule::minmax,
                                 ScalingRule::common, ScalingRule::standard_root}) {
    std::vector<Vector> entries;
    for (const double code : {2.0, 3.0}) {
      Dataset data = all;
      data.table.categories = {{"w", {"ape", "bee", "cat", "dog"}, true}};
      for (Index i = 20; i < 30; ++i) data.table.values(i, w) = code;
      make_indicators(data, MissingRule::refuse);
      TrainOptions options;
      options.kernels = {"rbf(width=median) on words", "linear on words", "minmax on words"};
      options.scaling = rule;
      const auto train = std::make_shared<Dataset>(part_of(data, places(0, 20), {}, {}));
      const FittedKernels kernels(train, options, {});
      entries.push_back(entries_between(kernels, part_of(data, places(20, 30), {}, {})));
    }
    EXPECT_EQ(entries[0], entries[1]) << scaling_name(rule);
  }
}

TEST(Words, ThatTrainingDidNotSeeAreNamed) {
  Dataset data = patchy_data(10, 2, 0.0, true);
  data.table.categories = {{"w", {"ape", "bee", "eel"}, true}};
  for (Index i = 0; i < 10; ++i) data.table.values(i, 5) = i < 3 ? 2.0 : 0.0;
  make_indicators(data, {Indicators{"w", {"ape", "bee", "cat"}}});
  ASSERT_EQ(data.table.notes.size(), 1U);
  EXPECT_EQ(data.table.notes[0],
            "toy.csv: column 'w' has words that training did not see, 'eel' (3 samples): all "
            "indicators of the column are 0 for these samples");
  EXPECT_EQ(data.table.values(0, 5) + data.table.values(0, 6) + data.table.values(0, 7), 0.0);
  EXPECT_EQ(data.table.values(9, 5), 1.0);
}

TEST(Words, InMoreThanHalfOfTheSamplesAreRefused) {
  Dataset data = patchy_data(5, 2, 0.0, true);
  try {
    make_indicators(data, MissingRule::refuse);
    FAIL();
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("3 different words in 5 samples"), std::string::npos);
  }
}

TEST(Missing, CellsAreAnErrorUnlessARuleFillsThem) {
  const Dataset data = patchy_data(20, 4, 0.2, false);
  EXPECT_THROW((void)train(data, toy_options(), {}), DataError);
  TrainOptions options = toy_options();
  options.missing = MissingRule::mean;
  EXPECT_NO_THROW((void)train(data, options, {}));
  options.missing = MissingRule::mean_indicator;  // and the indicators are not there
  EXPECT_THROW((void)train(data, options, {}), ParameterError);
}

TEST(Missing, ColumnsWithoutAnyValueHaveNoInfluenceAndAreNamed) {
  Dataset data = patchy_data(30, 4, 0.1, false);
  TrainOptions options = toy_options();
  options.missing = MissingRule::median;
  for (Index i = 0; i < 30; ++i) data.table.values(i, 1) = missing_cell;
  const TrainResult result = train(data, options, {});
  const auto named = [](const Warning& warning) {
    return warning.code == "column-without-values" &&
           warning.message.find("'a2'") != std::string::npos;
  };
  EXPECT_TRUE(std::ranges::any_of(result.warnings, named));
  const Vector before = predict(result.model, data, {}).decision.values;
  for (Index i = 0; i < 30; ++i) data.table.values(i, 1) = 1e6 * static_cast<double>(i);
  EXPECT_EQ(predict(result.model, data, {}).decision.values, before);
}

TEST(Missing, CandidatesWithAndWithoutIndicatorsAreNotMixed) {
  Dataset data = patchy_data(20, 4, 0.2, false);
  make_indicators(data, MissingRule::mean_indicator);
  TrainOptions options = toy_options();
  options.missing = MissingRule::mean;
  EXPECT_THROW((void)train(data, options, {}), ParameterError);
}

/// As if a sample of weight 0 had been left out.
TEST(Words, ThatNoSampleHasMakeNoIndicator) {
  Dataset data = patchy_data(20, 4, 0.0, true);
  data.table.categories = {{"w", {"ape", "bee", "cat", "ghost"}, true}};
  make_indicators(data, MissingRule::refuse);
  EXPECT_EQ(data.table.indicators.front().values, (std::vector<std::string>{"ape", "bee", "cat"}));
}

TEST(Missing, AViewOfTheUserKeepsItsName) {
  Dataset data = patchy_data(20, 4, 0.2, false);
  data.views.front().name = missing_view;
  EXPECT_THROW(make_indicators(data, MissingRule::mean_indicator), ParameterError);
}

TEST(Missing, FilesOfPlainModelsAreThoseOfEarlierVersions) {
  const Dataset data = toy_data(20, 1);
  const std::string plain = encode_model(train(data, toy_options(), {}).model);
  EXPECT_EQ(plain[8], 6);
  TrainOptions options = toy_options();
  options.missing = MissingRule::mean;
  EXPECT_EQ(encode_model(train(data, options, {}).model)[8], 7);
}

}  // namespace
}  // namespace kernmix
