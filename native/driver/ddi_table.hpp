// Filling the dispatch tables that a loader asks for.
//
// A table is a sequence of function pointers that only ever grows at its end. A loader that asks
// with version V owns a table with the members of V and no more: a member may be written only if it
// existed in V. Members that this driver's headers do not know are addressed by their position.
#pragma once

#include <level_zero/ze_api.h>

#include <cstddef>

#include "driver/checked_call.hpp"
#include "driver/later_api.hpp"

namespace xesim::driver {

// Answers for a function of the API that the simulated device does not have.
template <class Function>
struct Unsupported;
template <class... Arguments>
struct Unsupported<ze_result_t (*)(Arguments...)> {
  static ze_result_t call(Arguments...) { return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE; }
};

// A getter is one expression: DdiTable(version, table).set<...>(...).set<...>(...).result(). A table that
// cannot be filled is left alone.
template <class Table>
class DdiTable {
 public:
  DdiTable(ze_api_version_t version, Table* table) : version_(version), table_(table) {
    if (table == nullptr) {
      result_ = ZE_RESULT_ERROR_INVALID_ARGUMENT;
    } else if (ZE_MAJOR_VERSION(version) != ZE_MAJOR_VERSION(later::kReportedVersion)) {
      result_ = ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
    }
  }

  // What the getter returns.
  [[nodiscard]] ze_result_t result() const { return result_; }

  // `minor`: the API version 1.minor that brought the member.
  template <auto function, class Function>
  DdiTable& set(Function Table::*member, unsigned minor = 0) {
    if (has(minor)) {
      table_->*member = &CheckedCall<function>::call;
    }
    return *this;
  }

  template <class Function>
  DdiTable& unsupported(Function Table::*member, unsigned minor = 0) {
    if (has(minor)) {
      table_->*member = &Unsupported<Function>::call;
    }
    return *this;
  }

  // The member at `position` (counted from 0), which newer APIs append.
  template <auto function>
  DdiTable& append(std::size_t position, unsigned minor) {
    if (has(minor)) {
      reinterpret_cast<void (**)()>(table_)[position] =
          reinterpret_cast<void (*)()>(&CheckedCall<function>::call);
    }
    return *this;
  }

 private:
  [[nodiscard]] bool has(unsigned minor) const {
    return result_ == ZE_RESULT_SUCCESS && ZE_MINOR_VERSION(version_) >= minor;
  }

  ze_api_version_t version_;
  Table* table_;
  ze_result_t result_ = ZE_RESULT_SUCCESS;
};

}  // namespace xesim::driver

// A getter whose table stays empty: loaders want the getter to be there, and answer
// UNSUPPORTED_FEATURE for what is in the table.
#define XESIM_EMPTY_TABLE(getter, table_type)                              \
  ze_result_t getter(ze_api_version_t version, table_type* table) {        \
    return xesim::driver::DdiTable(version, table).result();               \
  }
