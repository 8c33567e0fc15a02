#include "kernmix/model/model.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "kernmix/error.hpp"
#include "model/file.hpp"
#include "model/model_container.hpp"

namespace kernmix {

std::string target_name(Target target) {
  switch (target) {
    case Target::classes:
      return "classes";
    case Target::numbers:
      return "numbers";
    case Target::none:
      return "none";
  }
  return "unknown";
}

Target parse_target(const std::string& name) {
  for (const Target target : {Target::classes, Target::numbers, Target::none}) {
    if (name == target_name(target)) return target;
  }
  throw DataError(fmt::format("has the unknown target '{}'", name));
}

std::string encode_model(const Model& model) {
  check_model(model);
  return pack(to_container(model));
}

Model decode_model(std::string_view bytes) {
  try {
    Model model = to_model(unpack(bytes));
    check_model(model);
    return model;
  } catch (const ParameterError& failure) {
    throw DataError(fmt::format("has a setting that is not allowed: {}", failure.what()));
  }
}

void save_model(const Model& model, const std::string& file) {
  try {
    write_file(file, encode_model(model));
  } catch (const DataError& failure) {
    throw DataError(fmt::format("the model for {} {}", file, failure.what()));
  }
}

Model load_model(const std::string& file) {
  std::error_code unreadable;
  const auto status = std::filesystem::status(file, unreadable);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw DataError(fmt::format("{}: is not a regular file", file));
  }
  const std::string bytes = read_file(file);
  try {
    return decode_model(bytes);
  } catch (const DataError& failure) {
    throw DataError(fmt::format("{}: {}", file, failure.what()));
  }
}

}  // namespace kernmix
