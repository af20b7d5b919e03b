// What a search needs of a game is what its constraint says: it is asked of a game that can all but
// one thing, for each of these things.
#include "catalog/all_searches.hpp"
#include "catalog/boxed.hpp"
#include "catalog/common_keys.hpp"
#include "catalog/search_kit.hpp"

namespace polymax::catalog {

namespace {

constexpr std::size_t kAnyBytes = 16;

template <class Tag, class G>
concept OffersSearch = requires {
  typename Tag::template type<G>;
  requires Searcher<typename Tag::template type<G>, G>;
};

template <class Tag, unsigned kBit>
constexpr unsigned need() {
  return OffersSearch<Tag, Boxed<kAnyBytes, Can::kAll & ~kBit>> ? 0 : kBit;
}

template <class Tag>
constexpr unsigned needs() {
  return need<Tag, Can::kSkipTurns>() | need<Tag, Can::kEstimate>() | need<Tag, Can::kPlanes>() |
         need<Tag, Can::kMovePlaces>() | need<Tag, Can::kTurn>();
}

template <class Tag>
SearchOffer offer_of() {
  using G = Boxed<kAnyBytes>;
  using S = typename Tag::template type<G>;
  using P = typename S::Params;
  SearchOffer out{Tag::name,
                  S::about,
                  describe_settings<P>(),
                  needs<Tag>(),
                  {},
                  Teaching<S, G>,
                  [](const Spec& asked, const std::vector<std::string>& also_known) {
                    return write_settings(asked.name, read_settings<P>(asked, also_known));
                  }};
  if constexpr (requires { S::default_evaluator; }) out.evaluator = S::default_evaluator;
  return out;
}

}  // namespace

const std::vector<SearchOffer>& search_offers() {
  static const std::vector<SearchOffer> all = [] {
    std::vector<SearchOffer> out;
    each_search([&]<class Tag>(Tag) {
      static_assert(OffersSearch<Tag, Boxed<kAnyBytes>>, "no search of this file fits any game");
      out.push_back(offer_of<Tag>());
    });
    return out;
  }();
  return all;
}

std::string preset_evaluator(const SearchOffer& offer, unsigned can) {
  return offer.evaluator.value_or((can & Can::kEstimate) != 0 ? "estimate" : "zero");
}

std::vector<Entry> offered_searches(unsigned can) {
  std::vector<Entry> out;
  for (const auto& offer : search_offers()) {
    if ((offer.needs & ~can) != 0) continue;
    Entry entry{offer.name, offer.about, offer.settings};
    if (const auto preset = preset_evaluator(offer, can); !preset.empty()) {
      entry.settings.push_back(describe_settings<AimSetting>()[0]);
      entry.settings.push_back(describe_settings<EvalSetting>()[0]);
      entry.settings.back().preset = preset;
    }
    out.push_back(entry);
  }
  return out;
}

}  // namespace polymax::catalog
