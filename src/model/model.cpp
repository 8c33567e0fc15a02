#include "kernmix/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "kernmix/error.hpp"
#include "kernmix/model/multi.hpp"
#include "model/file/file.hpp"
#include "model/file/model_container.hpp"

namespace kernmix {
namespace {

/// The bytes of a file that may be a model.
std::string model_bytes(const std::string& file) {
  std::error_code unreadable;
  const auto status = std::filesystem::status(file, unreadable);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw DataError(fmt::format("{}: is not a regular file", file));
  }
  return read_file(file);
}

/// decode(bytes of the file); a DataError names the file.
template <typename Decode>
auto load_with(const std::string& file, const Decode& decode) {
  const std::string bytes = model_bytes(file);
  try {
    return decode(bytes);
  } catch (const DataError& failure) {
    throw DataError(fmt::format("{}: {}", file, failure.what()));
  }
}

template <typename AnyKind>
std::string encode_checked(const AnyKind& model) {
  check_model(model);
  return pack(to_container(model));
}

template <typename AnyKind>
void save_checked(const AnyKind& model, const std::string& file) {
  try {
    write_file(file, encode_checked(model));
  } catch (const DataError& failure) {
    throw DataError(fmt::format("the model for {} {}", file, failure.what()));
  }
}

/// The model that `read` makes of a container, checked.
template <typename Read>
auto checked_model(std::string_view bytes, const Read& read) {
  try {
    auto model = read(unpack(bytes));
    check_model(model);
    return model;
  } catch (const ParameterError& failure) {
    throw DataError(fmt::format("has a setting that is not allowed: {}", failure.what()));
  }
}

}  // namespace

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

std::string encode_model(const Model& model) { return encode_checked(model); }
std::string encode_model(const MultiModel& model) { return encode_checked(model); }

Model decode_model(std::string_view bytes) {
  return checked_model(bytes, [](const Container& c) { return to_model(c); });
}

AnyModel decode_any_model(std::string_view bytes) {
  if (!is_multi_model(unpack(bytes))) return decode_model(bytes);
  return checked_model(bytes, [](const Container& c) { return to_multi_model(c); });
}

void save_model(const Model& model, const std::string& file) { save_checked(model, file); }
void save_model(const MultiModel& model, const std::string& file) { save_checked(model, file); }

std::string model_checksum(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string last(checksum_bytes, '\0');
  stream.seekg(-static_cast<std::streamoff>(checksum_bytes), std::ios::end);
  if (!stream.read(last.data(), static_cast<std::streamsize>(last.size()))) {
    throw DataError(fmt::format("{}: cannot be read to its end", file));
  }
  return checksum_text(last);
}

Model load_model(const std::string& file) { return load_with(file, decode_model); }
AnyModel load_any_model(const std::string& file) { return load_with(file, decode_any_model); }

Index support_vectors(const Model& model) {
  return std::ranges::count_if(model.coefficients, [](double a) { return a != 0.0; });
}

Index support_vectors(const MultiModel& model) {
  std::vector<char> used(model.support.size(), 0);
  for (const TaskModel& task : model.tasks) {
    for (std::size_t s = 0; s < task.support.size(); ++s) {
      if (task.coefficients[s] != 0.0) used[static_cast<std::size_t>(task.support[s])] = 1;
    }
  }
  return std::ranges::count(used, 1);
}

}  // namespace kernmix
