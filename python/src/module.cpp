/// \file
/// kernmix._core: the library as Python sees it. What is allowed, and what is done, is decided
/// there.

#include <nanobind/nanobind.h>

#include "column_weights.hpp"
#include "data.hpp"
#include "errors.hpp"
#include "kernels.hpp"
#include "kernmix/process.hpp"
#include "kernmix/version.hpp"
#include "lists.hpp"
#include "model.hpp"
#include "run.hpp"
#include "study.hpp"
#include "train.hpp"
#include "trust.hpp"

NB_MODULE(_core, module) {
  using namespace kernmix::python;
  module.doc() = "The C++ library of kernmix. The classes of the package are built on it.";
  module.attr("__version__") = KERNMIX_VERSION;
  // Python leaves objects in the frames of daemon threads when it ends, which is no leak of ours.
  nanobind::set_leak_warnings(false);
  know_the_last_thread();
  bind_errors(module);
  bind_data(module);
  bind_model(module);
  bind_train(module);
  bind_kernels(module);
  bind_column_weights(module);
  bind_lists(module);
  bind_trust(module);
  bind_study(module);
  module.def(
      "default_memory_budget", &kernmix::default_memory_budget, nanobind::arg("threads") = 1,
      "Bytes that a call may use where it is not told: 80 % of what is available; 0: unknown.");
}
