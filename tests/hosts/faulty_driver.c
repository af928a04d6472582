/* faulty_driver: a Level Zero driver that is the simulated GPU's, but for calls that fail when a
 * test says so. It is linked with that driver: what the loader does not find here it finds there.
 *
 * A test that opens the same library says by faulty_plan() which call fails. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <level_zero/ze_ddi.h>
#include <level_zero/zet_ddi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The calls that zedbg makes: name, table, entry of the table, parameters, arguments. */
#define CALLS(CALL)                                                                                \
  CALL(zeInit, ze_global, pfnInit, (ze_init_flags_t a), (a))                                       \
  CALL(zeDriverGet, ze_driver, pfnGet, (uint32_t* a, ze_driver_handle_t* b), (a, b))               \
  CALL(zeDeviceGet, ze_device, pfnGet,                                                             \
       (ze_driver_handle_t a, uint32_t* b, ze_device_handle_t* c), (a, b, c))                      \
  CALL(zeDeviceGetSubDevices, ze_device, pfnGetSubDevices,                                         \
       (ze_device_handle_t a, uint32_t* b, ze_device_handle_t* c), (a, b, c))                      \
  CALL(zeDeviceGetProperties, ze_device, pfnGetProperties,                                         \
       (ze_device_handle_t a, ze_device_properties_t* b), (a, b))                                  \
  CALL(zeDevicePciGetPropertiesExt, ze_device, pfnPciGetPropertiesExt,                             \
       (ze_device_handle_t a, ze_pci_ext_properties_t* b), (a, b))                                 \
  CALL(zetDeviceGetDebugProperties, zet_device, pfnGetDebugProperties,                             \
       (zet_device_handle_t a, zet_device_debug_properties_t* b), (a, b))                          \
  CALL(zetDebugAttach, zet_debug, pfnAttach,                                                       \
       (zet_device_handle_t a, const zet_debug_config_t* b, zet_debug_session_handle_t* c),        \
       (a, b, c))                                                                                  \
  CALL(zetDebugDetach, zet_debug, pfnDetach, (zet_debug_session_handle_t a), (a))                  \
  CALL(zetDebugReadEvent, zet_debug, pfnReadEvent,                                                 \
       (zet_debug_session_handle_t a, uint64_t b, zet_debug_event_t* c), (a, b, c))                \
  CALL(zetDebugAcknowledgeEvent, zet_debug, pfnAcknowledgeEvent,                                   \
       (zet_debug_session_handle_t a, const zet_debug_event_t* b), (a, b))                         \
  CALL(zetDebugInterrupt, zet_debug, pfnInterrupt,                                                 \
       (zet_debug_session_handle_t a, ze_device_thread_t b), (a, b))                               \
  CALL(zetDebugResume, zet_debug, pfnResume,                                                       \
       (zet_debug_session_handle_t a, ze_device_thread_t b), (a, b))                               \
  CALL(zetDebugReadMemory, zet_debug, pfnReadMemory,                                               \
       (zet_debug_session_handle_t a, ze_device_thread_t b, const zet_debug_memory_space_desc_t* c,\
        size_t d, void* e), (a, b, c, d, e))                                                       \
  CALL(zetDebugWriteMemory, zet_debug, pfnWriteMemory,                                             \
       (zet_debug_session_handle_t a, ze_device_thread_t b, const zet_debug_memory_space_desc_t* c,\
        size_t d, const void* e), (a, b, c, d, e))                                                 \
  CALL(zetDebugGetRegisterSetProperties, zet_debug, pfnGetRegisterSetProperties,                   \
       (zet_device_handle_t a, uint32_t* b, zet_debug_regset_properties_t* c), (a, b, c))          \
  CALL(zetDebugReadRegisters, zet_debug, pfnReadRegisters,                                         \
       (zet_debug_session_handle_t a, ze_device_thread_t b, uint32_t c, uint32_t d, uint32_t e,    \
        void* f), (a, b, c, d, e, f))                                                              \
  CALL(zetDebugWriteRegisters, zet_debug, pfnWriteRegisters,                                       \
       (zet_debug_session_handle_t a, ze_device_thread_t b, uint32_t c, uint32_t d, uint32_t e,    \
        void* f), (a, b, c, d, e, f))

enum { NAME_BYTES = 64, KINDS = 64 }; /* more kinds than CALLS has */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct call {
  char name[NAME_BYTES];
  int made;
  int fails_at; /* counted from 0; negative: never */
  ze_result_t result;
} calls[KINDS];

/* With the mutex held. */
static struct call* find(const char* name) {
  struct call* call = calls;
  while (call->name[0] != '\0' && strcmp(call->name, name) != 0) {
    ++call;
  }
  if (call->name[0] == '\0') {
    snprintf(call->name, sizeof call->name, "%s", name);
    call->fails_at = -1;
  }
  return call;
}

/* Lets the call of that name which follows `skip` others from now on return `result`, once. */
void faulty_plan(const char* name, unsigned result, int skip) {
  pthread_mutex_lock(&mutex);
  struct call* call = find(name);
  call->made = 0;
  call->fails_at = skip;
  call->result = (ze_result_t)result;
  pthread_mutex_unlock(&mutex);
}

/* No call fails any more, and none has been made. */
void faulty_clear(void) {
  pthread_mutex_lock(&mutex);
  memset(calls, 0, sizeof calls);
  pthread_mutex_unlock(&mutex);
}

/* How many calls of that name were made since the last plan for it. */
int faulty_calls(const char* name) {
  pthread_mutex_lock(&mutex);
  const int made = find(name)->made;
  pthread_mutex_unlock(&mutex);
  return made;
}

/* SUCCESS, or what the call is to return. */
static ze_result_t planned(const char* name) {
  pthread_mutex_lock(&mutex);
  struct call* call = find(name);
  const ze_result_t result = call->made++ == call->fails_at ? call->result : ZE_RESULT_SUCCESS;
  pthread_mutex_unlock(&mutex);
  return result;
}

#define DEFINE(name, table, entry, parameters, arguments)                                          \
  static ze_result_t(ZE_APICALL* real_##name) parameters;                                          \
  static ze_result_t ZE_APICALL faulty_##name parameters {                                         \
    const ze_result_t result = planned(#name);                                                     \
    return result != ZE_RESULT_SUCCESS ? result : real_##name arguments;                           \
  }
CALLS(DEFINE)

/* What the driver's getter fills in goes to `real`, and ours takes its place. */
#define REPLACE(name, of, entry, parameters, arguments)                                            \
  if (strcmp(#of, kind) == 0 && ((of##_dditable_t*)table)->entry != NULL) {                        \
    real_##name = ((of##_dditable_t*)table)->entry;                                                \
    ((of##_dditable_t*)table)->entry = faulty_##name;                                              \
  }

static ze_result_t fill(const char* getter, const char* kind, ze_api_version_t version,
                        void* table) {
  typedef ze_result_t(ZE_APICALL * getter_t)(ze_api_version_t, void*);
  const getter_t get = (getter_t)dlsym(RTLD_NEXT, getter);
  if (get == NULL) {
    return ZE_RESULT_ERROR_UNINITIALIZED;
  }
  const ze_result_t result = get(version, table);
  if (result == ZE_RESULT_SUCCESS) {
    CALLS(REPLACE)
  }
  return result;
}

#define GETTER(name, kind)                                                                         \
  ZE_APIEXPORT ze_result_t ZE_APICALL name(ze_api_version_t version, kind##_dditable_t* table) {   \
    return fill(#name, #kind, version, table);                                                     \
  }
GETTER(zeGetGlobalProcAddrTable, ze_global)
GETTER(zeGetDriverProcAddrTable, ze_driver)
GETTER(zeGetDeviceProcAddrTable, ze_device)
GETTER(zetGetDeviceProcAddrTable, zet_device)
GETTER(zetGetDebugProcAddrTable, zet_debug)

/* FAULTY_DRIVER=CALL:RESULT:SKIP plans a call before there is anyone to open the library. */
__attribute__((constructor)) static void plan_from_environment(void) {
  const char* text = getenv("FAULTY_DRIVER");
  char name[NAME_BYTES] = "";
  unsigned long long result = 0;
  int skip = 0;
  if (text != NULL && sscanf(text, "%63[^:]:%llx:%d", name, &result, &skip) == 3) {
    faulty_plan(name, (unsigned)result, skip);
  }
}
