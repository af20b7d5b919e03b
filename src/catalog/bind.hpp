// Makes a game type one of the catalog. A generated bind_<game>.cpp calls entry_of<Rules>() for
// each game. What does not depend on the type is in bind.cpp and compiled once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "catalog/any.hpp"
#include "catalog/any_rules.hpp"
#include "catalog/bind_rules.hpp"
#include "catalog/catalog.hpp"
#include "core/error.hpp"
#include "core/fields.hpp"

namespace polymax::catalog {

class SearchKit;

// The rules for some options, and the options as canonical text.
struct OpenRules {
  std::shared_ptr<const AnyRules> rules;
  Spec spec;
};

// What the catalog asks of a game type.
struct Binding {
  std::string name;
  About about;
  std::vector<SettingInfo> settings;
  unsigned abilities = 0;
  Points points{};  // unless a spec has points=
  std::vector<Entry> evaluators;
  OpenRules (*open)(const Spec& own) = nullptr;  // `own` has no points=; errors name the place
};

GameEntry entry_of(const Binding& binding);

// kit: null takes the one whose boxes the states fit.
std::unique_ptr<const AnyGame> make_game(const Binding& binding, OpenRules opened, Points points,
                                         const SearchKit* kit = nullptr);

template <Game G>
[[gnu::cold]] OpenRules open_rules_of(const std::string& name, const typename G::Options& options) {
  return {std::make_shared<const BoundRules<G>>(options), write_settings(name, options)};
}

template <Game G>
[[gnu::cold]] Binding binding_of(const std::string& name) {
  return {name,
          G::about,
          describe_settings<typename G::Options>(),
          abilities_of<G>(),
          G::default_points,
          offered_evaluators<G>(),
          [](const Spec& own) {
            const auto options = read_settings<typename G::Options>(own, {"points"});
            try {
              return open_rules_of<G>(own.name, options);
            } catch (const Error& error) {
              fail_at(own, own.at, error.what());
            }
          }};
}

template <Game G>
GameEntry entry_of(const char* name) {
  return entry_of(binding_of<G>(name));
}

}  // namespace polymax::catalog
