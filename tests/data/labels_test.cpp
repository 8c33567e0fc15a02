#include <gtest/gtest.h>

#include "data/temporary_file.hpp"
#include "kernmix/data.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

using Names = std::vector<std::string>;

TEST(BinaryLabels, TheLargerIsPositive) {
  const BinaryLabels text = BinaryLabels::find({"malignant", "benign", "malignant"});
  EXPECT_EQ(text.negative, "benign");
  EXPECT_EQ(text.positive, "malignant");
  EXPECT_EQ(text.encode({"benign", "malignant"}), (Vector{-1, 1}));
  const BinaryLabels numbers = BinaryLabels::find({"10", "9", "10"});
  EXPECT_EQ(numbers.positive, "10") << "by value, not as text";
}

TEST(BinaryLabels, NumbersAreComparedAsNumbers) {
  const BinaryLabels labels = BinaryLabels::find({"+1", "-1", "1.0", "1"});
  EXPECT_EQ(labels.negative, "-1");
  EXPECT_EQ(labels.positive, "+1") << "the first way it is written";
  EXPECT_EQ(labels.encode({"1e0", "-1.0", "1"}), (Vector{1, -1, 1}));
}

TEST(BinaryLabels, ThePositiveClassCanBeNamed) {
  EXPECT_EQ(BinaryLabels::find({"no", "yes"}, "no").negative, "yes");
  EXPECT_EQ(BinaryLabels::find({"0", "1"}, "0.0").positive, "0");
  EXPECT_EQ(error_of([] {
              static_cast<void>(BinaryLabels::find({"no", "yes"}, "Yes"));
            }),
            "the positive class 'Yes' does not occur; the labels are 'no' and 'yes', did you mean "
            "'yes'?");
}

TEST(BinaryLabels, RefusesOtherNumbersOfClasses) {
  const auto message = [](const Names& labels) {
    return error_of([&] { static_cast<void>(BinaryLabels::find(labels)); });
  };
  EXPECT_EQ(message({}), "the samples have no labels; name the label column with --label");
  EXPECT_EQ(message({"a"}), "two classes are needed, the labels have 1: 'a' (1 sample)");
  EXPECT_EQ(message({"1", "2", "1.0", "3"}),
            "two classes are needed, the labels have 3: '1' (2 samples), '2' (1 sample), '3' (1 "
            "sample)");
  EXPECT_EQ(message({"a", "b", "c", "d", "e", "f"}),
            "two classes are needed, the labels have 6: 'a' (1 sample), 'b' (1 sample), 'c' (1 "
            "sample), 'd' (1 sample), 'e' (1 sample), ...");
}

TEST(BinaryLabels, RefusesUnknownLabels) {
  const BinaryLabels labels = BinaryLabels::find({"no", "yes"});
  EXPECT_EQ(error_of([&] {
              static_cast<void>(labels.encode({"no", "maybe"}));
            }),
            "sample 2: label 'maybe' is neither 'no' nor 'yes'");
  EXPECT_EQ(error_of([&] {
              static_cast<void>(labels.encode({"no", "Yes", "Yes"}));
            }),
            "sample 2: label 'Yes' is neither 'no' nor 'yes', did you mean 'yes'? (2 of 3 labels "
            "are of no class of the model)");
}

TEST(ClassLabels, AreInTheOrderOfNumbersOrOfText) {
  EXPECT_EQ(ClassLabels::find({"10", "9", "-1", "10"}).names, (Names{"-1", "9", "10"}));
  EXPECT_EQ(ClassLabels::find({"b", "a", "B", "10", "9"}).names, (Names{"10", "9", "B", "a", "b"}));
  EXPECT_EQ(ClassLabels::find({"zebra", "\xc3\xa9", "ant"}).names,
            (Names{"ant", "zebra", "\xc3\xa9"}))
      << "UTF-8 has the order of code points";
}

TEST(ClassLabels, NumbersAreComparedAsNumbers) {
  const ClassLabels labels = ClassLabels::find({"+2", "1.0", "3", "2", "1"});
  EXPECT_EQ(labels.names, (Names{"1.0", "+2", "3"})) << "the first way it is written";
  EXPECT_EQ(labels.encode({"3e0", "1", "2", "+2"}), (std::vector<Index>{2, 0, 1, 1}));
}

TEST(ClassLabels, RefuseOneClassAndUnknownLabels) {
  EXPECT_EQ(error_of([] {
              static_cast<void>(ClassLabels::find({"a", "a"}));
            }),
            "at least two classes are needed, all 2 samples have the label 'a'");
  EXPECT_EQ(error_of([] { static_cast<void>(ClassLabels::find({})); }),
            "the samples have no labels; name the label column with --label");
  const ClassLabels labels = ClassLabels::find({"cat", "dog", "eel"});
  EXPECT_EQ(error_of([&] {
              static_cast<void>(labels.encode({"dog", "dogs"}));
            }),
            "sample 2: label 'dogs' is not one of the 3 classes, did you mean 'dog'?");
}

TEST(MultiLabels, GiveSignsOfEachLabel) {
  const MultiLabels labels = {{"a", "b"}, {1, 0, 0, 0, 1, 1}};
  EXPECT_EQ(labels.samples(), 3);
  EXPECT_TRUE(labels.has(2, 1));
  EXPECT_EQ(labels.signs(0), (Vector{1, -1, 1}));
  EXPECT_EQ(labels.signs(1), (Vector{-1, -1, 1}));
  EXPECT_EQ(MultiLabels{}.samples(), 0);
}

TEST(NumbersOf, ReadsNumbersAsPeopleWriteThem) {
  EXPECT_EQ(numbers_of({"1", "-2.5", "+1e3", " 0.25 "}), (Vector{1.0, -2.5, 1000.0, 0.25}));
  EXPECT_TRUE(numbers_of({}).empty());
}

TEST(NumbersOf, NamesTheSampleAndTheTextThatIsNoNumber) {
  for (const char* text : {"high", "1,5", "nan", "inf", "", "0x10"}) {
    const std::string message = error_of([&] {
      static_cast<void>(numbers_of({"1", "2", text, "3"}));
    });
    EXPECT_EQ(
        message,
        "sample 3: label '" + std::string(text) +
            "' is not a finite number, as regression needs; correct it, or remove the sample");
  }
  EXPECT_EQ(error_of([] {
              static_cast<void>(numbers_of({"case", "control", "1"}));
            }),
            "sample 1: label 'case' is not a finite number, as regression needs; most labels are "
            "words: use a loss of classes, or name another column with the labels");
}

TEST(NoveltyLabels, KnowsTheNamesOfInliersAndOutliers) {
  using Labels = std::vector<std::string>;
  const auto inlier = [](const Labels& labels, const std::string& named = "") {
    const auto found = NoveltyLabels::find(labels, named);
    return found ? found->classes.positive + (found->guessed ? "?" : "") : "none";
  };
  for (const std::string other : {"Outlier", "ANOMALY", "novel", "abnormal", "novelty"}) {
    EXPECT_EQ(inlier({other, other, "a"}), "a") << other;
    EXPECT_EQ(inlier({"zz", other, other}), "zz") << other;
  }
  EXPECT_EQ(inlier({"odd", "odd", "Inlier"}), "Inlier");
  EXPECT_EQ(inlier({"1", "-1", "-1"}), "1");
  EXPECT_EQ(inlier({"a", "a", "b"}), "a?");
  EXPECT_EQ(inlier({"b", "b", "a"}), "b?");
  EXPECT_EQ(inlier({"b", "a"}), "b?");
  EXPECT_EQ(inlier({"a", "a", "b"}, "b"), "b");
  EXPECT_EQ(inlier({"a", "a"}), "none");
  EXPECT_EQ(inlier({"a", "b", "c"}), "none");
  EXPECT_EQ(inlier({}), "none");
  EXPECT_THROW((void)NoveltyLabels::find({"a", "b"}, "c"), ParameterError);
  Table table;
  table.labels = {"a", "a", "b"};
  EXPECT_EQ(inlier_of(table), "a");
  table.inlier = "b";
  EXPECT_EQ(inlier_of(table), "b");
}

}  // namespace
}  // namespace kernmix
