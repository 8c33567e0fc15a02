// Landmarks replace every kernel by its Nystroem kernel: bounds of both problems, files,
// prediction.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "kernmix/error.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/regularizer.hpp"
#include "kernmix/settings.hpp"
#include "kernmix/train.hpp"
#include "model/landmarks/automatic.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

TrainOptions landmark_options(const std::string& landmarks) {
  TrainOptions options = toy_options();
  options.landmarks = parse_landmarks(landmarks);
  options.exact_certificate = true;
  return options;
}

/// The same with another kind of targets.
Dataset with_random_numbers(Dataset data) {
  for (Index i = 0; i < data.table.samples(); ++i) {
    const double value = data.table.values(i, 0) - data.table.values(i, 1) / 2.0;
    data.table.labels[static_cast<std::size_t>(i)] = fmt::format("{:.6f}", value / 4.0);
  }
  return data;
}

Dataset data_for(const Loss& loss, Index n) {
  Dataset data = toy_data(n, 11);
  const Target target = loss_target(loss);
  if (target == Target::numbers) return with_random_numbers(std::move(data));
  if (target == Target::none) data.table.labels.clear();
  return data;
}

TEST(Landmarks, AreReadFromText) {
  EXPECT_EQ(parse_landmarks("auto"), LandmarkRule());
  EXPECT_EQ(parse_landmarks("none").choice, LandmarkRule::Choice::none);
  EXPECT_EQ(parse_landmarks("30").count, 30);
  EXPECT_EQ(parse_landmarks("ids.txt").file, "ids.txt");
  for (const char* text : {"auto", "none", "30", "ids.txt"}) {
    EXPECT_EQ(parse_landmarks(text).text(), text);
  }
  for (const char* text : {"0", "-3", "2.5"}) {
    EXPECT_THROW((void)parse_landmarks(text), ParameterError) << text;
  }
}

/// Bounds enclose the optimum, which the exact kernels are trained for, whatever the loss.
TEST(Landmarks, BoundsEncloseTheExactOptimumForEveryLoss) {
  constexpr Index n = 200;
  for (const LossInfo& info : losses()) {
    TrainOptions options = landmark_options("40");
    options.loss = info.example;
    if (on_distances(options.loss)) continue;
    options.C.reset();
    const Dataset data = data_for(options.loss, n);
    TrainOptions exact = options;
    exact.landmarks = parse_landmarks("none");
    const Bounds known = train(data, exact, {}).model.certificate;
    const TrainResult few = train(data, options, {});
    EXPECT_EQ(few.status, Status::converged) << info.example;
    ASSERT_TRUE(few.model.exact_certificate) << info.example;
    EXPECT_LE(few.model.exact_certificate->dual, known.primal) << info.example;
    EXPECT_GE(few.model.exact_certificate->primal, known.dual) << info.example;
    options.landmarks = parse_landmarks("200");
    const Bounds all = *train(data, options, {}).model.exact_certificate;
    EXPECT_LE(all.relative_gap(), 2e-3) << info.example;
    EXPECT_LE(std::abs(all.primal - known.primal), 2e-3 * known.size()) << info.example;
  }
}

TEST(Landmarks, BoundsEncloseTheExactOptimumForEveryRegularizer) {
  constexpr Index n = 200;
  const Dataset data = toy_data(n, 12);
  for (const RegularizerInfo& info : regularizers()) {
    TrainOptions options = landmark_options("40");
    options.regularizer = info.example;
    // A point has a weight for each kernel.
    if (info.syntax.starts_with("fixed")) options.kernels = {"rbf(gamma=2^-3..2^-2) on a"};
    TrainOptions exact = options;
    exact.landmarks = parse_landmarks("none");
    const Bounds known = train(data, exact, {}).model.certificate;
    const TrainResult few = train(data, options, {});
    EXPECT_LE(few.model.certificate.relative_gap(), 1e-3) << info.example;
    // Weights of a first stage are those of the kernels that it sees.
    if (info.syntax.starts_with("align") || info.syntax.starts_with("easy")) continue;
    EXPECT_LE(few.model.exact_certificate->dual, known.primal) << info.example;
    EXPECT_GE(few.model.exact_certificate->primal, known.dual) << info.example;
    options.landmarks = parse_landmarks("200");
    const Bounds all = *train(data, options, {}).model.exact_certificate;
    EXPECT_LE(all.relative_gap(), 2e-3) << info.example;
  }
}

TEST(Landmarks, AreVerifiedAfterAJourneyThroughAFile) {
  const Dataset data = toy_data(120, 3);
  const TrainResult result = train(data, landmark_options("30"), {});
  const Model model = decode_model(encode_model(result.model));
  ASSERT_TRUE(model.landmarks);
  EXPECT_EQ(model.support.size(), 30U);
  const Prediction before = predict(result.model, data, {});
  EXPECT_EQ(predict(model, data, {}).decision.values, before.decision.values);
  const Verification check = verify(model, data, {});
  for (const Claim& claim : check.claims) EXPECT_TRUE(claim.agrees) << claim.name << claim.finding;
  EXPECT_TRUE(check.agrees);
}

TEST(Landmarks, AnAlteredFunctionOrBoundFailsVerification) {
  const Dataset data = toy_data(120, 3);
  const Model model = train(data, landmark_options("30"), {}).model;
  const auto fails = [&](const std::string& name, const Model& altered) {
    const Verification check = verify(altered, data, {});
    const auto found = std::ranges::find(check.claims, name, &Claim::name);
    EXPECT_TRUE(found != check.claims.end() && !found->agrees) << name;
  };
  Model altered = model;
  for (double& w : altered.landmarks->coefficients.front().values) w *= 1.001;
  fails("landmarks", altered);
  altered = model;
  altered.landmarks->jitter.front() *= 2.0;
  fails("landmarks", altered);
  altered = model;
  altered.exact_certificate->dual *= 1.001;
  fails("bounds", altered);
  altered = model;
  altered.certificate.dual *= 1.001;
  fails("bounds", altered);
}

TEST(Landmarks, HaveTheSameBitsForAnyNumberOfThreads) {
  const Dataset data = toy_data(700, 5);
  Context two;
  two.threads = 2;
  const Model left = train(data, landmark_options("60"), {}).model;
  const Model right = train(data, landmark_options("60"), two).model;
  EXPECT_EQ(encode_model(left), encode_model(right));
}

TEST(Landmarks, ServeManyTasks) {
  Dataset data = toy_data(150, 8);
  for (Index i = 0; i < 150; i += 3) data.table.labels[static_cast<std::size_t>(i)] = "perhaps";
  for (const TaskScheme scheme :
       {TaskScheme::one_vs_rest, TaskScheme::one_vs_one, TaskScheme::joint}) {
    TrainOptions options = landmark_options("40");
    options.scheme = scheme;
    if (scheme == TaskScheme::one_vs_one) options.coupling = "separate";
    const TrainResult result = train(data, options, {});
    EXPECT_EQ(result.status, Status::converged) << scheme_name(scheme);
    const Verification check = verify(decode_model(encode_model(result.model)), data, {});
    for (const Claim& claim : check.claims) {
      EXPECT_TRUE(claim.agrees) << scheme_name(scheme) << " " << claim.name << claim.finding;
    }
    EXPECT_LE(result.model.exact_certificate->dual, result.model.exact_certificate->primal);
  }
}

/// The message of a ParameterError or DataError of training.
std::string refusal(const Dataset& data, const TrainOptions& options) {
  try {
    (void)train(data, options, {});
  } catch (const Error& failure) {
    return failure.what();
  }
  return "";
}

TEST(Landmarks, RefuseWhatTheyCannotServeByName) {
  const Dataset data = toy_data(60, 2);
  EXPECT_NE(refusal(data, landmark_options("61")).find("60, got 61"), std::string::npos);
  TrainOptions options = landmark_options("20");
  options.normalization = parse_normalization("center+trace");
  EXPECT_NE(refusal(data, options).find("centred"), std::string::npos);
  options = landmark_options("20");
  options.kernels = {"sigmoid on a"};
  EXPECT_NE(refusal(data, options).find("sigmoid"), std::string::npos);
}

TEST(Landmarks, AreFoundByTheirIds) {
  const Dataset data = toy_data(60, 2);
  TrainOptions options = landmark_options("auto");
  options.landmarks.choice = LandmarkRule::Choice::listed;
  options.landmarks.ids = {"s7", "s3", "s30"};
  EXPECT_EQ(train(data, options, {}).model.support, (std::vector<Index>{3, 7, 30}));
  options.landmarks.ids.emplace_back("s3");
  EXPECT_NE(refusal(data, options).find("twice"), std::string::npos);
  options.landmarks.ids.back() = "nobody";
  EXPECT_NE(refusal(data, options).find("'nobody'"), std::string::npos);
}

TEST(Landmarks, AutomaticallyServeKernelsBeyondTheMemory) {
  const Dataset data = toy_data(6000, 4);
  TrainOptions options = toy_options();
  options.kernels = {"rbf(gamma=2^-2..2^2) on a"};
  Context context;
  context.memory_bytes = std::size_t{300} << 20;
  const TrainResult result = train(data, options, context);
  EXPECT_EQ(result.status, Status::converged);
  ASSERT_TRUE(result.model.landmarks);
  EXPECT_LE(result.plan.total(), context.memory_bytes);
  EXPECT_TRUE(std::ranges::any_of(result.warnings,
                                  [](const Warning& one) { return one.code == "landmarks"; }));
  options.landmarks = parse_landmarks("none");
  EXPECT_THROW((void)train(data, options, context), ResourceError);
}

/// A kernel of many samples that is never stored.
class LargeSource final : public KernelSource {
 public:
  explicit LargeSource(Index rows) : rows_(rows) {}
  Index rows() const override { return rows_; }
  Index cols() const override { return rows_; }
  void block(std::span<const Index> /*rows*/, std::span<const Index> /*cols*/,
             MutableSpan out) const override {
    std::ranges::fill(out, 1.0);
  }
  void left_diagonal(MutableSpan out) const override { std::ranges::fill(out, 1.0); }
  void right_diagonal(MutableSpan out) const override { std::ranges::fill(out, 1.0); }

 private:
  Index rows_;
};

TEST(Landmarks, AreNamedWhereExactKernelsTakeMinutes) {
  const auto note = [](Index rows, std::size_t columns) {
    KernelDescription one;
    one.columns.resize(columns);
    const KernelSourcePtr source = std::make_shared<LargeSource>(rows);
    return slow_kernels_note(make_task_set(toy_data(20, 3), toy_options()), {}, {source, source},
                             {one, one});
  };
  const std::string found = note(200'000, 20);
  EXPECT_NE(found.find("minutes or more; with --landmarks "), std::string::npos) << found;
  EXPECT_EQ(note(200'000, 1), "");  // a kernel of one column has a low rank
  EXPECT_EQ(note(2000, 20), "");
}

/// Samples in another order, found by their ids.
TEST(Landmarks, AreVerifiedInAnotherOrderByTheirIds) {
  constexpr Index n = 90;
  std::vector<Index> order;
  for (Index i = 0; i < n; ++i) order.push_back(i * 37 % n);
  for (const bool many : {false, true}) {
    Dataset data = toy_data(n, 5);
    for (Index i = 0; many && i < n; i += 3) {
      data.table.labels[static_cast<std::size_t>(i)] = "perhaps";
    }
    const Model model = decode_model(encode_model(train(data, landmark_options("15"), {}).model));
    EXPECT_EQ(model.landmarks->dual_ids.size(), dual_rows(model).size());
    const Dataset other = rows_of(data, order);
    const Verification found = verify(model, other, {});
    for (const Claim& claim : found.claims) EXPECT_TRUE(claim.agrees) << claim.finding;
    EXPECT_TRUE(found.agrees);
    ASSERT_TRUE(found.exact_recomputed && found.exact_reported);
    EXPECT_NEAR(found.exact_recomputed->dual, found.exact_reported->dual,
                1e-9 * found.exact_reported->size());
    Model nameless = model;
    nameless.landmarks->dual_ids.clear();
    EXPECT_FALSE(verify(nameless, other, {}).agrees);
    EXPECT_TRUE(verify(nameless, data, {}).agrees);
  }
}

/// exp(-|x - z|^2 / 8) of the first three columns, which are about 10.
double narrow_entry(const ConstMatrix& left, Index i, const ConstMatrix& right, Index j) {
  double sum = 0.0;
  for (Index c = 0; c < 3; ++c) sum += std::pow(left(i, c) - right(j, c), 2.0);
  return std::exp(-sum / 8.0);
}

Matrix narrow_kernel(const Dataset& left, const Dataset& right, const std::vector<Index>& columns) {
  Matrix K(left.table.samples(), static_cast<Index>(columns.size()));
  for (Index i = 0; i < K.rows; ++i) {
    for (Index j = 0; j < K.cols; ++j) {
      K(i, j) = narrow_entry(left.table.numbers(), i, right.table.numbers(),
                             columns[static_cast<std::size_t>(j)]);
    }
  }
  return K;
}

/// The labels and ids of the data with a given matrix.
Dataset with_matrix(const Dataset& data, Matrix K) {
  Dataset given;
  given.table.source = data.table.source;
  given.table.labels = data.table.labels;
  given.table.ids = data.table.ids;
  given.matrices = {{"K", KernelInput::gram, std::move(K)}};
  return given;
}

std::vector<Index> first_samples(Index n) {
  std::vector<Index> all(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) all[static_cast<std::size_t>(i)] = i;
  return all;
}

TEST(Landmarks, OfAGivenMatrixAreItsColumns) {
  const Dataset data = toy_data(80, 4);
  const Dataset fresh = toy_data(25, 9);
  TrainOptions options;
  options.kernels = {"rbf(gamma=0.125) on a"};
  options.scaling = ScalingRule::none;
  options.landmarks = parse_landmarks("20");
  options.exact_certificate = true;
  const Model of_columns = train(data, options, {}).model;
  options.kernels = {"precomputed on K"};
  const Dataset given = with_matrix(data, narrow_kernel(data, data, first_samples(80)));
  options.landmarks.choice = LandmarkRule::Choice::listed;
  for (const Index i : of_columns.support) options.landmarks.ids.push_back(fmt::format("s{}", i));
  const Model model = decode_model(encode_model(train(given, options, {}).model));
  EXPECT_EQ(model.support, of_columns.support);
  EXPECT_LE(model.certificate.dual, of_columns.certificate.primal * (1.0 + 1e-9));
  EXPECT_GE(model.certificate.primal, of_columns.certificate.dual * (1.0 - 1e-9));
  const Verification check = verify(model, given, {});
  for (const Claim& claim : check.claims) EXPECT_TRUE(claim.agrees) << claim.name << claim.finding;
  const Dataset narrow = with_matrix(fresh, narrow_kernel(fresh, data, model.support));
  const Dataset wide = with_matrix(fresh, narrow_kernel(fresh, data, first_samples(80)));
  EXPECT_EQ(predict(model, narrow, {}).decision.values, predict(model, wide, {}).decision.values);
}

/// The rule of these samples, whose ids are s0, s1, ...
LandmarkRule listed(const std::vector<Index>& samples) {
  LandmarkRule rule;
  rule.choice = LandmarkRule::Choice::listed;
  for (const Index i : samples) rule.ids.push_back(fmt::format("s{}", i));
  return rule;
}

/// K[:, P], in the order of the list or with names.
Dataset landmark_columns(const Dataset& data, const std::vector<Index>& samples,
                         const std::vector<std::string>& names = {}) {
  Dataset given = with_matrix(data, narrow_kernel(data, data, samples));
  if (!names.empty()) given.matrices.front().matrix.set_names({data.table.ids, names});
  return given;
}

const std::vector<Index> kChosen = {2, 5, 11, 17, 23, 31, 40, 52, 66, 79};

TEST(Landmarks, NeedTheirColumnsOfAMatrixOnly) {
  const Dataset data = toy_data(80, 4);
  const Dataset fresh = toy_data(25, 9);
  TrainOptions options;
  options.landmarks = listed(kChosen);
  options.normalization = parse_normalization("none");
  options.solver.tolerance = 1e-8;
  const Model whole =
      train(with_matrix(data, narrow_kernel(data, data, first_samples(80))), options, {}).model;
  Dataset columns = landmark_columns(data, kChosen);
  join_training_matrices(columns, options.landmarks, {});
  EXPECT_EQ(columns.matrices.front().matrix.cols(), 80);
  const Model model = decode_model(encode_model(train(columns, options, {}).model));
  EXPECT_EQ(model.support, kChosen);
  const Verification check = verify(model, columns, {});
  for (const Claim& claim : check.claims) EXPECT_TRUE(claim.agrees) << claim.name << claim.finding;
  // The same problem up to the jitter of the landmarks.
  constexpr double slack = 1e-6;
  EXPECT_LE(model.certificate.dual, whole.certificate.primal * (1.0 + slack));
  EXPECT_GE(model.certificate.primal, whole.certificate.dual * (1.0 - slack));
  const Dataset narrow = with_matrix(fresh, narrow_kernel(fresh, data, kChosen));
  const Vector found = predict(model, narrow, {}).decision.values;
  const Vector right = predict(whole, narrow, {}).decision.values;
  ASSERT_EQ(found.size(), 25U);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], right[i], 1e-3);
}

TEST(Landmarks, FindColumnsByName) {
  const Dataset data = toy_data(80, 4);
  std::vector<Index> turned = kChosen;
  std::ranges::reverse(turned);
  const LandmarkRule rule = listed(kChosen);
  Dataset plain = landmark_columns(data, kChosen);
  Dataset named = landmark_columns(data, turned, listed(turned).ids);
  join_training_matrices(plain, rule, {});
  join_training_matrices(named, rule, {});
  EXPECT_EQ(plain.matrices.front().matrix.whole().values,
            named.matrices.front().matrix.whole().values);
  const Matrix K = narrow_kernel(data, data, first_samples(80));
  const Matrix found = plain.matrices.front().matrix.whole();
  for (Index i = 0; i < 80; ++i) {
    for (const Index p : kChosen) EXPECT_NEAR(found(i, p), K(i, p), 1e-8);
  }
}

std::string refusal_of_columns(Dataset data, const LandmarkRule& rule) {
  try {
    join_training_matrices(data, rule, {});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Landmarks, RefuseColumnsThatAreNotTheirs) {
  const Dataset data = toy_data(80, 4);
  std::vector<Index> turned = kChosen;
  std::ranges::reverse(turned);
  const auto says = [](const std::string& message, const char* part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  says(refusal_of_columns(landmark_columns(data, turned), listed(turned)), "in that order");
  says(refusal_of_columns(landmark_columns(data, kChosen, listed(first_samples(10)).ids),
                          listed(kChosen)),
       "no column of the landmark");
  Dataset unknown = landmark_columns(data, kChosen);
  unknown.table.ids.clear();
  says(refusal_of_columns(unknown, listed(kChosen)), "--id");
  Matrix indefinite = narrow_kernel(data, data, kChosen);
  for (std::size_t p = 0; p < kChosen.size(); ++p) {
    indefinite(kChosen[p], static_cast<Index>(p)) = -1.0;
  }
  says(refusal_of_columns(with_matrix(data, indefinite), listed(kChosen)),
       "not positive semidefinite");
  TrainOptions options;
  says(refusal(landmark_columns(data, kChosen), options), "landmarks FILE");
}

TEST(Landmarks, RefuseMatricesWithoutAFactor) {
  const Dataset data = toy_data(60, 4);
  TrainOptions options;
  options.landmarks = parse_landmarks("12");
  const Matrix K = narrow_kernel(data, data, first_samples(60));
  Matrix indefinite = K;
  for (Index i = 0; i < 60; ++i) indefinite(i, i) = 0.2;
  EXPECT_NE(refusal(with_matrix(data, indefinite), options).find("not positive semidefinite"),
            std::string::npos);
  Matrix oblique = K;
  for (Index i = 0; i < 60; ++i) {
    for (Index j = 0; j < i; ++j) oblique(i, j) *= 1.01;
  }
  EXPECT_NE(refusal(with_matrix(data, oblique), options).find("not symmetric"), std::string::npos);
  options.repair = Repair::clip;
  EXPECT_NE(refusal(with_matrix(data, K), options).find("with a repair"), std::string::npos);
}

}  // namespace
}  // namespace kernmix
