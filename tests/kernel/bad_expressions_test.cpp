#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {
namespace {

const std::vector<ViewNames> known_views = {
    {.name = "color", .columns = {"red", "green"}},
    {.name = "größe", .columns = {"x"}},
    {.name = "K", .columns = {}, .input = KernelInput::gram},
    {.name = "D", .columns = {}, .input = KernelInput::distance},
};

std::string refusal(const std::string& expression, const Normalization& default_rule = {}) {
  try {
    static_cast<void>(expand_kernels({expression}, known_views, default_rule));
  } catch (const ParameterError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

constexpr const char* range_rule =
    "a range runs between two whole numbers or two powers of the same base, as in 1..5, "
    "2^-6..2^3 or 1e-3..1e3; write other values as a list {0.1; 0.5}";
constexpr const char* option_rule =
    "expected 'each', 'normalize=RULE' or 'group=NAME' (several views are joined by '|')";

struct Case {
  const char* expression;
  const char* sentence;
  int caret;  ///< characters before the one that the caret points at
};

const Case cases[] = {
    {"", "expected the name of a kernel, found the end", 0},
    {"42", "expected the name of a kernel, found '4'", 0},
    {"rfb(gamma=1) on color", "unknown kernel 'rfb', did you mean 'rbf'?", 0},
    {"rbf(gamma=1 on color", "expected ',' or ')' after the value of 'gamma', found 'o'", 12},
    {"rbf(gamma) on color", "expected '=' after 'gamma', found ')'", 9},
    {"rbf(gamma=) on color", "expected a number, found ')'", 10},
    {"rbf(gamma=-1) on color", "rbf: gamma must be > 0, got -1", 10},
    {"rbf(gamma=1, gamma=2) on color", "'gamma' is given twice", 13},
    {"rbf(gamma=1, width=2) on color", "rbf: give gamma or width, not both", 0},
    {"rbf(gama=1) on color", "rbf has no parameter 'gama'; its parameters are gamma, width", 4},
    {"rbf(gamma=1,) on color", "expected the name of a parameter, found ')'", 12},
    {"rbf(gamma=1,2,3) on color",
     "expected the name of a parameter; several values of one are a list {1; 2; 3}", 12},
    {"rbf(width=foo) on color", "a width is a number, median or near, or a list {1; 2; 3}", 10},
    {"rbf(gamma=0.5..2) on color", range_rule, 10},
    {"rbf(gamma=2^3..2^-6) on color", "a range must run upwards", 10},
    {"rbf(gamma=2^1..3^2) on color", range_rule, 10},
    {"rbf(gamma=1..1e6) on color", range_rule, 10},
    {"rbf(gamma=1..999999) on color", "a range may have at most 10000 values", 10},
    {"rbf(gamma={1; 2) on color", "expected ';' or '}', found ')'", 15},
    {"rbf(gamma={1, 2}) on color", "expected ';' or '}', found ','", 12},
    {"rbf(gamma=2^) on color", "expected a number, found ')'", 12},
    {"rbf(gamma=-2^2) on color", "the base of a power must be > 0", 10},
    {"rbf(gamma=2^9999) on color", "rbf: gamma must be a finite number, got inf", 10},
    {"rbf(gamma=1e999) on color", "rbf: gamma must be a finite number, got inf", 10},
    {"rbf(gamma=inf) on color", "expected a number, found 'i'", 10},
    {"rbf(gamma=1.) on color", "expected ',' or ')' after the value of 'gamma', found '.'", 11},
    {"rbf(gamma=median) on color",
     "'median' is a distance, which a width may be relative to, not gamma", 10},
    {"rbf(width=median*) on color", "expected a number, found ')'", 17},
    {"rbf(width=median*-1) on color", "rbf: width must be > 0, got -1", 10},
    {"rbf(width=median*1e-200) on color", "rbf: width 1e-200 is out of range", 0},
    {"rbf(width=median 2) on color", "expected ',' or ')' after the value of 'width', found '2'",
     17},
    {"rbf(width=2*median) on color", "expected ',' or ')' after the value of 'width', found '*'",
     11},
    {"linear(width=median) on color", "linear has no parameters", 7},
    {"poly on color", "poly: degree is required", 0},
    {"poly(degree=0..2) on color", "poly: degree must be a whole number from 1 to 100, got 0", 12},
    {"poly(degree=1.5) on color", "poly: degree must be a whole number from 1 to 100, got 1.5", 12},
    {"linear(gamma=2) on color", "linear has no parameters", 7},
    {"linear on colour", "unknown view 'colour', did you mean 'color'?", 10},
    {"linear on xyz", "unknown view 'xyz'; the views are color, größe, K, D", 10},
    {"linear on hist*",
     "linear reads columns, and no view that matches 'hist*' has such data; the views are color, "
     "größe, K, D",
     10},
    {"linear on K", "linear reads columns, but 'K' is a given Gram matrix", 10},
    {"linear on D", "linear reads columns, but 'D' is a given distance matrix", 10},
    {"linear on", "expected the name of a view, found the end", 9},
    {"linear on color, shape", option_rule, 17},
    {"linear on color each", "expected '|', ',' or the end, found 'e'", 16},
    {"linear color", "expected 'on VIEWS', ',' or the end, found 'c'", 7},
    {"linear on color, each, normalize=tracee",
     "unknown normalization 'tracee', did you mean 'trace'?", 33},
    {"linear on color, normalize", option_rule, 17},
    {"linear on color, normalize=", "expected a normalization, found the end", 27},
    {"linear on color, group=", "expected the name of a group, found the end", 23},
    {"linear on \"color", "this quote is never closed", 10},
    {"linear on color |", "expected the name of a view, found the end", 17},
    {"linear on each", "expected 'view' after 'on each' (single columns are 'on all, each')", 14},
    {"linear on größe, eech", option_rule, 17},
    {"precomputed on color", "precomputed reads a given Gram matrix, but 'color' has columns", 15},
    {"precomputed on K, each", "'each' needs columns, but 'K' is a given Gram matrix", 18},
    {"precomputed on all", "precomputed reads a given Gram matrix, but 'all' has columns", 15},
    {"precomputed on K, normalize=cosine",
     "precomputed cannot have cosine normalization, because the matrix of new samples does not "
     "contain their k(x, x): write normalize=trace here and give matrices that are normalized "
     "already",
     28},
    {"rbf on D", "rbf: gamma is required for the given distances 'D'", 0},
    {"linear on color; rbf on color", "expected '|', ',' or the end, found 'r'", 17},
    {"poly(degree=1..100, gamma=1..1000, coef0=1..1000) on color",
     "this is more than 1000000 kernels", 0},
};

TEST(BadKernelExpressions, ArePointedAt) {
  for (const Case& bad : cases) {
    EXPECT_EQ(refusal(bad.expression), fmt::format("kernel expression: {}\n  {}\n  {:{}}^",
                                                   bad.sentence, bad.expression, "", bad.caret));
  }
}

TEST(BadKernelExpressions, CountTheDefaultNormalization) {
  EXPECT_EQ(refusal("precomputed on K", parse_normalization("cosine")),
            "kernel expression: precomputed cannot have cosine normalization, because the matrix "
            "of new samples does not contain their k(x, x): write normalize=trace here and give "
            "matrices that are normalized already\n  precomputed on K\n  ^");
  EXPECT_EQ(refusal("precomputed on K, normalize=trace", parse_normalization("cosine")),
            "nothing was thrown");
}

TEST(BadKernelExpressions, FindNoViews) {
  EXPECT_THROW(static_cast<void>(expand_kernels({"linear"}, {}, {})), ParameterError);
  EXPECT_THROW(static_cast<void>(expand_kernels({"linear on all"}, {known_views[2]}, {})),
               ParameterError);
}

TEST(BadKernelExpressions, OfAnyBytesEndInASentence) {
  const std::string text = "rbf(gamma={2^-1..2^1; 1e-3}, width=2) on all | 'größe', each, group=g";
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char byte : {'\0', '(', ')', '=', '{', '.', '^', '9', '-', ',', '|', '\'', '\xff'}) {
      std::string changed = text;
      changed[i] = byte;
      EXPECT_NO_FATAL_FAILURE(static_cast<void>(refusal(changed)));
      EXPECT_NO_FATAL_FAILURE(static_cast<void>(refusal(changed.substr(0, i + 1))));
    }
  }
}

}  // namespace
}  // namespace kernmix
