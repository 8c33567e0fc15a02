#include "values.hpp"

#include <nanobind/stl/map.h>

namespace kernmix::python {

Record record_of(const Bounds& bounds) {
  Record record;
  record["primal"] = bounds.primal;
  record["dual"] = bounds.dual;
  record["gap"] = bounds.gap;
  record["relative_gap"] = bounds.relative_gap();
  record["inner_gap"] = bounds.inner_gap;
  record["outer_gap"] = bounds.outer_gap;
  record["least_size"] = bounds.least_size;
  record["slack"] = bounds.slack;
  return record;
}

Record scaling_rules(const std::vector<ScaledView>& views, ScalingRule ScaledView::*which) {
  Record rules;
  for (const ScaledView& view : views)
    rules[nb::str(view.view.c_str())] = scaling_name(view.*which);
  return rules;
}

Record record_of(const KernelDescription& kernel) {
  Record record;
  record["name"] = kernel.name();
  record["view"] = kernel.view;
  record["group"] = kernel.group;
  record["function"] = kernel.function.name;
  record["parameters"] = kernel.function.parameters;
  record["columns"] = kernel.columns;
  record["from_matrix"] = kernel.from_matrix;
  record["normalization"] = kernel.normalization.text();
  return record;
}

WarningList warnings_of(const std::vector<Warning>& warnings) {
  WarningList all;
  for (const Warning& warning : warnings) {
    all.emplace_back(warning.code, warning.message, warning.kernels);
  }
  return all;
}

}  // namespace kernmix::python
