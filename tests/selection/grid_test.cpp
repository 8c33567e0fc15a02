#include "kernmix/selection/grid.hpp"

#include <gtest/gtest.h>

#include <set>

#include "kernmix/error.hpp"

namespace kernmix {
namespace {

std::vector<std::string> names_of(const std::vector<GridPoint>& points) {
  std::vector<std::string> names;
  for (const GridPoint& point : points) names.push_back(point.name);
  return names;
}

TEST(Grid, RangesRiseAsTheyAreWritten) {
  const std::vector<GridAxis> axes = parse_grid({"C=0.01..100*10"});
  ASSERT_EQ(axes.size(), 1U);
  std::vector<std::string> texts;
  for (const GridValue& value : axes.front().values) texts.push_back(value.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"0.01", "0.1", "1", "10", "100"}));
}

TEST(Grid, CRunsFastestAndPathsAreOfC) {
  const auto points =
      grid_points({{"regularizer", {"lp"}}}, parse_grid({"C=1,10", "p=1.5,2", "bias=free"}));
  EXPECT_EQ(names_of(points),
            (std::vector<std::string>{"p=1.5, C=1", "p=1.5, C=10", "p=2, C=1", "p=2, C=10"}));
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points[i].path, static_cast<Index>(i / 2));
    const TrainOptions options = options_of(points[i].settings);
    EXPECT_EQ(*options.C, i % 2 == 0 ? 1.0 : 10.0);
    EXPECT_EQ(options.regularizer, i < 2 ? "lp:p=1.5" : "lp:p=2");
    EXPECT_EQ(options.bias, Bias::free);
  }
}

TEST(Grid, AValueOfTheRegularizerIsReplaced) {
  for (const auto& [written, expected] :
       {std::pair{"lp:p=4", "lp:p=1.5"}, std::pair{"lp:4", "lp:p=1.5"}, std::pair{"lp", "lp:p=1.5"},
        std::pair{"lp-tikhonov:p=4,lambda=2", "lp-tikhonov:lambda=2,p=1.5"}}) {
    const auto points = grid_points({{"regularizer", {written}}}, parse_grid({"p=1.5,2"}));
    EXPECT_EQ(points.front().settings.at("regularizer").front(), expected) << written;
  }
}

TEST(Grid, PointsAreAllCombinationsOnce) {
  const auto points =
      grid_points({}, parse_grid({"C=1,2,3", "kernel=linear,rbf(gamma=1)", "loss=hinge,logistic"}));
  std::set<std::string> names;
  for (const GridPoint& point : points) {
    EXPECT_TRUE(names.insert(point.name).second) << point.name;
    EXPECT_EQ(point.numbers.size(), 1U);
    (void)options_of(point.settings);
  }
  EXPECT_EQ(names.size(), 12U);
}

TEST(Grid, CommasInQuotesAndParenthesesSeparateNothing) {
  const auto axes = parse_grid(
      {"regularizer=l1,\"elastic-net:l1=1,l2=2\"", "kernel=poly(degree=2,offset=1),rbf(gamma=1)"});
  ASSERT_EQ(axes[0].values.size(), 2U);
  EXPECT_EQ(axes[0].values[1].text, "elastic-net:l1=1,l2=2");
  ASSERT_EQ(axes[1].values.size(), 2U);
  EXPECT_EQ(axes[1].values[0].text, "poly(degree=2,offset=1)");
  for (const char* bad : {"regularizer=\"l1", "kernel=rbf(gamma=1", "kernel=rbf)", "kernel=a)(b"}) {
    EXPECT_THROW((void)parse_grid({bad}), ParameterError) << bad;
  }
}

TEST(Grid, RefusesAValueTwice) {
  for (const char* bad : {"C=1,10,1", "C=1,1.0", "regularizer=l1,l1"}) {
    EXPECT_THROW((void)grid_points({}, parse_grid({bad})), ParameterError) << bad;
  }
}

TEST(Grid, RefusesOtherForms) {
  for (const char* bad : {"C", "C=", "=1", "C=1,", "C=1..10*0.5", "C=0..10", "C=1..1e300*1.0001"}) {
    EXPECT_THROW((void)parse_grid({bad}), ParameterError) << bad;
  }
  EXPECT_THROW((void)parse_grid({"C=1", "C=2"}), ParameterError);
  const std::vector<std::string> much = {"C=1..1e9*1.03", "p=1..1e9*1.03", "bias=free,none"};
  EXPECT_THROW((void)grid_points({}, parse_grid(much)), ParameterError);
}

TEST(Grid, AKeyIsASettingOrAParameterOfTheRegularizer) {
  for (const std::string& key : grid_keys()) EXPECT_FALSE(refusal_of_axis(key, "l1")) << key;
  EXPECT_FALSE(refusal_of_axis("p", "lp"));
  EXPECT_FALSE(refusal_of_axis("p", "lp:p=2"));
  EXPECT_TRUE(refusal_of_axis("p", "l1"));
  EXPECT_TRUE(refusal_of_axis("positive", "l1"));
  EXPECT_TRUE(refusal_of_axis("colour", "l1"));
}

}  // namespace
}  // namespace kernmix
