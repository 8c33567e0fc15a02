#include "train_options.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"

namespace kernmix::python {
namespace {

/// Takes the value of a keyword; false where its type is wrong.
using Setter = std::function<bool(TrainKeywords&, nb::handle)>;

struct Keyword {
  const char* name;
  const char* type;
  const char* value;  ///< the default, as Python writes it
  Setter set;
};

template <typename T>
Setter into(T TrainOptions::*member) {
  return [member](TrainKeywords& all, nb::handle value) {
    return nb::try_cast(value, all.options.*member);
  };
}

template <typename T>
Setter into(T SolverOptions::*member) {
  return [member](TrainKeywords& all, nb::handle value) {
    return nb::try_cast(value, all.options.solver.*member);
  };
}

template <typename T>
Setter into(T Resources::*member) {
  return [member](TrainKeywords& all, nb::handle value) {
    return nb::try_cast(value, all.resources.*member);
  };
}

/// A text, by the function that reads it.
template <typename Member, typename Parse>
Setter parsed(Member TrainOptions::*member, Parse parse) {
  return [member, parse](TrainKeywords& all, nb::handle value) {
    std::string text;
    if (!nb::try_cast(value, text)) return false;
    all.options.*member = parse(text);
    return true;
  };
}

bool set_sample_weights(TrainKeywords& all, nb::handle value) {
  if (value.is_none()) return true;
  VectorArgument weights;
  if (!nb::try_cast(value, weights, false)) return false;
  all.options.sample_weights = vector_of(weights);
  return true;
}

bool set_cost(TrainKeywords& all, nb::handle value) {
  if (value.is_none()) return true;
  double C = 0.0;
  if (!nb::try_cast(value, C)) return false;
  all.options.C = C;
  return true;
}

bool set_scaling(TrainKeywords& all, nb::handle value) {
  std::vector<std::string> rules;
  if (!nb::try_cast(value, rules)) return false;
  all.options.scaling = parse_scaling(rules);
  return true;
}

bool set_scheme(TrainKeywords& all, nb::handle value) {
  return value.is_none() || parsed(&TrainOptions::scheme, parse_scheme)(all, value);
}

Setter call_back(nb::object Resources::*member) {
  return [member](TrainKeywords& all, nb::handle value) {
    all.resources.*member = nb::borrow(value);
    return true;
  };
}

std::vector<Keyword> train_keyword_list() {
  return {
      {"kernels", "collections.abc.Sequence[str]", "()", into(&TrainOptions::kernels)},
      {"regularizer", "str", "'l1'", into(&TrainOptions::regularizer)},
      {"loss", "str", "'hinge'", into(&TrainOptions::loss)},
      {"C", "float | None", "None", set_cost},
      {"bias", "str", "'free'", parsed(&TrainOptions::bias, parse_bias)},
      {"class_weights", "collections.abc.Mapping[str, float]", "{}",
       into(&TrainOptions::class_weights)},
      {"balanced_classes", "bool", "False", into(&TrainOptions::balanced_classes)},
      {"sample_weights", "numpy.typing.NDArray[numpy.float64] | None", "None", set_sample_weights},
      {"groups", "collections.abc.Sequence[int]", "()", into(&TrainOptions::groups)},
      {"positive", "str", "''", into(&TrainOptions::positive)},
      {"scaling", "collections.abc.Sequence[str]", "()", set_scaling},
      {"normalization", "str", "'auto'",
       parsed(&TrainOptions::normalization, parse_normalization_choice)},
      {"assume_psd", "bool", "False", into(&TrainOptions::assume_psd)},
      {"repair", "str", "'none'", parsed(&TrainOptions::repair, parse_repair)},
      {"solver", "str", "'auto'", into(&SolverOptions::solver)},
      {"tolerance", "float", "0.001", into(&SolverOptions::tolerance)},
      {"max_iterations", "int", "1000", into(&SolverOptions::max_iterations)},
      {"without", "collections.abc.Sequence[str]", "()", into(&SolverOptions::without)},
      {"scheme", "str | None", "None", set_scheme},
      {"coupling", "str", "'sum'", into(&TrainOptions::coupling)},
      {"threshold_folds", "int", "0", into(&TrainOptions::threshold_folds)},
      {"calibration", "str", "'none'", parsed(&TrainOptions::calibration, parse_calibration)},
      {"calibration_folds", "int", "5", into(&TrainOptions::calibration_folds)},
      {"time_limit", "float | None", "None", into(&Resources::time_limit)},
      {"memory", "int | None", "None", into(&Resources::memory)},
      {"threads", "int", "1", into(&Resources::threads)},
      {"seed", "int", "0", into(&Resources::seed)},
      {"progress", "collections.abc.Callable[..., object] | None", "None",
       call_back(&Resources::progress)},
      {"log", "collections.abc.Callable[[str], object] | None", "None",
       call_back(&Resources::log)}};
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
