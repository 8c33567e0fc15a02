#include <gtest/gtest.h>

#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {
namespace {

const std::vector<ViewNames> views = {
    {.name = "color", .columns = {"red", "green", "blue"}},
    {.name = "shape", .columns = {"width", "red"}},
    {.name = "hist1", .columns = {"h1", "h2"}},
    {.name = "hist2", .columns = {"h3"}},
    {.name = "K", .columns = {}, .input = KernelInput::gram},
    {.name = "K2", .columns = {}, .input = KernelInput::gram},
    {.name = "D", .columns = {}, .input = KernelInput::distance},
};

std::vector<KernelDescription> expand(const std::string& expression) {
  return expand_kernels({expression}, views, Normalization{});
}

using Names = std::vector<std::string>;

Names names(const std::string& expression) {
  Names all;
  for (const KernelDescription& kernel : expand(expression)) all.push_back(kernel.name());
  return all;
}

TEST(KernelLanguage, ExpandsRangesInOrder) {
  EXPECT_EQ(names("rbf(gamma=2^-1..2^2) on color"),
            (Names{"rbf(gamma=0.5) on color", "rbf(gamma=1) on color", "rbf(gamma=2) on color",
                   "rbf(gamma=4) on color"}));
  EXPECT_EQ(names("rbf(gamma=2^-6..2^3) on color").size(), 10U);
  EXPECT_EQ(
      names("poly(degree=1..3) on color"),
      (Names{"poly(degree=1) on color", "poly(degree=2) on color", "poly(degree=3) on color"}));
  EXPECT_EQ(names("rbf(gamma=1e-3..1e1) on color"),
            (Names{"rbf(gamma=0.001) on color", "rbf(gamma=0.01) on color",
                   "rbf(gamma=0.1) on color", "rbf(gamma=1) on color", "rbf(gamma=10) on color"}));
  EXPECT_EQ(names("rbf(gamma=10^-1..1e0) on color"),
            (Names{"rbf(gamma=0.1) on color", "rbf(gamma=1) on color"}));
  EXPECT_EQ(names("rbf(gamma=2..2) on color"), (Names{"rbf(gamma=2) on color"}));
}

TEST(KernelLanguage, ExpandsListsAndTheirProducts) {
  EXPECT_EQ(names("poly(degree=2..3, coef0={0; 1.5}) on shape"),
            (Names{"poly(degree=2) on shape", "poly(degree=2, coef0=1.5) on shape",
                   "poly(degree=3) on shape", "poly(degree=3, coef0=1.5) on shape"}));
  EXPECT_EQ(names("rbf(gamma={0.1; 2^3; 1..2}) on hist2"),
            (Names{"rbf(gamma=0.1) on hist2:h3", "rbf(gamma=8) on hist2:h3",
                   "rbf(gamma=1) on hist2:h3", "rbf(gamma=2) on hist2:h3"}));
  EXPECT_EQ(
      names("rbf(width={0.5;1;2}) on color"),
      (Names{"rbf(gamma=2) on color", "rbf(gamma=0.5) on color", "rbf(gamma=0.125) on color"}));
  EXPECT_EQ(names("sigmoid(coef0=-1..0) on hist1"),
            (Names{"sigmoid(gamma=0.5, coef0=-1) on hist1", "sigmoid(gamma=0.5) on hist1"}));
}

TEST(KernelLanguage, TakesGammaFromTheNumberOfColumns) {
  EXPECT_EQ(names("rbf on hist*"), (Names{"rbf(gamma=0.5) on hist1", "rbf(gamma=1) on hist2:h3"}));
  EXPECT_EQ(names("laplacian on hist1, each"),
            (Names{"laplacian(gamma=1) on hist1:h1", "laplacian(gamma=1) on hist1:h2"}));
}

TEST(KernelLanguage, LeavesRelativeWidthsToTheData) {
  EXPECT_EQ(names("rbf(width=median*2^-1..2^1) on color"),
            (Names{"rbf(width=median*0.5) on color", "rbf(width=median) on color",
                   "rbf(width=median*2) on color"}));
  EXPECT_EQ(
      names("laplacian(width = median * {0.1; 3}) on hist1, each"),
      (Names{"laplacian(width=median*0.1) on hist1:h1", "laplacian(width=median*3) on hist1:h1",
             "laplacian(width=median*0.1) on hist1:h2", "laplacian(width=median*3) on hist1:h2"}));
  EXPECT_EQ(names("exponential(width=near*{1;2}) on D"),
            (Names{"exponential(width=near) on D", "exponential(width=near*2) on D"}));
  EXPECT_EQ(
      names("matern(nu={0.5; 2.5}, width=median) on color"),
      (Names{"matern(nu=0.5, width=median) on color", "matern(nu=2.5, width=median) on color"}));
  for (const KernelDescription& kernel : expand("chi2(width=median*4) on hist*")) {
    EXPECT_EQ(kernel.relative_width, (RelativeWidth{4.0, TypicalDistance::median}));
    EXPECT_THROW(static_cast<void>(feature_source(kernel.function, {}, {})), ParameterError);
  }
  EXPECT_FALSE(expand("rbf(width=2) on color").front().relative_width);
}

TEST(KernelLanguage, TakesTheWidthOfEveryFunctionOfDistances) {
  EXPECT_EQ(names("exponential(width=2) on color"), (Names{"exponential(gamma=0.25) on color"}));
  EXPECT_EQ(names("inverse_distance(width=2) on D"), (Names{"inverse_distance(gamma=0.25) on D"}));
  EXPECT_EQ(names("inverse_square_distance(width=2) on D"),
            (Names{"inverse_square_distance(gamma=0.25) on D"}));
  EXPECT_EQ(names("matern(nu=2.5, width=2) on D"), (Names{"matern(nu=2.5, gamma=0.25) on D"}));
  EXPECT_EQ(names("chi2(width=2) on hist1"), (Names{"chi2(gamma=0.5) on hist1"}));
}

TEST(KernelLanguage, FindsViews) {
  EXPECT_EQ(names("linear on hist*"), (Names{"linear on hist1", "linear on hist2:h3"}));
  EXPECT_EQ(names("linear on shape|color"), (Names{"linear on shape", "linear on color"}));
  EXPECT_EQ(names("linear on shape | s* | shape"), (Names{"linear on shape"}));
  const Names each_view = {"linear on color", "linear on shape", "linear on hist1",
                           "linear on hist2:h3"};
  EXPECT_EQ(names("linear"), each_view);
  EXPECT_EQ(names("linear()"), each_view);
  EXPECT_EQ(names("linear on *"), each_view);
  EXPECT_EQ(names("linear on each view"), each_view);
  EXPECT_EQ(names("precomputed"), (Names{"precomputed on K", "precomputed on K2"}));
  EXPECT_EQ(names("precomputed on K2"), (Names{"precomputed on K2"}));
  EXPECT_EQ(names("rbf(gamma=2) on D"), (Names{"rbf(gamma=2) on D"}));
  EXPECT_EQ(names("rbf(gamma=2)").back(), "rbf(gamma=2) on D");
  EXPECT_EQ(names("chi2 on 'hist1' | \"hist2\""),
            (Names{"chi2(gamma=1) on hist1", "chi2(gamma=1) on hist2:h3"}));
}

TEST(KernelLanguage, JoinsAllColumnsOnce) {
  const auto all = expand("linear on all");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].view, "all");
  EXPECT_EQ(all[0].columns, (Names{"red", "green", "blue", "width", "h1", "h2", "h3"}));
  EXPECT_FALSE(all[0].from_matrix);
  EXPECT_EQ(names("linear on all, each").size(), 7U);
  EXPECT_EQ(names("linear on all, each").front(), "linear on all:red");
  EXPECT_EQ(names("poly(degree=1..3) on all | color, each").size(), 30U);
}

TEST(KernelLanguage, RunsThroughColumnsBeforeParameters) {
  EXPECT_EQ(names("poly(degree=1..2) on shape, each"),
            (Names{"poly(degree=1) on shape:width", "poly(degree=2) on shape:width",
                   "poly(degree=1) on shape:red", "poly(degree=2) on shape:red"}));
}

TEST(KernelLanguage, DescribesTheKernelFully) {
  const auto kernels = expand("rbf(gamma=1) on color, each, normalize=center+trace, group=mine");
  ASSERT_EQ(kernels.size(), 3U);
  EXPECT_EQ(kernels[1].columns, Names{"green"});
  EXPECT_EQ(kernels[1].view, "color");
  EXPECT_EQ(kernels[1].group, "mine");
  EXPECT_EQ(kernels[1].normalization.text(), "center+trace");
  const auto gram = expand("precomputed on K").front();
  EXPECT_TRUE(gram.from_matrix);
  EXPECT_TRUE(gram.columns.empty());
  EXPECT_EQ(gram.group, "K");
  EXPECT_EQ(gram.normalization, Normalization{});
  EXPECT_TRUE(expand("rbf(gamma=1) on D").front().from_matrix);
}

TEST(KernelLanguage, IgnoresBlanks) {
  EXPECT_EQ(names("  rbf ( gamma = 2 ^ -1 .. 2 ^ 0 )  on\n color ,each , group = g "),
            names("rbf(gamma=2^-1..2^0) on color, each"));
}

TEST(KernelLanguage, ReadsWhatFunctionsWrite) {
  for (const char* text :
       {"rbf(gamma={0.1; 1e-7; 2^0.5; 123456789})", "laplacian(width=3)",
        "poly(degree=1..4, gamma=1e-3..1e3, coef0={0; 0.3})", "chi2", "cosine",
        "sigmoid(gamma=3, coef0={-0.1; -1e-9})", "inverse_distance", "inverse_square_distance",
        "exponential", "matern(nu={0.5; 1.5; 2.5}, width=3)",
        "rational_quadratic(alpha={1; 2^-3}, width=3)", "additive_chi2", "minmax", "intersection",
        "bray_curtis", "linear"}) {
    for (const KernelDescription& kernel : expand(std::string(text) + " on color")) {
      const auto again = expand(kernel.function.text() + " on color");
      ASSERT_EQ(again.size(), 1U);
      EXPECT_EQ(again.front().function, kernel.function);
    }
  }
}

TEST(KernelLanguage, PrefersAViewThatIsNamedAll) {
  const auto kernels = expand_kernels(
      {"linear on all"}, {{.name = "a", .columns = {"x", "y"}}, {.name = "all", .columns = {"y"}}},
      Normalization{});
  EXPECT_EQ(kernels.front().columns, Names{"y"});
}

TEST(KernelLanguage, KeepsTheOrderOfExpressions) {
  const auto kernels =
      expand_kernels({"linear on shape", "cosine on color"}, views, Normalization{});
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].name(), "linear on shape");
  EXPECT_EQ(kernels[1].name(), "cosine on color");
  EXPECT_TRUE(expand_kernels({}, views, Normalization{}).empty());
}

}  // namespace
}  // namespace kernmix
