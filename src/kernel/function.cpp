#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "kernel/functions/definition.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {
namespace {

constexpr double largest_degree = 100.0;

std::vector<std::string> parameter_names(const KernelDefinition& kernel) {
  std::vector<std::string> names;
  for (const KernelParameter& parameter : kernel.parameters) {
    names.push_back(parameter.name);
    if (parameter.name == "gamma" && kernel.gamma_of_width) names.emplace_back("width");
  }
  return names;
}

KernelParameter::Range range_of(const KernelDefinition& kernel, const std::string& name) {
  for (const KernelParameter& parameter : kernel.parameters) {
    if (parameter.name == name) return parameter.range;
  }
  return KernelParameter::Range::positive;
}

/// The rule that `value` breaks, or null.
const char* broken_rule(KernelParameter::Range range, double value) {
  using Range = KernelParameter::Range;
  if (!std::isfinite(value)) return "a finite number";
  if (range == Range::positive && !(value > 0.0)) return "> 0";
  if (range == Range::nonnegative && !(value >= 0.0)) return ">= 0";
  const bool whole = value >= 1.0 && value <= largest_degree && value == std::floor(value);
  if (range == Range::whole && !whole) return "a whole number from 1 to 100";
  const bool half_odd = value == 0.5 || value == 1.5 || value == 2.5;
  if (range == Range::half_odd && !half_odd) return "0.5, 1.5 or 2.5";
  return nullptr;
}

}  // namespace

const std::vector<KernelDefinition>& kernel_definitions() {
  static const std::vector<KernelDefinition> definitions = {
      kernels::linear(),
      kernels::poly(),
      kernels::rbf(),
      kernels::laplacian(),
      kernels::exponential(),
      kernels::inverse_distance(),
      kernels::inverse_square_distance(),
      kernels::matern(),
      kernels::rational_quadratic(),
      kernels::chi2(),
      kernels::additive_chi2(),
      kernels::intersection(),
      kernels::bray_curtis(),
      kernels::minmax(),
      kernels::sigmoid(),
      kernels::cosine(),
      kernels::spherical_rbf(),
      kernels::precomputed(),
  };
  return definitions;
}

constexpr std::array kKernelSynonyms = {OtherName{"tanimoto", "minmax"},
                                        OtherName{"jaccard", "minmax"},
                                        OtherName{"ruzicka", "minmax"}};

/// Names that are not accepted, because they are ambiguous or have other parameters elsewhere.
constexpr std::array kOtherKernels = {
    OtherName{"gaussian", "rbf"},
    OtherName{"gauss", "rbf"},
    OtherName{"radialbasisfunction", "rbf"},
    OtherName{"squaredexponential", "rbf"},
    OtherName{"se", "rbf"},
    OtherName{"expquad", "rbf"},
    OtherName{"polynomial", "poly"},
    OtherName{"quadratic", "poly(degree=2)"},
    OtherName{"cubic", "poly(degree=3)"},
    OtherName{"histogramintersection", "intersection"},
    OtherName{"hik", "intersection"},
    OtherName{"min", "intersection"},
    OtherName{"laplace", "laplacian"},
    OtherName{"ornsteinuhlenbeck", "exponential"},
    OtherName{"matern12", "matern(nu=0.5)"},
    OtherName{"matern32", "matern(nu=1.5)"},
    OtherName{"matern52", "matern(nu=2.5)"},
    OtherName{"chisquared", "chi2"},
    OtherName{"chisquare", "chi2"},
    OtherName{"additivechisquared", "additive_chi2"},
    OtherName{"rq", "rational_quadratic"},
    OtherName{"tanh", "sigmoid"},
    OtherName{"dot", "linear"},
    OtherName{"dotproduct", "linear"},
    OtherName{"custom", "precomputed"},
};

std::span<const OtherName> kernel_synonyms() { return kKernelSynonyms; }

const KernelDefinition& find_kernel(std::string_view name) {
  const auto synonym = std::ranges::find(kKernelSynonyms, name, &OtherName::name);
  const std::string_view called = synonym == kKernelSynonyms.end() ? name : synonym->here;
  std::vector<std::string> known;
  for (const KernelDefinition& kernel : kernel_definitions()) {
    if (kernel.info.name == called) return kernel;
    known.push_back(kernel.info.name);
  }
  const std::string hint = did_you_mean(name, known, kOtherKernels);
  throw ParameterError(fmt::format(
      "unknown kernel '{}'{}", name,
      hint.empty() ? fmt::format("; the kernels are {}", fmt::join(known, ", ")) : hint));
}

void check_kernel_parameter(const KernelDefinition& kernel, const std::string& name) {
  const std::vector<std::string> known = parameter_names(kernel);
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  if (known.empty()) throw ParameterError(fmt::format("{} has no parameters", kernel.info.name));
  throw ParameterError(fmt::format("{} has no parameter '{}'; its parameters are {}",
                                   kernel.info.name, name, fmt::join(known, ", ")));
}

void check_kernel_parameter(const KernelDefinition& kernel, const std::string& name, double value) {
  const char* rule = broken_rule(range_of(kernel, name), value);
  if (rule == nullptr) return;
  throw ParameterError(
      fmt::format("{}: {} must be {}, got {}", kernel.info.name, name, rule, value));
}

std::string input_name(const KernelFunctionInfo& kernel) {
  switch (kernel.input) {
    case KernelInput::features:
      return kernel.on_distances ? "columns or distances" : "columns";
    case KernelInput::nonnegative:
      return "columns >= 0";
    case KernelInput::gram:
      return "Gram matrix";
    case KernelInput::distance:
      return "distances";
  }
  return "";
}

const std::vector<KernelFunctionInfo>& kernel_functions() {
  static const std::vector<KernelFunctionInfo> infos = [] {
    std::vector<KernelFunctionInfo> all;
    for (const KernelDefinition& kernel : kernel_definitions()) all.push_back(kernel.info);
    return all;
  }();
  return infos;
}

KernelFunction make_kernel_function(std::string_view name,
                                    const std::map<std::string, double>& parameters) {
  const KernelDefinition& kernel = find_kernel(name);
  KernelFunction function{.name = kernel.info.name, .parameters = parameters};
  for (const auto& [parameter, value] : parameters) {
    check_kernel_parameter(kernel, parameter);
    check_kernel_parameter(kernel, parameter, value);
  }
  if (const auto width = parameters.find("width"); width != parameters.end()) {
    if (parameters.contains("gamma")) {
      throw ParameterError(fmt::format("{}: give gamma or width, not both", name));
    }
    const double gamma = kernel.gamma_of_width(width->second);
    if (broken_rule(KernelParameter::Range::positive, gamma)) {
      throw ParameterError(fmt::format("{}: width {} is out of range", name, width->second));
    }
    function.parameters.erase("width");
    function.parameters["gamma"] = gamma;
  }
  for (const KernelParameter& parameter : kernel.parameters) {
    if (function.parameters.contains(parameter.name)) continue;
    if (!parameter.fallback) {
      throw ParameterError(fmt::format("{}: {} is required", name, parameter.name));
    }
    function.parameters[parameter.name] = *parameter.fallback;
  }
  return function;
}

std::string KernelFunction::text() const { return text_with_width(*this, ""); }

std::string text_with_width(const KernelFunction& function, const std::string& width) {
  const auto& [name, parameters] = function;
  std::vector<std::string> written;
  for (const KernelParameter& parameter : find_kernel(name).parameters) {
    if (parameter.name == "gamma" && !width.empty()) {
      written.push_back("width=" + width);
      continue;
    }
    const double value = parameters.at(parameter.name);
    const bool is_default = parameter.fallback && *parameter.fallback == value;
    if (written.empty() || !is_default) {
      written.push_back(fmt::format("{}={}", parameter.name, value));
    }
  }
  return written.empty() ? name : fmt::format("{}({})", name, fmt::join(written, ", "));
}

}  // namespace kernmix
