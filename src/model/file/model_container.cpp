#include "model/file/model_container.hpp"

#include "kernmix/error.hpp"
#include "model/file/basis_container.hpp"
#include "model/file/header.hpp"

namespace kernmix {
namespace {

constexpr const char* format_name = "kernmix model";

/// Version 1 knew two classes only.
void read_target(const Container& container, Model& model) {
  const Json& header = container.header;
  if (container.version > 1) model.target = parse_target(get_text(header, "target"));
  if (model.target != Target::classes) return;
  const Json& classes = get_object(header, "classes");
  model.classes = {get_text(classes, "negative"), get_text(classes, "positive")};
}

Json certificate_entry(const ModelCertificate& certificate) {
  Json entry = bounds_entry(certificate);
  entry["bias"] = certificate.bias;
  return entry;
}

}  // namespace

Container to_container(const Model& model) {
  Container container;
  Json& header = container.header;
  header["format"] = format_name;
  header["target"] = target_name(model.target);
  if (model.target == Target::classes) {
    header["classes"] = {{"negative", model.classes.negative},
                         {"positive", model.classes.positive}};
  }
  header["settings"] = settings_entry(model.settings);
  header["certificate"] = certificate_entry(model.certificate);
  header["bias"] = model.bias;
  put_basis(model, container);
  const auto behind_support =
      std::ranges::find(container.blocks, "support_values", [](const Block& b) { return b.name; });
  container.blocks.insert(behind_support, vector_block("coefficients", model.coefficients));
  if (!model.proof.empty()) container.blocks.push_back(vector_block("proof", model.proof));
  return container;
}

Model to_model(const Container& container) {
  const Json& header = container.header;
  if (is_multi_model(container)) {
    throw DataError("holds a model of many tasks, where one of a single task is needed");
  }
  if (get_text(header, "format") != format_name) throw DataError("is not a model");
  Model model;
  read_target(container, model);
  read_basis(container, model);
  const Json& certificate = get_object(header, "certificate");
  model.certificate = {read_bounds(certificate), get_number(certificate, "bias")};
  model.bias = get_number(header, "bias");
  model.coefficients = find_vector(container, "coefficients");
  if (has_block(container, "proof")) model.proof = find_vector(container, "proof");
  return model;
}

}  // namespace kernmix
