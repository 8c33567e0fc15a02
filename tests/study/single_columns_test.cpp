/// \file
/// A column that predicts alone nearly as well as all is named, and no other is.

#include "study/single_columns.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/samples.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

/// n samples of two classes with three columns of noise, of which column `leak` is the class in
/// any order-preserving disguise if `leaks`.
Dataset noise_with(Index n, Index leak, bool leaks, double factor, std::uint32_t seed) {
  Numbers numbers(seed);
  Dataset data;
  data.table.columns = {"u", "v", "w"};
  data.table.values = Matrix(n, 3);
  data.views = {{"d", data.table.columns}};
  for (Index i = 0; i < n; ++i) {
    const bool yes = numbers.uniform() < 0.4;
    data.table.labels.push_back(yes ? "yes" : "no");
    for (Index j = 0; j < 3; ++j) data.table.values(i, j) = numbers.normal();
    if (leaks) data.table.values(i, leak) = factor * ((yes ? 10.0 : 0.0) + numbers.uniform());
  }
  return data;
}

RC_GTEST_PROP(SingleColumns, AreNamedWhereTheyFollowTheClass, ()) {
  const Index leak = *rc::gen::inRange<Index>(0, 3);
  const double factor = *rc::gen::element(1.0, -1.0, 1e6, 1e-6);
  const auto seed = *rc::gen::inRange<std::uint32_t>(1, 1000);
  const Index n = *rc::gen::inRange<Index>(100, 300);
  const Dataset data = noise_with(n, leak, true, factor, seed);
  const auto warning = warning_of_single_columns(data, 0.99, {});
  RC_ASSERT(warning.has_value());
  for (Index j = 0; j < 3; ++j) {
    const std::string name = "'" + data.table.columns[to_size(j)] + "'";
    RC_ASSERT((warning->message.find(name) != std::string::npos) == (j == leak));
  }
}

/// The words of one column are looked at together: no single indicator predicts the class.
TEST(SingleColumns, OfWordsAreOneColumn) {
  Dataset data = noise_with(120, 0, false, 1.0, 3);
  data.table.indicators.push_back({"diagnosis", {"a", "b", "c", "d"}});
  const std::vector<std::string> names = data.table.indicators.front().names();
  Matrix wider(120, 7);
  for (Index i = 0; i < 120; ++i) {
    for (Index j = 0; j < 3; ++j) wider(i, j) = data.table.values(i, j);
    const bool yes = data.table.labels[to_size(i)] == "yes";
    wider(i, 3 + (yes ? 0 : 2) + i % 2) = 1.0;
  }
  data.table.values = wider;
  for (const std::string& name : names) {
    data.table.columns.push_back(name);
    data.views.front().columns.push_back(name);
  }
  const auto warning = warning_of_single_columns(data, 0.99, {});
  ASSERT_TRUE(warning.has_value());
  EXPECT_NE(warning->message.find("'diagnosis' (100 %)"), std::string::npos) << warning->message;
}

RC_GTEST_PROP(SingleColumns, OfNoiseAreNotNamed, ()) {
  const auto seed = *rc::gen::inRange<std::uint32_t>(1, 1000);
  const Dataset data = noise_with(200, 0, false, 1.0, seed);
  RC_ASSERT(!warning_of_single_columns(data, 0.99, {}).has_value());
}

/// Where all columns together tell nothing, there is nothing that one column could explain.
TEST(SingleColumns, AreNotLookedAtWithoutAGain) {
  EXPECT_FALSE(warning_of_single_columns(noise_with(200, 1, true, 1.0, 5), 0.62, {}).has_value());
}

}  // namespace
}  // namespace kernmix
