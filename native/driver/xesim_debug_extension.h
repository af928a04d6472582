/* What the simulated GPU's driver reports to a debugger beyond the Level Zero API. In C, for any
 * debugger.
 *
 * Hardware reports that an instruction is illegal, and nothing else. The simulated GPU knows why, and
 * says it: the rule that an address or a descriptor breaks, or what it does not implement.
 *
 * A debugger asks zeDriverGetExtensionFunctionAddress for the function by its name. A driver that does
 * not offer it gives an error, and the debugger goes without. zeDriverGetExtensionProperties lists the
 * extension with its version. The major version counts changes that break a client, the minor one
 * additions.
 *
 * The handle of the session must be the driver's own. A loader that serves several drivers gives
 * out handles of its own; with such a one the function returns ZE_RESULT_ERROR_INVALID_NULL_HANDLE.
 */
#ifndef XESIM_DEBUG_EXTENSION_H
#define XESIM_DEBUG_EXTENSION_H

#include <level_zero/zet_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define XESIM_DEBUG_EXCEPTION_REASON_NAME "XESIM_extension_debug_exception_reason"
#define XESIM_DEBUG_EXCEPTION_REASON_VERSION ZE_MAKE_VERSION(1, 0)

/* Why the instruction at which a thread has stopped is not executed: one line of printable ASCII.
 *
 * The reason belongs to the thread's stop: it is there from the time when the event was read until
 * the thread is resumed, or its instruction pointer is written. It is empty for a thread that has
 * stopped for anything but an illegal instruction.
 *
 * thread   one thread
 * pSize    if pReason is null: gets the bytes of the text with its terminating zero. Otherwise: the
 *          bytes that there is room for; gets those that were written.
 * pReason  null, or where to write the text
 *
 * ZE_RESULT_SUCCESS
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE   hDebug is null, or no session of this driver
 * ZE_RESULT_ERROR_INVALID_NULL_POINTER  pSize is null
 * ZE_RESULT_ERROR_INVALID_SIZE          there is no room for the text
 * ZE_RESULT_ERROR_INVALID_ARGUMENT      the device has no such thread, or it names more than one
 * ZE_RESULT_ERROR_NOT_AVAILABLE         the thread is not stopped, or its event has not been read
 * ZE_RESULT_ERROR_UNKNOWN               the program has ended, or does not answer
 */
ze_result_t ZE_APICALL xesimDebugGetExceptionReason(zet_debug_session_handle_t hDebug,
                                                    ze_device_thread_t thread, size_t* pSize,
                                                    char* pReason);

typedef ze_result_t(ZE_APICALL* xesim_pfnDebugGetExceptionReason_t)(
    zet_debug_session_handle_t hDebug, ze_device_thread_t thread, size_t* pSize, char* pReason);

#ifdef __cplusplus
}
#endif

#endif /* XESIM_DEBUG_EXTENSION_H */
