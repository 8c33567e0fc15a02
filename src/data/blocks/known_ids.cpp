#include "data/blocks/known_ids.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr unsigned line_bits = 40;
constexpr std::uint64_t line_mask = (std::uint64_t{1} << line_bits) - 1;
constexpr std::size_t first_size = 1024;

/// The finalizer of MurmurHash3.
std::uint64_t mixed_bits(std::uint64_t h) {
  h = (h ^ (h >> 33U)) * 0xff51afd7ed558ccdU;
  h = (h ^ (h >> 33U)) * 0xc4ceb9fe1a85ec53U;
  return h ^ (h >> 33U);
}

/// FNV-1a from a start of its own, mixed.
std::uint64_t id_hash(std::string_view text, std::uint64_t start) {
  std::uint64_t h = start;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return mixed_bits(h ^ text.size());
}

}  // namespace

KnownIds::KnownIds(std::string path, const Context& context)
    : path_(std::move(path)), context_(context), entries_(first_size) {}

KnownIds::Entry& KnownIds::place(std::uint64_t hash, std::uint64_t rest) {
  const std::size_t mask = entries_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Entry& entry = entries_[at];
    const bool same = entry.hash == hash && (entry.rest & ~line_mask) == rest;
    if (entry.rest == 0 || same) return entry;
  }
}

std::optional<Index> KnownIds::add(std::string_view id, Index line) {
  if (4 * (used_ + 1) > 3 * entries_.size()) grow();
  const std::uint64_t hash = id_hash(id, 0xcbf29ce484222325U);
  const std::uint64_t rest = id_hash(id, 0x9e3779b97f4a7c15U) & ~line_mask;
  Entry& entry = place(hash, rest);
  if (entry.rest != 0) return static_cast<Index>(entry.rest & line_mask);
  entry = {hash, rest | (static_cast<std::uint64_t>(line) & line_mask)};
  ++used_;
  return std::nullopt;
}

void KnownIds::grow() {
  const std::size_t size = 2 * entries_.size();
  const auto bytes = static_cast<double>((entries_.size() + size) * sizeof(Entry));
  if (!has_room(context_, bytes)) {
    throw ResourceError(
        fmt::format("{}: comparing more than {} sample ids with each other takes {}, more than the "
                    "memory budget of {}; allow more memory, or number the samples (without --id)",
                    path_, used_, memory_text(bytes), memory_text(context_.memory_bytes)));
  }
  std::vector<Entry> before(size);
  std::swap(before, entries_);
  for (const Entry& entry : before) {
    if (entry.rest != 0) place(entry.hash, entry.rest & ~line_mask) = entry;
  }
}

}  // namespace kernmix
