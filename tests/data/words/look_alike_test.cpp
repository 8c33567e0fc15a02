#include "data/words/look_alike.hpp"

#include <gtest/gtest.h>

#include "data/csv/label_spelling.hpp"

namespace kernmix {
namespace {

struct Pair {
  std::string left;
  std::string right;
  std::string differ;
};

/// Words without and with one difference, which appear in any combination with others.
const std::vector<Pair> pairs = {
    {"female", "Female", "case or blanks"},
    {"very good", "verygood", "case or blanks"},
    {"good", "good\xc2\xa0", "a no-break space"},
    {"good", "go\xe2\x80\x8bod", "a zero-width character"},
    {"caf\xc3\xa9", "cafe\xcc\x81", "letters that are one character or two"},
    {"\xe1\xba\xb7", "a\xcc\xa3\xcc\x86", "letters that are one character or two"},  // two marks
    {"\xd0\xb9", "\xd0\xb8\xcc\x86", "letters that are one character or two"},       // Cyrillic
    {"\xe3\x81\x8c", "\xe3\x81\x8b\xe3\x82\x99", "letters that are one character or two"},
    {"\xea\xb0\x81", "\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8",
     "letters that are one character or two"},  // a Korean syllable
};

TEST(LookAlikes, OneDifferenceIsNamed) {
  for (const Pair& pair : pairs) {
    EXPECT_EQ(look_of(pair.left), look_of(pair.right)) << pair.left;
    EXPECT_EQ(difference_in_look(pair.left, pair.right), pair.differ) << pair.left;
    EXPECT_EQ(difference_in_look(pair.right, pair.left), pair.differ) << pair.left;
  }
}

TEST(LookAlikes, DifferencesOfPartsAreThoseOfTheWhole) {
  for (const Pair& one : pairs) {
    for (const Pair& other : pairs) {
      const std::string left = one.left + other.right;
      const std::string right = one.right + other.left;
      EXPECT_EQ(look_of(left), look_of(right));
      const std::string differ = difference_in_look(left, right);
      EXPECT_NE(differ.find(one.differ), std::string::npos) << left;
      EXPECT_NE(differ.find(other.differ), std::string::npos) << left;
    }
  }
}

TEST(LookAlikes, OtherWordsLookDifferent) {
  const std::vector<std::string> words = {
      "a",    "\xc3\xa4", "b",        "",         "1",        "1.0",       "a-b",
      "\xff", "\xc3",     "\xc3\x97", "\xd0\xb8", "\xd0\xb9", "e\xcc\x80", "e\xcc\x81"};
  for (const std::string& left : words) {
    for (const std::string& right : words) {
      EXPECT_EQ(look_of(left) == look_of(right), left == right) << left << " and " << right;
    }
  }
  EXPECT_EQ(find_look_alikes(words).differ, "");
}

TEST(LookAlikes, ManyDifferentWordsAreNotCompared) {
  std::vector<std::string> words = {"x", "X"};
  for (int i = 0; i < 998; ++i) words.push_back(std::to_string(i));
  EXPECT_EQ(find_look_alikes(words).differ, "case or blanks");
  words.emplace_back("one more");
  EXPECT_EQ(find_look_alikes(words).differ, "");
}

TEST(LookAlikes, SentencesNameWhatTheWordsAre) {
  const std::string of_words = spellings_of({"M", "m", "f"}, spelled_categories, "sex");
  EXPECT_EQ(of_words,
            "the words 'M' and 'm' in column 'sex' differ only in case or blanks and are different "
            "categories; write them alike if they are one category");
  EXPECT_EQ(spellings_of({"M", "f"}, spelled_categories, "sex"), "");
  EXPECT_NE(label_spellings({"M", "m\xc2\xa0", "f", "M"}, "sex").find("'M' (of 2 samples)"),
            std::string::npos);
}

TEST(LookAlikes, HintsNameTheWordThatIsMeant) {
  EXPECT_EQ(look_alike_hint("P1\xc2\xa0", {"p2", "P1"}, "training sample"),
            "; the training sample 'P1' looks the same and differs in a no-break space");
  EXPECT_EQ(look_alike_hint("p3", {"p1", "p2"}, "training sample"), "");
  EXPECT_EQ(look_alike_hint("p1", {"p1"}, "training sample"), "");
}

}  // namespace
}  // namespace kernmix
