#include "kernmix/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/names.hpp"
#include "kernmix/error.hpp"
#include "model/file/file.hpp"
#include "model/file/model_container.hpp"

namespace kernmix {
namespace {

/// The bytes of a file that may be a model.
std::string model_bytes(const std::string& file, const Context& context) {
  std::error_code unreadable;
  const auto status = std::filesystem::status(file, unreadable);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw DataError(fmt::format("{}: is not a regular file", file));
  }
  return read_file(file, context);
}

constexpr Named<Target> target_names[] = {
    {Target::classes, "classes"}, {Target::numbers, "numbers"}, {Target::none, "none"}};

constexpr Named<TaskScheme> scheme_names[] = {
    {TaskScheme::single, "single"},         {TaskScheme::one_vs_rest, "one-vs-rest"},
    {TaskScheme::one_vs_one, "one-vs-one"}, {TaskScheme::joint, "joint"},
    {TaskScheme::labels, "labels"},         {TaskScheme::targets, "targets"}};

}  // namespace

std::string target_name(Target target) { return name_in(target_names, target); }

Target parse_target(const std::string& name) {
  if (const auto target = find_in(target_names, name)) return *target;
  throw DataError(fmt::format("has the unknown target '{}'", name));
}

std::string scheme_name(TaskScheme scheme) { return name_in(scheme_names, scheme); }

TaskScheme parse_scheme(const std::string& text) {
  const auto scheme = find_in(scheme_names, text);
  if (scheme && scheme != TaskScheme::single) return *scheme;
  throw ParameterError(fmt::format(
      "the scheme of several classes must be one-vs-rest, one-vs-one or joint, got '{}'", text));
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

Model load_model(const std::string& file, const Context& context) {
  const std::string bytes = model_bytes(file, context);
  try {
    return decode_model(bytes);
  } catch (const DataError& failure) {
    throw DataError(fmt::format("{}: {}", file, failure.what()));
  }
}

std::string model_checksum(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string last(checksum_bytes, '\0');
  stream.seekg(-static_cast<std::streamoff>(checksum_bytes), std::ios::end);
  if (!stream.read(last.data(), static_cast<std::streamsize>(last.size()))) {
    throw DataError(fmt::format("{}: cannot be read to its end", file));
  }
  return checksum_text(last);
}

std::string checksum_of_model(const Model& model) {
  const std::string bytes = encode_model(model);
  return checksum_text(std::string_view(bytes).substr(bytes.size() - checksum_bytes));
}

std::vector<Index> dual_rows(const Model& model) {
  if (!model.landmarks) return model.support;
  std::vector<Index> rows;
  for (const TaskModel& task : model.tasks) {
    rows.insert(rows.end(), task.support.begin(), task.support.end());
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

Matrix coefficients_of(const Model& model) {
  const std::vector<Index> rows = dual_rows(model);
  Matrix all(length(rows), length(model.tasks));
  for (Index k = 0; k < all.cols; ++k) {
    const TaskModel& task = model.tasks[to_size(k)];
    for (std::size_t s = 0; s < task.support.size(); ++s) {
      const Index place = model.landmarks
                              ? std::ranges::lower_bound(rows, task.support[s]) - rows.begin()
                              : task.support[s];
      all(place, k) = task.coefficients[s];
    }
  }
  return all;
}

ConstSpan sample_counts(const Model& model) {
  return model.weights_repeat ? ConstSpan(model.sample_weights) : ConstSpan();
}

const ModelPresence* presence_in(const Model& model, const std::string& view) {
  const auto found = std::ranges::find_if(
      model.presences, [&](const ModelPresence& own) { return own.view.name == view; });
  return found == model.presences.end() ? nullptr : &*found;
}

Vector kernel_weights(const Model& model) {
  Vector weights;
  for (const ModelKernel& kernel : model.kernels) weights.push_back(kernel.weight);
  return weights;
}

Index kernels_used(const Model& model) {
  return std::ranges::count_if(model.kernels,
                               [](const ModelKernel& kernel) { return kernel.weight > 0.0; });
}

Index support_vectors(const Model& model) {
  const Matrix all = coefficients_of(model);
  Index count = 0;
  for (Index s = 0; s < all.rows; ++s) {
    count += std::ranges::any_of(all.row(s), [](double a) { return a != 0.0; }) ? 1 : 0;
  }
  return count;
}

}  // namespace kernmix
