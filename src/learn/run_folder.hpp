// The folder of a run: who may write in it, and run.json, which says what the run is.
#pragma once

#include <memory>
#include <string>

#include "core/file.hpp"
#include "core/spec.hpp"
#include "learn/run.hpp"

namespace polymax::learn {

// A folder for a new run: made, or found empty. Throws Error when it holds anything.
void check_new_folder(const std::string& folder);  // makes nothing
void make_run_folder(const std::string& folder);

// The folder for this process alone; what a killed one left half written goes.
std::unique_ptr<Held> hold_run_folder(const std::string& folder);

// Settings of a run as a spec of this name, and what stands in its brackets.
Spec settings_spec(const std::string& name, const std::string& settings);
std::string settings_text(const Spec& spec);

void write_run(const RunSettings& settings, const std::string& game);

// The settings of the run in settings.out for everything that was not given again.
void keep_settings(RunSettings& settings, const std::string& game);

}  // namespace polymax::learn
