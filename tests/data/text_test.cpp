#include "base/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "data/number.hpp"

namespace kernmix {
namespace {

TEST(Glob, MatchesAsAWhole) {
  EXPECT_TRUE(glob_match("mean_*", "mean_radius"));
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("a*b*c", "aXbXbXc"));
  EXPECT_TRUE(glob_match("?b", "ab"));
  EXPECT_FALSE(glob_match("?b", "b"));
  EXPECT_FALSE(glob_match("mean", "mean_radius"));
  EXPECT_FALSE(glob_match("a*b", "abc"));
  EXPECT_FALSE(glob_match("", "a"));
}

/// The definition, by recursion.
bool matches_naively(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    return matches_naively(pattern.substr(1), text) ||
           (!text.empty() && matches_naively(pattern, text.substr(1)));
  }
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
         matches_naively(pattern.substr(1), text.substr(1));
}

RC_GTEST_PROP(Glob, AgreesWithItsDefinition, ()) {
  const auto pattern =
      *rc::gen::resize(8, rc::gen::container<std::string>(rc::gen::element('a', 'b', '*', '?')));
  const auto text =
      *rc::gen::resize(10, rc::gen::container<std::string>(rc::gen::element('a', 'b')));
  RC_ASSERT(glob_match(pattern, text) == matches_naively(pattern, text));
}

TEST(SameLabel, ComparesNumbersByValueAndOthersAsText) {
  EXPECT_TRUE(same_label("a", "a"));
  EXPECT_TRUE(same_label("1", "1.0"));
  EXPECT_FALSE(same_label("1", "-1"));
  EXPECT_FALSE(same_label("a", "A"));
}

TEST(CommaList, StandsBetweenTheTexts) {
  EXPECT_EQ(comma_list(std::vector<std::string>{"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(comma_list(std::vector<std::string>()), "");
  const std::vector<std::pair<int, std::string>> pairs = {{1, "one"}, {2, "two"}};
  EXPECT_EQ(comma_list(pairs, &std::pair<int, std::string>::second), "one, two");
}

TEST(DidYouMean, SuggestsNearNamesOnly) {
  const std::vector<std::string> known = {"gaussian", "laplacian", "linear"};
  EXPECT_EQ(did_you_mean("gausian", known), ", did you mean 'gaussian'?");
  EXPECT_EQ(did_you_mean("LINEAR", known), ", did you mean 'linear'?");
  EXPECT_EQ(did_you_mean("lienar", known), ", did you mean 'linear'?");
  EXPECT_EQ(did_you_mean("chi2", known), "");
  EXPECT_EQ(did_you_mean("", known), "");
}

TEST(Quoted, ShowsAnythingOnOneLine) {
  EXPECT_EQ(kernmix::in_quotes("a\nb"), "'a\\x0ab'");
  EXPECT_EQ(kernmix::in_quotes(std::string(100, 'x')), "'" + std::string(60, 'x') + "...'");
}

TEST(Split, TrimsAndKeepsEmptyParts) {
  EXPECT_EQ(split(" a, b ,,", ','), (std::vector<std::string_view>{"a", "b", "", ""}));
  EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
}

/// As a terminal reads it: C0 and C1, marks of direction, and no UTF-8.
TEST(Visible, ShowsWhatATerminalObeys) {
  EXPECT_EQ(visible("plain \xc3\xa4 \xf0\x9f\x98\x80", Layout::none),
            "plain \xc3\xa4 \xf0\x9f\x98\x80");
  EXPECT_EQ(visible("\x1b[2J\x07", Layout::none), "\\x1b[2J\\x07");
  EXPECT_EQ(visible("a\tb\nc\r", Layout::none), "a\\x09b\\x0ac\\x0d");
  EXPECT_EQ(visible("a\tb\nc\r", Layout::lines), "a\tb\nc\\x0d");
  EXPECT_EQ(visible("\xc2\x9b", Layout::lines), "\\u009b");
  EXPECT_EQ(visible("\xe2\x80\xae", Layout::lines), "\\u202e");
  EXPECT_EQ(visible("\x9b\xc3", Layout::lines), "\\x9b\\xc3");
  EXPECT_EQ(visible("\x7f", Layout::lines), "\\x7f");
}

RC_GTEST_PROP(Visible, HoldsNoControlCharacter, (const std::string& text)) {
  for (const char c : visible(text, Layout::none)) {
    RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
  }
}

RC_GTEST_PROP(Visible, LeavesPlainTextAsItIs, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::inRange(' ', '\x7f'));
  RC_ASSERT(visible(text, Layout::none) == text);
}

TEST(Number, IsFiniteAndTheWholeText) {
  EXPECT_EQ(parse_number(" +1.5e2 "), 150.0);
  EXPECT_EQ(parse_number("-.5"), -0.5);
  EXPECT_EQ(parse_number("1e-400"), 0.0);
  for (const std::string_view text :
       {"", "+", "+-1", "1 2", "1e", "nan", "inf", "1e999", "0x1", "1,5"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace kernmix
