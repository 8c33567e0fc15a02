#pragma once
/// \file
/// Samples as Python hands them over.

#include <memory>

#include "arrays.hpp"
#include "kernmix/train.hpp"

namespace kernmix::python {

/// A Dataset that is put together part by part. Calls that run without the GIL keep the one that
/// they were given: it is copied before it changes while they do, without the numbers, which are
/// the caller's.
class Data {
 public:
  [[nodiscard]] const std::shared_ptr<const Dataset>& shared() const { return shared_; }
  [[nodiscard]] const Dataset& operator*() const { return *shared_; }
  [[nodiscard]] Dataset& edit();

 private:
  std::shared_ptr<Dataset> own_ = std::make_shared<Dataset>();
  std::shared_ptr<const Dataset> shared_ = own_;
};

void bind_data(nb::module_& module);

}  // namespace kernmix::python
