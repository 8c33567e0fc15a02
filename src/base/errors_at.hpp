#pragma once
/// \file
/// Error messages with a prefix that locates the error.

#include <string>

#include "kernmix/error.hpp"

namespace kernmix {

/// Calls body(); messages of its errors begin with `where`.
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
