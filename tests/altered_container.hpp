#pragma once
/// \file
/// Every number and text of a model file, altered one at a time.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "kernmix/error.hpp"
#include "kernmix/train.hpp"
#include "model/file/container.hpp"

namespace kernmix {

struct Alteration {
  std::string place;  ///< "/settings/C", "block support 3"
  Container container;
};

inline Json altered_value(const Json& value) {
  if (value.is_boolean()) return !value.get<bool>();
  if (value.is_number_float()) return 1.5 * value.get<double>() + 0.25;
  if (value.is_number()) return value.get<std::int64_t>() + 1;
  if (value.is_string()) return value.get<std::string>() + "x";
  return value;
}

/// Calls `check` for each. \param entries  of each block: so many, evenly spaced
inline void alter_each(const Container& model, std::size_t entries,
                       const std::function<void(const Alteration&)>& check) {
  const Json flat = model.header.flatten();
  for (const auto& item : flat.items()) {
    Alteration altered{item.key(), model};
    Json& value = altered.container.header[Json::json_pointer(item.key())];
    if (altered_value(value) == value) continue;  // an empty list
    value = altered_value(value);
    check(altered);
  }
  for (std::size_t b = 0; b < model.blocks.size(); ++b) {
    const Vector& values = model.blocks[b].values.values;
    const std::size_t count = std::min(entries, values.size());
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t at = k * values.size() / count;
      Alteration altered{"block " + model.blocks[b].name + " " + std::to_string(at), model};
      double& value = altered.container.blocks[b].values.values[at];
      value = value == std::floor(value) ? value + 1.0 : 1.5 * value + 0.25;
      check(altered);
    }
  }
}

/// The file is refused, or does not agree with the training data.
inline bool is_noticed(const Alteration& altered, const Dataset& data) {
  try {
    return !verify(decode_model(pack(altered.container)), data, {}).agrees;
  } catch (const DataError&) {
    return true;
  }
}

/// Of the claims that fail the names, in their order: "weights bounds".
inline std::string failing(const Verification& verification) {
  std::string names;
  for (const Claim& claim : verification.claims) {
    if (claim.agrees) continue;
    EXPECT_FALSE(claim.finding.empty()) << claim.name;
    names += (names.empty() ? "" : " ") + claim.name;
  }
  EXPECT_EQ(verification.agrees, names.empty());
  return names;
}

inline bool fails(const Verification& verification, const std::string& name) {
  return std::ranges::any_of(
      verification.claims, [&](const Claim& claim) { return claim.name == name && !claim.agrees; });
}

}  // namespace kernmix
