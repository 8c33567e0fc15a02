/// \file
/// To be preloaded: OpenBLAS takes this processor for one that it does not know, and chooses its
/// oldest routines. Each copy of OpenBLAS reads "Prescott" as the user's choice, once: when it is
/// loaded. Everybody else, and each later question, gets the truth.

#include <dlfcn.h>

#include <array>
#include <cstring>
#include <string_view>

extern "C" char** environ;

namespace {

char* value_of(std::string_view name) {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (text.starts_with(name) && text.substr(name.size()).starts_with('=')) {
      return *entry + name.size() + 1;
    }
  }
  return nullptr;
}

/// Whether this copy of OpenBLAS asks for the first time.
bool is_new_blas(const void* caller) {
  static std::array<const void*, 8> known{};
  Dl_info library;
  if (dladdr(caller, &library) == 0 || library.dli_fname == nullptr) return false;
  if (std::strstr(library.dli_fname, "openblas") == nullptr) return false;
  for (const void*& one : known) {
    if (one == library.dli_fbase) return false;
    if (one != nullptr) continue;
    one = library.dli_fbase;
    return true;
  }
  return false;
}

}  // namespace

extern "C" char* getenv(const char* name) {
  static char oldest[] = "Prescott";
  char* const value = value_of(name);
  const bool asked = value == nullptr && std::string_view(name) == "OPENBLAS_CORETYPE";
  return asked && is_new_blas(__builtin_return_address(0)) ? oldest : value;
}
