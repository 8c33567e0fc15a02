#include "variants.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "command.hpp"
#include "kernmix/error.hpp"

namespace kernmix::cli {
namespace {

/// The options of the command, overridden by those of `words`.
TrainArguments with_options(const TrainArguments& arguments, const std::string& words) {
  TrainArguments own = arguments;
  CLI::App app;
  add_learning_options(app, own);
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    throw ParameterError(error.what());
  }
  if (own.views != arguments.views || own.data.sets != arguments.data.sets ||
      own.sample_weight != arguments.sample_weight) {
    throw ParameterError(
        "--view, --sets and --sample-weight belong to the data and are the same for all models");
  }
  return own;
}

Variant variant_of(const TrainArguments& arguments, const TrainOptions& options,
                   const std::string& text, const Dataset& data) {
  const std::size_t colon = text.find(':');
  const std::string name(trim(text.substr(0, colon)));
  if (colon == std::string::npos || name.empty()) {
    throw ParameterError(fmt::format(
        "--also must be 'NAME: OPTIONS' such as 'average: --regularizer average', got {}",
        in_quotes(text)));
  }
  try {
    const TrainArguments own = with_options(arguments, text.substr(colon + 1));
    Variant variant{name, train_options(own)};
    copy_of_samples(options, variant.options);
    complete_options(data, variant.options);
    return variant;
  } catch (const ParameterError& error) {
    throw ParameterError(fmt::format("--also {}: {}", in_quotes(name), error.what()));
  }
}

}  // namespace

std::vector<Variant> variants_of(const TrainArguments& arguments, const TrainOptions& options,
                                 const std::vector<std::string>& also, const Dataset& data) {
  std::vector<Variant> variants = {{also.empty() ? "model" : "first", options}};
  for (const std::string& text : also) {
    Variant variant = variant_of(arguments, options, text, data);
    if (std::ranges::find(variants, variant.name, &Variant::name) != variants.end()) {
      throw ParameterError(
          fmt::format("--also: two models are called {}", in_quotes(variant.name)));
    }
    variants.push_back(std::move(variant));
  }
  return variants;
}

std::vector<TrainOptions> all_options(const std::vector<Variant>& variants) {
  std::vector<TrainOptions> options;
  for (const Variant& variant : variants) options.push_back(variant.options);
  return options;
}

}  // namespace kernmix::cli
