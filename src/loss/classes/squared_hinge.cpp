#include "loss/classes/squared_hinge.hpp"

#include "loss/bias_search.hpp"

namespace kernmix {

double SquaredHinge::best_bias(ConstSpan y, ConstSpan z, ConstSpan C) const {
  return search_bias(*this, y, z, C, residual_bracket(y, z));
}

}  // namespace kernmix
