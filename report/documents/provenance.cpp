#include "provenance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/text.hpp"

namespace kernmix::documents {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20U;

struct FreeState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

}  // namespace

std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string line;
  for (std::string word; std::getline(file, word, '\0');) {
    const bool program = line.empty();
    line += program ? shell_word(std::filesystem::path(word).filename().string())
                    : " " + shell_word(word);
  }
  return line;
}

std::optional<std::string> file_checksum(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  std::ifstream stream(file, std::ios::binary);
  const std::unique_ptr<XXH3_state_t, FreeState> state(XXH3_createState());
  if (!stream || state == nullptr) return std::nullopt;
  XXH3_128bits_reset(state.get());
  for (std::string block(kBlock, '\0'); stream;) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    XXH3_128bits_update(state.get(), block.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) return std::nullopt;
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

Json checksums_json(const std::vector<std::string>& files) {
  Json list = Json::array();
  for (const std::string& file : files) {
    const auto checksum = file_checksum(file);
    list.push_back(checksum ? Json(*checksum) : Json(nullptr));
  }
  return list;
}

}  // namespace kernmix::documents
