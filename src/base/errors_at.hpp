#pragma once
/// \file
/// Errors that say where they come from.

#include <string>

#include "kernmix/error.hpp"

namespace kernmix {

/// body(), whose errors begin with `where`.
template <typename Body>
decltype(auto) errors_at(const std::string& where, const Body& body) {
  try {
    return body();
  } catch (const ParameterError& error) {
    throw ParameterError(where + ": " + error.what());
  } catch (const DataError& error) {
    throw DataError(where + ": " + error.what());
  } catch (const ResourceError& error) {
    throw ResourceError(where + ": " + error.what());
  }
}

}  // namespace kernmix
