/// \file
/// Calibration and the metrics of probabilities against scikit-learn: reference/calibration.json,
/// which reference/generate.py writes.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "kernmix/calibration.hpp"
#include "kernmix/metrics.hpp"

namespace kernmix::testing {
namespace {

using Json = nlohmann::json;

/// scikit-learn minimises Platt's loss by L-BFGS, which stops before Newton's method does.
constexpr double kOtherSolver = 2e-5;

Json calibration_reference() {
  std::ifstream stream(KERNMIX_SOURCE_DIR "/tests/calibration/reference/calibration.json");
  return Json::parse(stream);
}

Matrix matrix_from(const Json& rows) {
  Matrix matrix(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()));
  for (Index i = 0; i < matrix.rows; ++i) {
    for (Index j = 0; j < matrix.cols; ++j) matrix(i, j) = rows[to_size(i)][to_size(j)];
  }
  return matrix;
}

void expect_same(const ProbabilityMap& map, const Json& one, const char* name, double tolerance) {
  const auto asked = one.at("asked").get<Vector>();
  const auto expected = one.at(name).get<Vector>();
  for (std::size_t i = 0; i < asked.size(); ++i) {
    EXPECT_NEAR(probability_at(map, asked[i]), expected[i], tolerance) << name << " " << asked[i];
  }
}

TEST(CalibrationReference, MapsAreThoseOfScikitLearn) {
  for (const Json& one : calibration_reference().at("cases")) {
    const auto y = one.at("y").get<Vector>();
    const auto f = one.at("decision").get<Vector>();
    const auto w = one.at("weights").get<Vector>();
    expect_same(fit_platt(y, f, w), one, "platt", kOtherSolver);
    expect_same(fit_beta(y, f, w), one, "beta", kOtherSolver);
    expect_same(fit_calibration(CalibrationMethod::isotonic, y, f, w), one, "isotonic", 1e-12);
    Vector share;
    for (const double sign : y) share.push_back(sign > 0.0 ? 1.0 : 0.0);
    expect_same(fit_isotonic(share, f, w), one, "isotonic_of_labels", 1e-12);
  }
}

TEST(CalibrationReference, ClassesAreDividedByTheirSum) {
  const Json one = calibration_reference().at("classes");
  const Matrix decision = matrix_from(one.at("decision"));
  const auto truth = one.at("y").get<std::vector<Index>>();
  std::vector<ProbabilityMap> maps;
  for (Index k = 0; k < decision.cols; ++k) {
    Vector y;
    Vector f;
    for (Index i = 0; i < decision.rows; ++i) {
      y.push_back(truth[to_size(i)] == k ? 1.0 : -1.0);
      f.push_back(decision(i, k));
    }
    maps.emplace_back(fit_platt(y, f));
  }
  const Matrix expected = matrix_from(one.at("platt"));
  const Matrix found = calibrated_probabilities(maps, decision, true);
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    EXPECT_NEAR(found.values[i], expected.values[i], 2.0 * kOtherSolver) << i;
  }
  const ProbabilityEvaluation exact = evaluate_class_probabilities(truth, expected);
  EXPECT_NEAR(*exact.metrics[0].value, one.at("log_loss").get<double>(), 1e-12);
  EXPECT_NEAR(*exact.metrics[1].value, one.at("brier_score").get<double>(), 1e-12);
}

TEST(CalibrationReference, LossesAreThoseOfScikitLearn) {
  const Json one = calibration_reference().at("losses");
  const ProbabilityEvaluation found =
      evaluate_probabilities(one.at("y").get<Vector>(), one.at("p").get<Vector>());
  EXPECT_EQ(found.metrics[0].name, "log_loss");
  EXPECT_NEAR(*found.metrics[0].value, one.at("log_loss").get<double>(), 1e-12);
  EXPECT_EQ(found.metrics[1].name, "brier_score");
  EXPECT_NEAR(*found.metrics[1].value, one.at("brier_score").get<double>(), 1e-12);
}

}  // namespace
}  // namespace kernmix::testing
