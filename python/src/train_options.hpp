#pragma once
/// \file
/// Options of training as keywords of Python.

#include <nanobind/nanobind.h>

#include <string>

#include "kernmix/train.hpp"
#include "run.hpp"

namespace kernmix::python {

struct TrainKeywords {
  TrainOptions options;
  Resources resources;
};

/// What is absent has its default.
/// \throws nb::type_error naming an unknown keyword or one whose value has the wrong type;
/// ParameterError for a text that is none of the names it may be
[[nodiscard]] TrainKeywords train_keywords(const nb::dict& keywords);

/// The keywords with their types and defaults, as a signature of Python has them.
[[nodiscard]] std::string train_signature();

}  // namespace kernmix::python
