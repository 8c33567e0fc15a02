#include "model/file/basis_container.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "kernmix/error.hpp"
#include "model/file/header.hpp"

namespace kernmix {
namespace {

Json kernel_entry(const ModelKernel& kernel) {
  const KernelDescription& description = kernel.description;
  Json entry = {{"function", description.function.name},
                {"parameters", description.function.parameters},
                {"view", description.view},
                {"columns", description.columns},
                {"from_matrix", description.from_matrix},
                {"group", description.group},
                {"normalization", description.normalization.text()},
                {"weight", kernel.weight},
                {"norm", kernel.norm},
                {"scale", kernel.normalization.scale},
                {"grand_mean", kernel.normalization.grand_mean},
                {"centred", !kernel.normalization.column_means.empty()}};
  if (const auto& width = description.relative_width) {
    entry["relative_width"] = {{"factor", width->factor},
                               {"distance", distance_name(width->distance)}};
  }
  return entry;
}

ModelKernel read_kernel(const Json& entry) {
  ModelKernel kernel;
  KernelDescription& description = kernel.description;
  description.function.name = get_text(entry, "function");
  const Json& parameters = get_object(entry, "parameters");
  for (const auto& [name, value] : parameters.items()) {
    description.function.parameters[name] = get_number(parameters, name.c_str());
  }
  if (entry.contains("relative_width")) {
    const Json& width = get_object(entry, "relative_width");
    description.relative_width = {get_number(width, "factor"),
                                  parse_distance(get_text(width, "distance"))};
  }
  description.view = get_text(entry, "view");
  description.columns = get_texts(entry, "columns");
  description.from_matrix = get_flag(entry, "from_matrix");
  description.group = get_text(entry, "group");
  description.normalization = parse_normalization(get_text(entry, "normalization"));
  kernel.weight = get_number(entry, "weight");
  kernel.norm = get_number(entry, "norm");
  kernel.normalization.rule = description.normalization;
  kernel.normalization.scale = get_number(entry, "scale");
  kernel.normalization.grand_mean = get_number(entry, "grand_mean");
  return kernel;
}

std::uint64_t read_unsigned(const Json& parent, const char* key, int base) {
  const std::string& text = get_text(parent, key);
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value, base);
  if (failure != std::errc() || stop != end) {
    throw DataError(fmt::format("has a header in which '{}' is not a 64-bit number", key));
  }
  return value;
}

/// One row for each kernel that keeps column means, in the order of the kernels.
Block means_block(const ModelBasis& model) {
  Block block{"column_means", Matrix(0, length(model.support))};
  for (const ModelKernel& kernel : model.kernels) {
    const Vector& means = kernel.normalization.column_means;
    if (means.empty()) continue;
    ++block.values.rows;
    block.values.values.insert(block.values.values.end(), means.begin(), means.end());
  }
  return block;
}

void read_means(const Json& entries, const Matrix& means, std::vector<ModelKernel>& kernels) {
  Index next = 0;
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    if (!get_flag(entries[m], "centred")) continue;
    if (next == means.rows) throw DataError("has too few rows of column means");
    const ConstSpan row = means.row(next++);
    kernels[m].normalization.column_means.assign(row.begin(), row.end());
  }
  if (next != means.rows) throw DataError("has too many rows of column means");
}

}  // namespace

Json settings_entry(const ModelSettings& settings) {
  return {{"loss", settings.loss},
          {"regularizer", settings.regularizer},
          {"solver", settings.solver},
          {"status", settings.status},
          {"bias", settings.bias},
          {"C", settings.C},
          {"class_weights", settings.class_weights},
          {"tolerance", settings.tolerance},
          {"seed", fmt::format("{}", settings.seed)},
          {"version", settings.version}};
}

ModelSettings read_settings(const Json& entry, std::uint32_t version) {
  return {.loss = get_text(entry, "loss"),
          .regularizer = get_text(entry, "regularizer"),
          .solver = get_text(entry, "solver"),
          .status = get_text(entry, "status"),
          .bias = version == 1 ? "free" : get_text(entry, "bias"),
          .C = get_number(entry, "C"),
          .class_weights = get_numbers(entry, "class_weights"),
          .tolerance = get_number(entry, "tolerance"),
          .seed = read_unsigned(entry, "seed", 10),
          .version = get_text(entry, "version")};
}

Json bounds_entry(const Bounds& bounds) {
  Json entry = {{"primal", bounds.primal},
                {"dual", bounds.dual},
                {"gap", bounds.gap},
                {"inner_gap", bounds.inner_gap},
                {"outer_gap", bounds.outer_gap}};
  if (bounds.least_size != 0.0) entry["least_size"] = bounds.least_size;
  return entry;
}

Bounds read_bounds(const Json& entry) {
  return {.primal = get_number(entry, "primal"),
          .dual = get_number(entry, "dual"),
          .gap = get_number(entry, "gap"),
          .inner_gap = get_number(entry, "inner_gap"),
          .outer_gap = get_number(entry, "outer_gap"),
          .least_size = entry.contains("least_size") ? get_number(entry, "least_size") : 0.0};
}

Block vector_block(const char* name, const Vector& values) {
  Block block{name, Matrix(length(values), 1)};
  block.values.values = values;
  return block;
}

Block index_block(const char* name, const std::vector<Index>& values) {
  return vector_block(name, Vector(values.begin(), values.end()));
}

bool has_block(const Container& container, const char* name) {
  return std::ranges::any_of(container.blocks, [&](const Block& b) { return b.name == name; });
}

const Matrix& find_block(const Container& container, const char* name) {
  for (const Block& block : container.blocks) {
    if (block.name == name) return block.values;
  }
  throw DataError(fmt::format("has no block '{}'", name));
}

const Vector& find_vector(const Container& container, const char* name) {
  const Matrix& block = find_block(container, name);
  if (block.cols != 1) throw DataError(fmt::format("has a block '{}' of the wrong shape", name));
  return block.values;
}

std::vector<Index> find_indices(const Container& container, const char* name, const char* what) {
  std::vector<Index> indices;
  for (const double value : find_vector(container, name)) {
    const bool whole = value >= 0.0 && value <= 0x1p53 && value == std::floor(value);
    if (!whole) throw DataError(fmt::format("has {} is not a whole number", what));
    indices.push_back(static_cast<Index>(value));
  }
  return indices;
}

void put_basis(const ModelBasis& model, Container& container) {
  Json& header = container.header;
  header["training_samples"] = model.training_samples;
  header["training_hash"] = fmt::format("{:016x}", model.training_hash);
  header["scaling"] = scaling_name(model.scaling.rule);
  header["columns"] = model.columns;
  header["matrices"] = model.matrices;
  Json& kernels = header["kernels"] = Json::array();
  for (const ModelKernel& kernel : model.kernels) kernels.push_back(kernel_entry(kernel));
  header["support_ids"] = model.support_ids;
  container.blocks = {vector_block("scaling_offset", model.scaling.offset),
                      vector_block("scaling_divisor", model.scaling.divisor),
                      index_block("support", model.support),
                      {"support_values", model.support_values},
                      means_block(model),
                      vector_block("sample_weights", model.sample_weights)};
}

void read_basis(const Container& container, ModelBasis& model) {
  const Json& header = container.header;
  model.settings = read_settings(get_object(header, "settings"), container.version);
  model.training_samples = get_count(header, "training_samples");
  model.training_hash = read_unsigned(header, "training_hash", 16);
  model.scaling = {.rule = parse_scaling(get_text(header, "scaling")),
                   .offset = find_vector(container, "scaling_offset"),
                   .divisor = find_vector(container, "scaling_divisor")};
  model.columns = get_texts(header, "columns");
  model.matrices = get_texts(header, "matrices");
  const Json& kernels = get_list(header, "kernels");
  for (const Json& entry : kernels) model.kernels.push_back(read_kernel(entry));
  model.support_ids = get_texts(header, "support_ids");
  model.support = find_indices(container, "support", "a support vector whose row");
  model.support_values = find_block(container, "support_values");
  read_means(kernels, find_block(container, "column_means"), model.kernels);
  model.sample_weights = find_vector(container, "sample_weights");
}

}  // namespace kernmix
