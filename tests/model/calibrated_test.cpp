/// \file
/// Models with probabilities: where they come from, that labels agree with them, that verification
/// sees what was altered, and that the file keeps them.

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "altered_container.hpp"
#include "kernmix/calibration.hpp"
#include "kernmix/error.hpp"
#include "kernmix/folds.hpp"
#include "kernmix/metrics.hpp"
#include "model/example_tasks.hpp"
#include "model/file/file.hpp"
#include "model/file/model_container.hpp"
#include "model/toy_tasks.hpp"

namespace kernmix::testing {
namespace {

constexpr CalibrationMethod kCalibrations[] = {
    CalibrationMethod::platt, CalibrationMethod::isotonic, CalibrationMethod::beta};

TrainOptions calibrated_options(CalibrationMethod method, Index folds = 3,
                                TaskScheme scheme = TaskScheme::single) {
  TrainOptions options = toy_task_options("sum", scheme);
  options.kernels = {"rbf(gamma=2^-4..2^-2) on a", "linear on a|b"};
  options.calibration = method;
  options.calibration_folds = folds;
  return options;
}

/// Two classes, three times as many of one, that overlap.
Dataset uneven_data(Index n, std::uint32_t seed) {
  Dataset data = toy_data(n, seed);
  for (Index i = 0; i < n; ++i) {
    if (i % 4 != 2) continue;
    for (Index j = 0; j < 3; ++j) data.table.values(i, j) -= 1.2 * (1.0 + static_cast<double>(j));
    data.table.labels[to_size(i)] = "no";
  }
  return data;
}

Dataset data_of(TaskScheme scheme, Index n, std::uint32_t seed) {
  return scheme == TaskScheme::single ? uneven_data(n, seed) : data_for(scheme, n, seed);
}

constexpr TaskScheme kCalibratedSchemes[] = {TaskScheme::single, TaskScheme::one_vs_rest,
                                             TaskScheme::one_vs_one, TaskScheme::joint,
                                             TaskScheme::labels};

TEST(Calibrated, LabelsNeverContradictProbabilities) {
  for (const TaskScheme scheme : kCalibratedSchemes) {
    for (const CalibrationMethod method : kCalibrations) {
      SCOPED_TRACE(scheme_name(scheme) + " " + calibration_name(method));
      const Model model =
          train(data_of(scheme, 90, 41), calibrated_options(method, 3, scheme), {}).model;
      const Prediction found = predict(model, data_of(scheme, 60, 42), {});
      ASSERT_EQ(found.probability.rows, 60);
      ASSERT_EQ(found.probability.cols, model.outputs());
      for (Index i = 0; i < 60; ++i) {
        const ConstSpan p = found.probability.row(i);
        for (const double value : p) EXPECT_TRUE(value > 0.0 && value < 1.0);
        if (model.single()) {
          EXPECT_EQ(found.winner[to_size(i)] == 1, p.front() > 0.5);
        } else if (model.of_labels()) {
          for (std::size_t t = 0; t < p.size(); ++t) {
            EXPECT_EQ(found.has_label[to_size(i) * p.size() + t] == 1, p[t] > 0.5);
          }
        } else {
          EXPECT_EQ(found.winner[to_size(i)], std::ranges::max_element(p) - p.begin());
          EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1.0, 1e-12);
        }
      }
    }
  }
}

TEST(Calibrated, ChangesNothingElseOfTheModel) {
  const Dataset data = uneven_data(80, 43);
  const TrainOptions options = calibrated_options(CalibrationMethod::beta);
  Model model = train(data, options, {}).model;
  ASSERT_FALSE(model.calibration.empty());
  model.calibration = {};
  TrainOptions plain = options;
  plain.calibration = CalibrationMethod::none;
  EXPECT_EQ(encode_model(model), encode_model(train(data, plain, {}).model));
}

/// By hand: a model of each fold's other samples.
void expect_map_of(const std::vector<Fold>& folds, const Dataset& data, const TrainOptions& options,
                   const Context& context) {
  const Model model = train(data, options, context).model;
  Vector y;
  for (const std::string& label : data.table.labels) y.push_back(label == "yes" ? 1.0 : -1.0);
  Vector decision(70);
  for (const Fold& fold : folds) {
    TrainOptions own = options;
    own.calibration = CalibrationMethod::none;
    own.groups.clear();
    own.sample_weights.clear();
    for (const Index i : fold.train)
      own.sample_weights.push_back(options.sample_weights[to_size(i)]);
    const Model part = train(rows_of(data, fold.train), own, context).model;
    const Matrix values = predict(part, rows_of(data, fold.test), context).decision;
    for (Index i = 0; i < values.rows; ++i) decision[to_size(fold.test[to_size(i)])] = values(i, 0);
  }
  ASSERT_EQ(model.calibration.maps.size(), 1U);
  EXPECT_EQ(std::get<PlattMap>(model.calibration.maps.front()),
            fit_platt(y, decision, options.sample_weights));
  const Model back = decode_model(encode_model(model));
  EXPECT_EQ(back.calibration.groups.empty(), options.groups.empty());
  for (const Claim& claim : verify(back, data, context).claims) {
    EXPECT_TRUE(claim.agrees) << claim.name << ": " << claim.finding;
  }
}

TEST(Calibrated, ComesFromSamplesThatTheModelsWereNotTrainedOn) {
  const Dataset data = uneven_data(70, 44);
  Context context;
  context.seed = 11;
  TrainOptions options = calibrated_options(CalibrationMethod::platt, 4);
  for (Index i = 0; i < 70; ++i) {
    options.sample_weights.push_back(0.5 + 0.25 * static_cast<double>(i % 5));
  }
  std::vector<Index> classes;
  for (const std::string& label : data.table.labels) classes.push_back(label == "yes" ? 1 : 0);
  {
    SCOPED_TRACE("stratified folds");
    const FoldOptions asked{.folds = 4, .shuffle = true, .seed = 11};
    const auto folds = stratified_folds(classes, asked, options.sample_weights);
    expect_map_of(folds, data, options, context);
  }
  for (Index i = 0; i < 70; ++i) options.groups.push_back(100 - 3 * (i % 9));
  SCOPED_TRACE("whole groups");
  const auto folds = grouped_folds(options.groups, 4, options.sample_weights);
  expect_map_of(folds, data, options, context);
}

TEST(Calibrated, RefusesGroupsThatLeaveNothingToTrainOn) {
  const Dataset data = uneven_data(40, 44);
  TrainOptions options = calibrated_options(CalibrationMethod::platt, 4);
  options.groups = {1, 2, 3};
  EXPECT_THROW((void)train(data, options, {}), ParameterError);
  options.groups.assign(40, 0);
  EXPECT_THROW((void)train(data, options, {}), ParameterError);
  for (std::size_t i = 0; i < 40; ++i) {
    options.groups[i] = data.table.labels[i] == "yes" ? 9 : static_cast<Index>(i % 4);
  }
  EXPECT_THROW((void)train(data, options, {}), DataError);
}

TEST(Calibrated, DoesNotDependOnTheNumberOfThreads) {
  const Dataset data = toy_classes(80, 3, 45);
  const TrainOptions options =
      calibrated_options(CalibrationMethod::isotonic, 3, TaskScheme::one_vs_rest);
  Context four;
  four.threads = 4;
  EXPECT_EQ(encode_model(train(data, options, {}).model),
            encode_model(train(data, options, four).model));
}

/// A Training gives the same probabilities as training alone.
TEST(Calibrated, IsTheSameWhereKernelsAreKept) {
  const Dataset data = uneven_data(60, 46);
  const TrainOptions options = calibrated_options(CalibrationMethod::platt);
  Training training(data);
  const Model first = training.fit(options, {}).model;
  EXPECT_EQ(std::get<PlattMap>(first.calibration.maps.front()),
            std::get<PlattMap>(train(data, options, {}).model.calibration.maps.front()));
}

TEST(Calibrated, WorksWithGivenMatrices) {
  const Dataset data = uneven_data(60, 47);
  Dataset given;
  given.table.source = "labels.csv";
  given.table.labels = data.table.labels;
  auto gram = std::make_shared<Matrix>(60, 60);
  for (Index i = 0; i < 60; ++i) {
    for (Index j = 0; j < 60; ++j) {
      double distance = 0.0;
      for (Index c = 0; c < 5; ++c) {
        distance += std::pow(data.table.values(i, c) - data.table.values(j, c), 2);
      }
      (*gram)(i, j) = std::exp(-0.02 * distance);
    }
  }
  given.matrices = {{"K", KernelInput::gram, gram}};
  TrainOptions options = calibrated_options(CalibrationMethod::platt);
  options.kernels = {"precomputed on K"};
  const Model model = train(given, options, {}).model;
  EXPECT_EQ(failing(verify(model, given, {})), "");
  EXPECT_EQ(predict(model, given, {}).probability.rows, 60);
}

TEST(Calibrated, VerifiesAndSeesWhatWasAltered) {
  for (const TaskScheme scheme : kCalibratedSchemes) {
    for (const CalibrationMethod method : kCalibrations) {
      SCOPED_TRACE(scheme_name(scheme) + " " + calibration_name(method));
      const Dataset data = data_of(scheme, 60, 48);
      TrainOptions options = calibrated_options(method, 2, scheme);
      options.regularizer = "lp:p=2";
      options.normalization = parse_normalization("center+trace");
      Context context;
      context.seed = 5;
      Model model = train(data, options, context).model;
      const Verification good = verify(model, data, {});
      EXPECT_EQ(failing(good), "");
      EXPECT_TRUE(std::ranges::any_of(
          good.claims, [](const Claim& claim) { return claim.name == "calibration"; }));
      // The other way round of what the data says.
      model.calibration.maps.back() =
          fit_calibration(method, Vector{-1, 1, 1, 1}, Vector{-90, 90, 91, 92});
      EXPECT_EQ(failing(verify(model, data, {})), "calibration");
    }
  }
}

TEST(Calibrated, MakesNoClaimInAnotherOrderOfTheSamples) {
  const Dataset data = uneven_data(60, 49);
  const Model model = train(data, calibrated_options(CalibrationMethod::platt), {}).model;
  std::vector<Index> order(60);
  std::iota(order.rbegin(), order.rend(), 0);
  const Verification found = verify(model, rows_of(data, order), {});
  for (const Claim& claim : found.claims) EXPECT_NE(claim.name, "calibration");
}

/// Three quarters are "no": the sign of the decision is no probability, Platt's map is one.
TEST(Calibrated, ProbabilitiesLoseLessThanScoresOnNewSamples) {
  const Dataset held_out = uneven_data(400, 51);
  Vector y;
  for (const std::string& label : held_out.table.labels) y.push_back(label == "yes" ? 1.0 : -1.0);
  for (const CalibrationMethod method : kCalibrations) {
    const Model model = train(uneven_data(400, 50), calibrated_options(method, 5), {}).model;
    const Prediction found = predict(model, held_out, {});
    Vector squashed = found.decision.values;
    for (double& f : squashed) f = 1.0 / (1.0 + std::exp(-f));
    const auto raw = evaluate_probabilities(y, squashed);
    const auto calibrated = evaluate_probabilities(y, found.probability.values);
    EXPECT_LT(*calibrated.metrics[0].value, *raw.metrics[0].value) << calibration_name(method);
    EXPECT_LT(*calibrated.metrics[1].value, *raw.metrics[1].value) << calibration_name(method);
  }
}

TEST(Calibrated, WarnsWhereNothingHoldsForNewSamples) {
  Dataset data = toy_data(40, 52);
  for (Index i = 0; i < 40; ++i) {  // every value twice, with both labels: held out, the other one
    for (Index j = 0; j < 5; ++j) data.table.values(i, j) = data.table.values(i - i % 2, j);
  }
  TrainOptions options = calibrated_options(CalibrationMethod::platt, 20);
  options.kernels = {"rbf(gamma=8) on a"};
  const TrainResult result = train(data, options, {});
  ASSERT_TRUE(is_constant(result.model.calibration.maps.front()));
  EXPECT_TRUE(std::ranges::any_of(result.warnings, [](const Warning& warning) {
    return warning.code == "calibration-constant" &&
           warning.message.find("'yes'") != warning.message.npos;
  }));
}

TEST(Calibrated, WarnsWhereItWorksAgainstClassWeights) {
  const auto warned = [](const TrainOptions& options) {
    const TrainResult result = train(uneven_data(60, 56), options, {});
    return std::ranges::any_of(result.warnings, [](const Warning& warning) {
      return warning.code == "calibration-undoes-class-weights";
    });
  };
  TrainOptions options = calibrated_options(CalibrationMethod::platt);
  EXPECT_FALSE(warned(options));
  options.class_weights = {{"yes", 3.0}, {"no", 3.0}};
  EXPECT_FALSE(warned(options));
  options.class_weights = {{"yes", 3.0}};
  EXPECT_TRUE(warned(options));
}

TEST(Calibrated, WithoutTimeThereIsAWarningAndNoProbability) {
  const Dataset data = uneven_data(60, 53);
  std::atomic<bool> cancelled = false;
  Context context;
  context.cancelled = &cancelled;
  context.log = [&](std::string_view line) {
    if (line == "calibration: fold 2 of 3") cancelled = true;
  };
  const TrainResult result = train(data, calibrated_options(CalibrationMethod::platt), context);
  EXPECT_TRUE(result.model.calibration.empty());
  EXPECT_EQ(predict(result.model, data, {}).probability.rows, 0);
  EXPECT_TRUE(std::ranges::any_of(result.warnings, [](const Warning& warning) {
    return warning.code == "calibration-missing";
  }));
}

template <typename Failure>
void expect_refusal(const Dataset& data, const TrainOptions& options, const std::string& part) {
  try {
    (void)train(data, options, {});
    ADD_FAILURE() << part;
  } catch (const Failure& failure) {
    EXPECT_NE(std::string(failure.what()).find(part), std::string::npos) << failure.what();
  }
}

TEST(Calibrated, RefusesWhatCannotBeCalibrated) {
  TrainOptions options = calibrated_options(CalibrationMethod::platt, 1);
  expect_refusal<ParameterError>(toy_data(20, 54), options, "must be at least 2, got 1");
  options.calibration_folds = 11;
  expect_refusal<DataError>(toy_data(20, 54), options,
                            "10 samples are of class 'no', fewer than the 11 folds");
  options.calibration_folds = 3;
  options.loss = "one-class:nu=0.5";
  expect_refusal<ParameterError>(toy_data(20, 54), options, "one-class");
  TrainOptions both = calibrated_options(CalibrationMethod::platt, 3, TaskScheme::labels);
  both.threshold_folds = 3;
  expect_refusal<ParameterError>(toy_labels(40, 55), both, "choose one of them");
  Dataset rare = toy_labels(40, 55);
  for (std::size_t i = 2; i < rare.table.multi_labels.values.size(); i += 3) {
    rare.table.multi_labels.values[i] = i == 2 ? 1 : 0;
  }
  both.threshold_folds = 0;
  expect_refusal<DataError>(rare, both, "1 samples have label 'odd', fewer than the 3 folds");
}

Model example_calibrated(CalibrationMethod method) {
  Model model = example_labels();
  for (TaskModel& task : model.tasks) task.threshold = 0.0;
  model.calibration = {.method = method,
                       .maps = {},
                       .folds = 2,
                       .groups = {},
                       .solver = "auto",
                       .max_iterations = 1000};
  if (method == CalibrationMethod::platt) {
    model.calibration.maps = {PlattMap{1.5, -0.25}, PlattMap{0.0, 0.5}};
  } else if (method == CalibrationMethod::beta) {
    model.calibration.maps = {BetaMap{1.5, 0.0, -0.25, 2.0}, BetaMap{0.5, 0.5, 0.5, 1.0}};
  } else {
    model.calibration.maps = {IsotonicMap{{-1.0, 0.5, 2.0}, {0.25, 0.25, 0.75}},
                              IsotonicMap{{0.125}, {0.5}}};
  }
  return model;
}

void load_altered(const Model& model, const std::function<void(Container&)>& change) {
  Container container = to_container(model);
  change(container);
  (void)decode_model(pack(container));
}

TEST(CalibratedFile, RoundTripsEveryMap) {
  for (const CalibrationMethod method : kCalibrations) {
    const Model model = example_calibrated(method);
    const Model back = decode_model(encode_model(model));
    EXPECT_EQ(back.calibration.maps, model.calibration.maps);
    EXPECT_EQ(back.calibration.method, method);
    EXPECT_EQ(back.calibration.folds, 2);
    EXPECT_EQ(encode_model(back), encode_model(model));
  }
}

TEST(CalibratedFile, GoldenFilesOfVersion5) {
  for (const CalibrationMethod method : kCalibrations) {
    const Model example = example_calibrated(method);
    const std::string golden =
        KERNMIX_SOURCE_DIR "/tests/model/golden/" + calibration_name(method) + "-v5.kmx";
    EXPECT_EQ(encode_model(load_model(golden)), encode_model(example));
  }
}

TEST(CalibratedFile, RefusesEveryMissingKeyAndBlock) {
  for (const CalibrationMethod method : kCalibrations) {
    const Model model = example_calibrated(method);
    const Container whole = to_container(model);
    const Json& section = whole.header["calibration"];
    for (const auto& item : section.items()) {
      const std::string key = item.key();
      const auto erase = [&](Container& c) { c.header["calibration"].erase(key); };
      EXPECT_THROW(load_altered(model, erase), DataError) << key;
    }
    for (const auto& item : section["maps"][0].items()) {
      const std::string key = item.key();
      const auto erase = [&](Container& c) { c.header["calibration"]["maps"][0].erase(key); };
      EXPECT_THROW(load_altered(model, erase), DataError) << key;
    }
    EXPECT_THROW(load_altered(model, [](Container& c) { c.header.erase("calibration"); }),
                 DataError);
    for (int last = 0; last < 2; ++last) {
      const auto drop = [&](Container& c) { c.blocks.erase(c.blocks.end() - 1 - last); };
      EXPECT_THROW(load_altered(model, drop), DataError) << last;
    }
  }
}

TEST(CalibratedFile, RefusesHostileSectionsWithACorrectChecksum) {
  const std::vector<std::tuple<CalibrationMethod, std::string, Json>> cases = {
      {CalibrationMethod::platt, "/method", "none"},
      {CalibrationMethod::platt, "/method", "beta"},
      {CalibrationMethod::platt, "/method", 3},
      {CalibrationMethod::platt, "/folds", 1},
      {CalibrationMethod::platt, "/folds", 1000000},
      {CalibrationMethod::platt, "/max_iterations", 0},
      {CalibrationMethod::platt, "/maps", Json::array()},
      {CalibrationMethod::platt, "/maps", "x"},
      {CalibrationMethod::platt, "/maps/0/slope", -1.0},
      {CalibrationMethod::platt, "/maps/0/intercept", "x"},
      {CalibrationMethod::beta, "/maps/0/a", -1.0},
      {CalibrationMethod::beta, "/maps/0/scale", 0.0},
      {CalibrationMethod::isotonic, "/maps/0/knots", 4},
      {CalibrationMethod::isotonic, "/maps/0/knots", 2},
      {CalibrationMethod::isotonic, "/maps/1/knots", 0},
      {CalibrationMethod::isotonic, "/maps/0/knots", 9007199254740992ULL}};
  for (const auto& [method, pointer, value] : cases) {
    const std::string place = "/calibration" + pointer;
    const Json wrong = value;
    const auto set = [&](Container& c) { c.header[Json::json_pointer(place)] = wrong; };
    EXPECT_THROW(load_altered(example_calibrated(method), set), DataError) << place << wrong.dump();
  }
  const Model isotonic = example_calibrated(CalibrationMethod::isotonic);
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity(), 7.0, -7.0}) {
    const auto poison = [&](Container& c) { c.blocks.back().values.values[1] = value; };
    EXPECT_THROW(load_altered(isotonic, poison), DataError) << value;
  }
  Model twice = example_labels();  // whose first label has a threshold
  twice.calibration = isotonic.calibration;
  EXPECT_THROW((void)encode_model(twice), DataError);
}

}  // namespace
}  // namespace kernmix::testing
