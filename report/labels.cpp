#include "labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "kernmix/types.hpp"
#include "text.hpp"

namespace kernmix::report {
namespace {

using Characters = std::vector<std::string>;

Characters characters_of(const std::string& text) {
  Characters characters;
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
    if (continues && !characters.empty()) {
      characters.back() += c;
    } else {
      characters.emplace_back(1, c);
    }
  }
  return characters;
}

std::string joined(const Characters& text, std::size_t begin, std::size_t end) {
  std::string all;
  for (std::size_t i = begin; i < end; ++i) all += text[i];
  return all;
}

/// The beginning of a long name, and its part around the character at `place`.
std::string cut_around(const Characters& name, std::size_t place, std::size_t limit) {
  if (name.size() <= limit) return joined(name, 0, name.size());
  const std::size_t head = limit / 3;
  const std::size_t room = limit - head - 1;
  const std::size_t before = room / 4;
  const std::size_t begin = std::max(head, place > before ? place - before : 0);
  const std::string first = joined(name, 0, head) + "…";
  if (begin + room >= name.size()) return first + joined(name, name.size() - room, name.size());
  return first + joined(name, begin, begin + room - 1) + "…";
}

std::size_t common_prefix(const std::vector<Characters>& names,
                          const std::vector<std::size_t>& some) {
  const Characters& first = names[some.front()];
  std::size_t length = first.size();
  for (const std::size_t k : some) {
    const auto end = std::ranges::mismatch(first, names[k]).in1;
    length = std::min(length, static_cast<std::size_t>(end - first.begin()));
  }
  return length;
}

/// Whether not all of some names are equal.
bool differ(const std::vector<Characters>& names, const std::vector<std::size_t>& some) {
  return std::ranges::any_of(some, [&](std::size_t k) { return names[k] != names[some.front()]; });
}

/// Gives new labels to `some` names with one label, until their labels differ.
void separate(const std::vector<Characters>& names, const std::vector<std::size_t>& some,
              std::size_t limit, std::vector<std::string>& labels) {
  const std::size_t prefix = common_prefix(names, some);
  std::map<std::string, std::vector<std::size_t>> alike;
  for (const std::size_t k : some) {
    labels[k] = cut_around(names[k], prefix, limit);
    alike[labels[k]].push_back(k);
  }
  for (const auto& [label, rest] : alike) {
    if (differ(names, rest) && common_prefix(names, rest) > prefix) {
      separate(names, rest, limit, labels);
    }
  }
}

void number_equal(std::vector<std::string>& labels) {
  std::set<std::string> taken;
  for (std::string& label : labels) {
    const std::string plain = label;
    for (int k = 2; !taken.insert(label).second; ++k) label = fmt::format("{} ({})", plain, k);
  }
}

}  // namespace

std::vector<std::string> distinct_labels(const std::vector<std::string>& names, int limit) {
  std::vector<Characters> characters;
  std::vector<std::string> labels;
  std::map<std::string, std::vector<std::size_t>> alike;
  for (const std::string& name : names) {
    characters.push_back(characters_of(name));
    labels.push_back(shorten(name, limit));
    alike[labels.back()].push_back(labels.size() - 1);
  }
  for (const auto& [label, some] : alike) {
    if (differ(characters, some)) separate(characters, some, to_size(limit), labels);
  }
  number_equal(labels);
  return labels;
}

}  // namespace kernmix::report
