#include "lists.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>

#include "kernmix/loss.hpp"
#include "kernmix/model.hpp"
#include "kernmix/regularizer.hpp"
#include "kernmix/settings.hpp"
#include "kernmix/solve.hpp"
#include "kernmix/train.hpp"
#include "values.hpp"

namespace kernmix::python {
namespace {

Coupling coupling_of(const std::string& text) {
  return text == coupling_name(Coupling::separate) ? Coupling::separate : parse_coupling(text);
}

Records list_of_kernels() {
  Records list;
  for (const KernelFunctionInfo& info : kernel_functions()) {
    Record record;
    record["name"] = info.name;
    record["formula"] = info.formula;
    record["parameters"] = info.parameters;
    record["reads"] = input_name(info);
    record["on_distances"] = info.on_distances;
    record["always_psd"] = info.always_psd;
    list.append(record);
  }
  return list;
}

Records list_of_losses() {
  Records list;
  for (const LossInfo& info : losses()) {
    Record record;
    record["name"] = info.syntax;
    record["formula"] = info.formula;
    const Loss loss = parse_loss(info.example);
    record["target"] = target_name(loss_target(loss));
    record["gives_probability"] = gives_probability(loss);
    record["joins_classes"] = joins_classes(loss);
    record["example"] = info.example;
    list.append(record);
  }
  return list;
}

Records list_of_regularizers() {
  Records list;
  for (const RegularizerInfo& info : regularizers()) {
    Record record;
    record["name"] = info.syntax;
    record["weights"] = info.weights;
    record["norm"] = info.norm;
    record["example"] = info.example;
    list.append(record);
  }
  return list;
}

nb::object preset_of(const Field& field) {
  const std::string preset = field.preset();
  if (field.form == SettingForm::toggle) return nb::cast(false);
  if (preset.empty()) return nb::none();
  if (field.form == SettingForm::number) return nb::cast(std::stod(preset));
  if (field.form == SettingForm::whole) return nb::cast(std::stol(preset));
  return nb::cast(preset);
}

nb::object least_of(const Field& field) {
  return field.form == SettingForm::whole ? nb::cast(field.least) : nb::none();
}

nb::list names_of(const ModelKinds& models) {
  nb::list names;
  if (models.classes) names.append("classes");
  if (models.labels) names.append("labels");
  if (models.numbers) names.append("numbers");
  if (models.novelties) names.append("novelties");
  return names;
}

/// The fields that Python derives parameters of estimators from.
Records list_of_settings() {
  using Form = SettingForm;
  static const std::map<Form, const char*> forms = {
      {Form::text, "text"},     {Form::text_or_whole, "text_or_whole"},
      {Form::number, "number"}, {Form::whole, "whole"},
      {Form::toggle, "toggle"}, {Form::list, "list"},
      {Form::shares, "shares"}};
  Records list;
  for (const Field& field : fields()) {
    Record record;
    record["name"] = field.name;
    record["key"] = field.key();
    record["form"] = forms.at(field.form);
    record["kind"] = kind_name(field.kind);
    record["help"] = field.help;
    record["preset"] = preset_of(field);
    record["least"] = least_of(field);
    record["models"] = names_of(field.models);
    list.append(record);
  }
  return list;
}

Records list_of_strategies() {
  Records list;
  for (const StrategyInfo& info : strategy_list()) {
    Record record;
    record["name"] = info.name;
    record["what"] = info.what;
    list.append(record);
  }
  return list;
}

Records cells(const std::string& coupling) {
  Records list;
  for (const Support& cell : support_matrix(coupling_of(coupling))) {
    Record record;
    record["solver"] = cell.solver;
    record["regularizer"] = cell.regularizer;
    record["loss"] = cell.loss;
    record["supported"] = cell.supported;
    record["reason"] = cell.reason;
    list.append(record);
  }
  return list;
}

}  // namespace

void bind_lists(nb::module_& module) {
  module.attr("default_kernels") = default_kernels;
  module.attr("default_kernels_of_numbers") = default_kernels_of_numbers;
  module.def("kernel_functions", list_of_kernels,
             "name, formula, parameters, reads, on_distances, always_psd of each");
  module.def("losses", list_of_losses,
             "name, formula, target, gives_probability, joins_classes and example of each");
  module.def("regularizers", list_of_regularizers, "name, weights, norm and example of each");
  module.def(
      "solvers", [](const std::string& coupling) { return solver_names(coupling_of(coupling)); },
      nb::arg("coupling") = "separate", "Names, in the order in which `auto` tries them");
  module.def("settings", list_of_settings,
             "name, key, form, kind, help and preset of each; a preset of None is left to a rule");
  module.def("strategies", list_of_strategies, "name and what of each");
  module.def("support_matrix", cells, nb::arg("coupling") = "separate",
             "solver, regularizer, loss, supported, reason of every combination");
}

}  // namespace kernmix::python
