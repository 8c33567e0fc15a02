/// \file
/// Metrics of many classes and labels against scikit-learn's values: reference/metrics.json, which
/// reference/generate.py writes and tests/oracle/test_metrics.py compares with scikit-learn again.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "kernmix/metrics.hpp"

namespace kernmix::testing {
namespace {

using Json = nlohmann::json;

Json reference(const std::string& kind) {
  std::ifstream stream(KERNMIX_SOURCE_DIR "/tests/metrics/reference/metrics.json");
  return Json::parse(stream).at(kind);
}

Matrix matrix_of(const Json& rows) {
  Matrix matrix(length(rows), length(rows.at(0)));
  for (Index i = 0; i < matrix.rows; ++i) {
    for (Index j = 0; j < matrix.cols; ++j) matrix(i, j) = rows[i][j].get<double>();
  }
  return matrix;
}

void expect_value(const std::optional<double>& value, const Json& expected,
                  const std::string& what) {
  if (expected.is_null()) {
    EXPECT_FALSE(value) << what;
  } else {
    ASSERT_TRUE(value) << what;
    EXPECT_NEAR(*value, expected.get<double>(), 1e-12) << what;
  }
}

void expect_metrics(const std::vector<Metric>& metrics, const Json& expected) {
  EXPECT_EQ(metrics.size(), expected.size());
  for (const Metric& metric : metrics) {
    expect_value(metric.value, expected.at(metric.name), metric.name);
  }
}

void expect_classwise(const std::vector<ClasswiseMetric>& metrics, const Json& expected) {
  EXPECT_EQ(metrics.size(), expected.size());
  for (const ClasswiseMetric& metric : metrics) {
    const Json& values = expected.at(metric.name);
    ASSERT_EQ(metric.classes.size(), values.at("classes").size());
    for (std::size_t t = 0; t < metric.classes.size(); ++t) {
      const std::string what = metric.name + " of class " + std::to_string(t);
      EXPECT_EQ(metric.classes[t].name, metric.name);
      expect_value(metric.classes[t].value, values.at("classes")[t], what);
    }
    expect_value(metric.average.micro, values.at("micro"), "micro " + metric.name);
    expect_value(metric.average.macro, values.at("macro"), "macro " + metric.name);
    expect_value(metric.average.weighted, values.at("weighted"), "weighted " + metric.name);
  }
}

TEST(Multiclass, AgreesWithScikitLearn) {
  for (const Json& one : reference("multiclass")) {
    SCOPED_TRACE(one.at("name").get<std::string>());
    const Matrix score = matrix_of(one.at("score"));
    const std::vector<std::string> names(static_cast<std::size_t>(score.cols), "class");
    const auto result = evaluate_classes(names, one.at("truth").get<std::vector<Index>>(),
                                         one.at("predicted").get<std::vector<Index>>(), score);
    const Matrix confusion = matrix_of(one.at("confusion"));
    for (Index k = 0; k < score.cols; ++k) {
      for (Index l = 0; l < score.cols; ++l) {
        EXPECT_EQ(static_cast<double>(result.confusion(k, l)), confusion(k, l));
      }
    }
    expect_metrics(result.metrics, one.at("metrics"));
    expect_classwise(result.classwise, one.at("classwise"));
  }
}

TEST(Multilabel, AgreesWithScikitLearn) {
  for (const Json& one : reference("multilabel")) {
    SCOPED_TRACE(one.at("name").get<std::string>());
    const Matrix has = matrix_of(one.at("truth"));
    MultiLabels truth;
    truth.names.resize(static_cast<std::size_t>(has.cols));
    truth.values.assign(has.values.begin(), has.values.end());
    const auto result = evaluate_labels(truth, matrix_of(one.at("score")),
                                        one.at("thresholds").get<std::vector<double>>());
    expect_metrics(result.metrics, one.at("metrics"));
    expect_classwise(result.classwise, one.at("classwise"));
  }
}

}  // namespace
}  // namespace kernmix::testing
