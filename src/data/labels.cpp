#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/text.hpp"
#include "data/number.hpp"
#include "kernmix/data.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr const char* kNoLabels = "the samples have no labels; name the label column with --label";

struct LabelClass {
  std::string name;  ///< in its first notation
  std::optional<double> number;
  Index samples = 0;
};

/// The classes in ascending order: by value when all labels are numbers, else by text.
std::vector<LabelClass> find_classes(const std::vector<std::string>& labels) {
  std::unordered_map<std::string, Index> counts;
  std::vector<const std::string*> in_order;  // of first occurrence
  for (const std::string& label : labels) {
    if (counts[label]++ == 0) in_order.push_back(&label);
  }
  const bool numeric = std::all_of(in_order.begin(), in_order.end(), [](const std::string* label) {
    return parse_number(*label).has_value();
  });
  std::vector<LabelClass> classes;
  for (const std::string* label : in_order) {
    classes.push_back({*label, numeric ? parse_number(*label) : std::nullopt, counts[*label]});
  }
  std::stable_sort(classes.begin(), classes.end(), [&](const LabelClass& a, const LabelClass& b) {
    return numeric ? a.number < b.number : a.name < b.name;
  });
  if (!numeric) return classes;
  std::vector<LabelClass> merged;
  for (const LabelClass& one : classes) {
    if (merged.empty() || merged.back().number != one.number) {
      merged.push_back(one);
    } else {
      merged.back().samples += one.samples;
    }
  }
  return merged;
}

/// Stops at the third label: most data sets are not for novelty detection.
bool has_two_labels(const std::vector<std::string>& labels) {
  std::vector<std::string_view> seen;
  for (const std::string& label : labels) {
    const auto same = [&](std::string_view other) { return same_label(label, other); };
    if (std::ranges::any_of(seen, same)) continue;
    if (seen.size() == 2) return false;
    seen.emplace_back(label);
  }
  return seen.size() == 2;
}

constexpr std::array<std::string_view, 3> kInlierNames = {"inlier", "inliers", "normal"};
/// "-1" as in scikit-learn's novelty detectors.
constexpr std::array<std::string_view, 10> kOutlierNames = {
    "outlier", "outliers", "anomaly",   "anomalies", "anomalous",
    "novel",   "novelty",  "novelties", "abnormal",  "-1"};

template <std::size_t N>
bool is_named(const std::string& label, const std::array<std::string_view, N>& names) {
  const std::string plain = lowercase(trim(label));
  return std::ranges::any_of(names, [&](std::string_view name) { return same_label(plain, name); });
}

std::string describe(const std::vector<LabelClass>& classes) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t k = 0; k < std::min(classes.size(), kShown); ++k) {
    text += fmt::format("{}{} ({} sample{})", k == 0 ? "" : ", ", in_quotes(classes[k].name),
                        classes[k].samples, classes[k].samples == 1 ? "" : "s");
  }
  return classes.size() > kShown ? text + ", ..." : text;
}

/// " (12 of 150 labels are of no class)", or empty for a single one.
std::string unknown_labels_text(const std::vector<std::string>& labels,
                                const std::vector<std::string>& names) {
  const auto is_unknown = [&](const std::string& label) {
    return std::ranges::none_of(names,
                                [&](const std::string& name) { return same_label(label, name); });
  };
  const auto unknown = std::ranges::count_if(labels, is_unknown);
  if (unknown < 2) return "";
  return fmt::format(" ({} of {} labels are of no class of the model)", unknown, labels.size());
}

}  // namespace

BinaryLabels BinaryLabels::find(const std::vector<std::string>& labels,
                                const std::string& positive) {
  if (labels.empty()) throw DataError(kNoLabels);
  const std::vector<LabelClass> classes = find_classes(labels);
  if (classes.size() != 2) {
    throw DataError(fmt::format("two classes are needed, the labels have {}: {}", classes.size(),
                                describe(classes)));
  }
  const std::string& lower = classes[0].name;
  const std::string& upper = classes[1].name;
  if (positive.empty() || same_label(positive, upper)) return {lower, upper};
  if (same_label(positive, lower)) return {upper, lower};
  throw ParameterError(fmt::format(
      "the positive class {} does not occur; the labels are {} and {}{}", in_quotes(positive),
      in_quotes(lower), in_quotes(upper), did_you_mean(positive, {lower, upper})));
}

Vector BinaryLabels::encode(const std::vector<std::string>& labels) const {
  Vector signs(labels.size());
  std::unordered_map<std::string_view, double> known = {{negative, -1.0}, {positive, 1.0}};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    auto found = known.find(labels[i]);
    if (found == known.end()) {
      const bool is_positive = same_label(labels[i], positive);
      if (!is_positive && !same_label(labels[i], negative)) {
        throw DataError(fmt::format("sample {}: label {} is neither {} nor {}{}{}", i + 1,
                                    in_quotes(labels[i]), in_quotes(negative), in_quotes(positive),
                                    did_you_mean(labels[i], {negative, positive}),
                                    unknown_labels_text(labels, {negative, positive})));
      }
      found = known.emplace(labels[i], is_positive ? 1.0 : -1.0).first;
    }
    signs[i] = found->second;
  }
  return signs;
}

std::optional<NoveltyLabels> NoveltyLabels::find(const std::vector<std::string>& labels,
                                                 const std::string& inlier) {
  if (!inlier.empty()) return NoveltyLabels{BinaryLabels::find(labels, inlier), false};
  const std::vector<LabelClass> classes = find_classes(labels);
  if (classes.size() != 2) return std::nullopt;
  const BinaryLabels found = BinaryLabels::find(labels);
  const BinaryLabels turned{found.positive, found.negative};
  for (const BinaryLabels& way : {found, turned}) {
    if (is_named(way.positive, kInlierNames)) return NoveltyLabels{way, false};
  }
  for (const BinaryLabels& way : {found, turned}) {
    if (is_named(way.negative, kOutlierNames)) return NoveltyLabels{way, false};
  }
  const bool larger_is_inlier = classes[1].samples >= classes[0].samples;
  return NoveltyLabels{larger_is_inlier ? found : turned, true};
}

std::string inlier_of(const Table& table) {
  if (!table.inlier.empty() || !has_two_labels(table.labels)) return table.inlier;
  const auto found = NoveltyLabels::find(table.labels);
  return found ? found->classes.positive : "";
}

ClassLabels ClassLabels::find(const std::vector<std::string>& labels) {
  if (labels.empty()) throw DataError(kNoLabels);
  const std::vector<LabelClass> classes = find_classes(labels);
  if (classes.size() < 2) {
    throw DataError(fmt::format("at least two classes are needed, all {} samples have the label {}",
                                labels.size(), in_quotes(classes[0].name)));
  }
  ClassLabels result;
  for (const LabelClass& one : classes) result.names.push_back(one.name);
  return result;
}

std::vector<Index> ClassLabels::encode(const std::vector<std::string>& labels) const {
  std::unordered_map<std::string_view, Index> known;
  for (Index k = 0; k < length(names); ++k) known.emplace(names[to_size(k)], k);
  std::vector<Index> codes;
  codes.reserve(labels.size());
  for (const std::string& label : labels) {
    auto found = known.find(label);
    if (found == known.end()) {
      const auto same = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
        return same_label(label, name);
      });
      if (same == names.end()) {
        throw DataError(fmt::format("sample {}: label {} is not one of the {} classes{}{}",
                                    codes.size() + 1, in_quotes(label), names.size(),
                                    did_you_mean(label, names),
                                    unknown_labels_text(labels, names)));
      }
      found = known.emplace(label, same - names.begin()).first;
    }
    codes.push_back(found->second);
  }
  return codes;
}

Vector MultiLabels::signs(Index label) const {
  Vector signs(to_size(samples()));
  for (Index i = 0; i < samples(); ++i) {
    signs[to_size(i)] = has(i, label) ? 1.0 : -1.0;
  }
  return signs;
}

Vector numbers_of(const std::vector<std::string>& labels) {
  Vector numbers;
  numbers.reserve(labels.size());
  for (const std::string& label : labels) {
    const std::optional<double> number = parse_number(label);
    if (!number) {
      const auto is_word = [](const std::string& text) { return !parse_number(text); };
      const bool mostly_words =
          2 * std::ranges::count_if(labels, is_word) > static_cast<Index>(labels.size());
      throw DataError(
          fmt::format("sample {}: label {} is not a finite number, as regression needs; {}",
                      numbers.size() + 1, in_quotes(label),
                      mostly_words ? "most labels are words: use a loss of classes, or name "
                                     "another column with the labels"
                                   : "correct it, or remove the sample"));
    }
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace kernmix
