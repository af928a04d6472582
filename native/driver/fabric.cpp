// The fabric between devices. Each device and each tile is a vertex; there are no edges, for nothing
// simulates links: all devices share one memory.
#include <level_zero/ze_api.h>

#include <cstring>

#include "driver/driver.hpp"
#include "driver/handle.hpp"

using namespace xesim::driver;

namespace {

// Its name is spelled in two ways, one for each time of the headers.
constexpr int kSubDeviceVertex = 2;

}  // namespace

ze_result_t zeFabricVertexGetExp(ze_driver_handle_t hDriver, uint32_t* pCount,
                                 ze_fabric_vertex_handle_t* phVertices) {
  if (hDriver == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  const auto& devices = object_of<Driver>(hDriver)->devices();
  return enumerate(pCount, phVertices, static_cast<std::uint32_t>(devices.size()),
                   [&](ze_fabric_vertex_handle_t& vertex, std::uint32_t index) {
                     vertex = devices[index]->vertex();
                   });
}

ze_result_t zeFabricVertexGetSubVerticesExp(ze_fabric_vertex_handle_t hVertex, uint32_t* pCount,
                                            ze_fabric_vertex_handle_t* phSubvertices) {
  if (hVertex == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  const auto& tiles = object_of<Device>(hVertex)->tiles();
  return enumerate(pCount, phSubvertices, static_cast<std::uint32_t>(tiles.size()),
                   [&](ze_fabric_vertex_handle_t& vertex, std::uint32_t index) {
                     vertex = tiles[index]->vertex();
                   });
}

ze_result_t zeFabricVertexGetPropertiesExp(ze_fabric_vertex_handle_t hVertex,
                                           ze_fabric_vertex_exp_properties_t* properties) {
  if (hVertex == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (properties == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  Device& device = *object_of<Device>(hVertex);
  ze_device_properties_t of_device = {};
  of_device.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  zeDeviceGetProperties(device.handle(), &of_device);
  std::memcpy(properties->uuid.id, of_device.uuid.id, sizeof(properties->uuid.id));
  properties->type = device.root() == nullptr ? ZE_FABRIC_VERTEX_EXP_TYPE_DEVICE
                                              : static_cast<ze_fabric_vertex_exp_type_t>(kSubDeviceVertex);
  properties->remote = 0;
  ze_pci_ext_properties_t pci = {};
  zeDevicePciGetPropertiesExt(device.handle(), &pci);
  properties->address = {pci.address.domain, pci.address.bus, pci.address.device,
                         pci.address.function};
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeFabricVertexGetDeviceExp(ze_fabric_vertex_handle_t hVertex,
                                       ze_device_handle_t* phDevice) {
  if (hVertex == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (phDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  *phDevice = object_of<Device>(hVertex)->handle();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetFabricVertexExp(ze_device_handle_t hDevice,
                                       ze_fabric_vertex_handle_t* phVertex) {
  if (hDevice == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  if (phVertex == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  *phVertex = object_of<Device>(hDevice)->vertex();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeFabricEdgeGetExp(ze_fabric_vertex_handle_t hVertexA,
                               ze_fabric_vertex_handle_t hVertexB, uint32_t* pCount,
                               ze_fabric_edge_handle_t* phEdges) {
  if (hVertexA == nullptr || hVertexB == nullptr) {
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  }
  return enumerate(pCount, phEdges, 0, [](ze_fabric_edge_handle_t&, std::uint32_t) {});
}

// There is no edge that a handle could be of.
ze_result_t zeFabricEdgeGetVerticesExp(ze_fabric_edge_handle_t hEdge, ze_fabric_vertex_handle_t*,
                                       ze_fabric_vertex_handle_t*) {
  return hEdge == nullptr ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

ze_result_t zeFabricEdgeGetPropertiesExp(ze_fabric_edge_handle_t hEdge,
                                         ze_fabric_edge_exp_properties_t*) {
  return hEdge == nullptr ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}
