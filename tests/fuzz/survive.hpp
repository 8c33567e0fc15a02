#pragma once
/// \file
/// What a parser may do with any bytes: read them, or refuse them in a sentence.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "kernmix/error.hpp"

namespace kernmix::fuzz {

/// parse(the bytes as text); anything but an answer or a refusal ends the program.
template <typename Parse>
int survive(const std::uint8_t* data, std::size_t size, const Parse& parse) {
  try {
    parse(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const Error& refusal) {
    if (refusal.kind() == ErrorKind::internal || *refusal.what() == '\0') std::abort();
  }
  return 0;
}

/// Ends the program where it does not hold.
inline void expect(bool holds) {
  if (!holds) std::abort();
}

}  // namespace kernmix::fuzz

/// Defines the entry of libFuzzer: KERNMIX_FUZZ { ...what is done with `text`... }
#define KERNMIX_FUZZ                                                                         \
  static void parse(const std::string& text);                                                \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {        \
    return kernmix::fuzz::survive(data, size, [](const std::string& text) { parse(text); }); \
  }                                                                                          \
  static void parse(const std::string& text)
