#include <algorithm>
#include <utility>
#include <vector>

#include "bank/plan.hpp"
#include "bank/reference/entries.hpp"
#include "kernmix/bank/build.hpp"

namespace kernmix {
namespace {

/// Evaluates what it is asked for and forgets it.
class ExactBank final : public KernelBank {
 public:
  explicit ExactBank(std::vector<KernelSourcePtr> sources) : sources_(std::move(sources)) {
    check_sources(sources_);
  }

  [[nodiscard]] Index samples() const override { return sources_.front()->rows(); }
  [[nodiscard]] Index kernels() const override { return length(sources_); }
  [[nodiscard]] std::size_t bytes() const override { return 0; }

  void block(Index m, std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override {
    source(m).block(rows, cols, out);
  }
  [[nodiscard]] Products products(std::span<const Index> subset, const Panel& A, Reach reach,
                                  const Context& context) const override {
    return products_of_entries(entries(), subset, A, reach, context);
  }
  [[nodiscard]] std::unique_ptr<Combined> combined(ConstSpan d) const override {
    return combined_entries(entries(), d);
  }

 private:
  [[nodiscard]] const KernelSource& source(Index m) const {
    return *sources_[static_cast<std::size_t>(m)];
  }
  [[nodiscard]] KernelEntries entries() const {
    const bool stored =
        std::ranges::all_of(sources_, [](const auto& source) { return bool(source->stored()); });
    return {samples(), kernels(),
            [this](Index m, std::span<const Index> rows, std::span<const Index> cols) {
              return SourceRows(source(m), rows, cols);
            },
            stored};
  }

  std::vector<KernelSourcePtr> sources_;
};

}  // namespace

std::unique_ptr<KernelBank> exact_bank(std::vector<KernelSourcePtr> sources) {
  return std::make_unique<ExactBank>(std::move(sources));
}

}  // namespace kernmix
