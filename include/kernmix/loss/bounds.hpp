#pragma once

namespace kernmix {

/// The interval that a dual variable must stay in.
struct DualBounds {
  double lower;
  double upper;
};

}  // namespace kernmix
