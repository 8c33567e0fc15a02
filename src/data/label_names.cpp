#include "data/label_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <string_view>
#include <unordered_set>

#include "base/text.hpp"
#include "data/file.hpp"
#include "kernmix/data.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Collects the names of all `label` elements at any depth.
class LabelNames : public pugi::xml_tree_walker {
 public:
  explicit LabelNames(const std::string& file) : file_(file) {}

  bool for_each(pugi::xml_node& node) override {
    if (std::string_view(node.name()) != "label") return true;
    const std::string name(trim(node.attribute("name").value()));
    if (name.empty()) {
      throw DataError(fmt::format("{}: label {} has no name; write <label name=\"...\"/>", file_,
                                  names.size() + 1));
    }
    if (!seen_.insert(name).second) {
      throw DataError(fmt::format("{}: label {} occurs twice", file_, in_quotes(name)));
    }
    names.push_back(name);
    return true;
  }

  std::vector<std::string> names;

 private:
  const std::string& file_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

std::vector<std::string> parse_label_names(std::string_view text, const std::string& path) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  if (!parsed) {
    const auto end = text.begin() + std::clamp<std::ptrdiff_t>(parsed.offset, 0, length(text));
    throw DataError(fmt::format("{}:{}: is not XML: {}", path,
                                std::count(text.begin(), end, '\n') + 1, parsed.description()));
  }
  if (std::string_view(document.document_element().name()) != "labels") {
    throw DataError(path +
                    ": is not a list of labels; MULAN's form is <labels><label name=\"...\"/>"
                    "</labels>");
  }
  LabelNames found(path);
  document.traverse(found);
  if (found.names.empty()) throw DataError(path + ": names no label");
  return std::move(found.names);
}

std::vector<std::string> read_label_names(const std::string& file, const Context& context) {
  const std::string text = read_file(file, context);
  constexpr std::size_t bytes_of_node = 300;  // with its attribute and its names, measured
  const auto nodes = to_size(std::ranges::count(text, '<'));
  require_memory_of_bytes(file, 2 * text.size() + nodes * bytes_of_node, context);
  return parse_label_names(text, file);
}

}  // namespace kernmix
