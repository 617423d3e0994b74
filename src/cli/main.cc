#include <iostream>
#include <string>
#include <vector>

#include "cli/app.h"

int main(int argc, char** argv) {
  berth::Console console{.out = std::cout, .err = std::cerr};
  return berth::RunApp(std::vector<std::string>(argv + 1, argv + argc), console);
}
