#include "train_options.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "kernmix/settings.hpp"

namespace kernmix::python {
namespace {

/// Takes the value of a keyword; false where its type is wrong.
using Setter = std::function<bool(TrainKeywords&, nb::handle)>;

struct Keyword {
  std::string name;
  std::string type;
  std::string value;  ///< the default, as Python writes it
  Setter set;
};

template <typename T>
Setter into(T TrainOptions::*member) {
  return [member](TrainKeywords& all, nb::handle value) {
    return nb::try_cast(value, all.options.*member);
  };
}

template <typename T>
Setter into(T Resources::*member) {
  return [member](TrainKeywords& all, nb::handle value) {
    return nb::try_cast(value, all.resources.*member);
  };
}

bool set_sample_weights(TrainKeywords& all, nb::handle value) {
  if (value.is_none()) return true;
  VectorArgument weights;
  if (!nb::try_cast(value, weights, false)) return false;
  all.options.sample_weights = vector_of(weights);
  return true;
}

bool set_landmark_ids(TrainKeywords& all, nb::handle value) {
  LandmarkRule& rule = all.options.landmarks;
  rule.choice = LandmarkRule::Choice::listed;
  return nb::try_cast(value, rule.ids);
}

Setter call_back(nb::object Resources::*member) {
  return [member](TrainKeywords& all, nb::handle value) {
    all.resources.*member = nb::borrow(value);
    return true;
  };
}

/// The shortest text that reads back as the same number.
template <typename T>
std::string number_text(T value) {
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), end};
}

using Texts = std::vector<std::string>;

template <typename T>
std::optional<Texts> texts_as(nb::handle value) {
  T own{};
  if (!nb::try_cast(value, own)) return std::nullopt;
  if constexpr (std::is_same_v<T, Texts>) {
    return own;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return own.empty() ? Texts() : Texts{own};
  } else if constexpr (std::is_same_v<T, bool>) {
    return Texts{own ? "true" : "false"};
  } else {
    return Texts{number_text(own)};
  }
}

/// One word, or names with numbers.
std::optional<Texts> shares_of(nb::handle value) {
  if (nb::isinstance<nb::str>(value)) return texts_as<std::string>(value);
  std::map<std::string, double> shares;
  if (!nb::try_cast(value, shares)) return std::nullopt;
  Texts texts;
  for (const auto& [name, number] : shares) texts.push_back(name + "=" + number_text(number));
  return texts;
}

/// A value of Python as the library reads it: empty where it is left to its default.
std::optional<Texts> texts_of(SettingForm form, nb::handle value) {
  if (value.is_none()) return Texts();
  switch (form) {
    case SettingForm::number:
      return texts_as<double>(value);
    case SettingForm::whole:
      return texts_as<Index>(value);
    case SettingForm::toggle:
      return texts_as<bool>(value);
    case SettingForm::list:
      return texts_as<Texts>(value);
    case SettingForm::shares:
      return shares_of(value);
    case SettingForm::text_or_whole:
      return nb::isinstance<nb::str>(value) ? texts_as<std::string>(value) : texts_as<Index>(value);
    case SettingForm::text:
      break;
  }
  return texts_as<std::string>(value);
}

std::string type_of(const Field& field) {
  const std::string optional = field.preset().empty() ? " | None" : "";
  switch (field.form) {
    case SettingForm::number:
      return "float" + optional;
    case SettingForm::whole:
      return "int";
    case SettingForm::toggle:
      return "bool";
    case SettingForm::list:
      return "collections.abc.Sequence[str]";
    case SettingForm::shares:
      return "str | collections.abc.Mapping[str, float]";
    case SettingForm::text_or_whole:
      return "str | int";
    case SettingForm::text:
      break;
  }
  return "str" + optional;
}

std::string default_of(const Field& field) {
  switch (field.form) {
    case SettingForm::toggle:
      return "False";
    case SettingForm::list:
      return "()";
    case SettingForm::shares:
      return "{}";
    default:
      break;
  }
  const std::string preset = field.preset();
  if (preset.empty()) return "None";
  const bool text = field.form == SettingForm::text || field.form == SettingForm::text_or_whole;
  return text ? "'" + preset + "'" : preset;
}

Keyword keyword_of(const Field& field) {
  return {field.name, type_of(field), default_of(field),
          [&field](TrainKeywords& all, nb::handle value) {
            const std::optional<Texts> texts = texts_of(field.form, value);
            if (texts && !texts->empty()) field.set(all.options, *texts, field.name);
            return texts.has_value();
          }};
}

/// Settings, what belongs to the samples, and resources.
std::vector<Keyword> train_keyword_list() {
  std::vector<Keyword> all;
  for (const Field& field : fields()) all.push_back(keyword_of(field));
  const std::vector<Keyword> others = {
      {"sample_weights", "numpy.typing.NDArray[numpy.float64] | None", "None", set_sample_weights},
      {"landmark_ids", "collections.abc.Sequence[str]", "()", set_landmark_ids},
      {"groups", "collections.abc.Sequence[int]", "()", into(&TrainOptions::groups)},
      {"time_limit", "float | None", "None", into(&Resources::time_limit)},
      {"memory", "int | None", "None", into(&Resources::memory)},
      {"threads", "int", "1", into(&Resources::threads)},
      {"seed", "int", "0", into(&Resources::seed)},
      {"progress", "collections.abc.Callable[..., object] | None", "None",
       call_back(&Resources::progress)},
      {"log", "collections.abc.Callable[[str], object] | None", "None",
       call_back(&Resources::log)}};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace

TrainKeywords train_keywords(const nb::dict& keywords) {
  const std::vector<Keyword> known = train_keyword_list();
  TrainKeywords all;
  for (const auto& [key, value] : keywords) {
    std::string name;
    if (!nb::try_cast(key, name)) throw nb::type_error("options of training have texts as names");
    const auto keyword =
        std::ranges::find_if(known, [&](const Keyword& one) { return one.name == name; });
    if (keyword == known.end()) {
      throw nb::type_error(("training has no option '" + name + "'").c_str());
    }
    if (!keyword->set(all, value)) {
      throw nb::type_error(("the option '" + name + "' must be " + keyword->type).c_str());
    }
  }
  return all;
}

std::string train_signature() {
  std::string text;
  for (const Keyword& one : train_keyword_list()) {
    text += std::string(text.empty() ? "" : ", ") + one.name + ": " + one.type + " = " + one.value;
  }
  return text;
}

}  // namespace kernmix::python
