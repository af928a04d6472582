/* What the simulated GPU's driver offers to a debugger beyond the Level Zero API. In C, for any
 * debugger, and any driver that can do the same.
 *
 * A debugger asks zeDriverGetExtensionFunctionAddress for each function by its name. A driver that does
 * not offer it gives an error, and the debugger goes without. zeDriverGetExtensionProperties lists the
 * extensions with their versions. The major version counts changes that break a client, the minor one
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

/* Exception reasons.
 *
 * Hardware reports that an instruction is illegal, and nothing else. The simulated GPU knows why, and
 * says it: the rule that an address or a descriptor breaks, or what it does not implement.
 */
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

/* Time travel.
 *
 * While a debugger is attached the driver records each launch: what drove it, and from time to time all
 * of its state. From that any state of the launch can be shown again, exactly, and any stretch of it
 * searched. Nothing is needed before; recording is on unless it is switched off.
 *
 * A time is a number of instructions: those that all threads of the launch had executed. It is one
 * order for the whole device. The state of time t is that before instruction t, counted from 0, and
 * after whatever a debugger did before it.
 *
 * The past can be looked at, and not changed. While it is shown, every thread that has work then is
 * stopped; memory and registers are read as they were then, by the functions of the API. zetDebugResume,
 * zetDebugInterrupt, zetDebugWriteMemory and zetDebugWriteRegisters return
 * ZE_RESULT_ERROR_NOT_AVAILABLE. The present stays as it is, and stands still: none of its threads runs
 * and no launch begins until the debugger goes back to it, detaches or ends. The program's own threads
 * go on, and find their memory as it is in the present.
 *
 * No event is sent for any of this. A debugger that has gone to another time forgets what it knew of
 * threads, and asks xesimDebugGetThreads.
 *
 * What the host writes to memory that a running launch uses is in no log. The driver notices it when it
 * passes over such a time (hostWriteFirst, hostWriteEnd), and goes on with what the host wrote.
 *
 * A launch that uses memory which is mapped at two addresses is not recorded.
 */
#define XESIM_DEBUG_TIME_NAME "XESIM_extension_debug_time"
#define XESIM_DEBUG_TIME_VERSION ZE_MAKE_VERSION(1, 3) /* 1.1: watches; 1.2: those of registers and instructions */

typedef enum _xesim_debug_recording_state_t {
  XESIM_DEBUG_RECORDING_OFF = 0,
  XESIM_DEBUG_RECORDING_RECORDS = 1,  /* the launch runs, or is stopped in the present */
  XESIM_DEBUG_RECORDING_IN_PAST = 2,  /* a past time of the launch is shown */
  XESIM_DEBUG_RECORDING_FINISHED = 3, /* the launch has ended, and can be visited */
  XESIM_DEBUG_RECORDING_GAVE_UP = 4,  /* the launch did not fit the budget; text says so */
  XESIM_DEBUG_RECORDING_UNRECORDABLE = 5 /* since 1.3: it cannot be recorded; text says why */
} xesim_debug_recording_state_t;

typedef struct _xesim_debug_recording_t {
  uint32_t launch;         /* number of the launch, from 1; 0: none was recorded */
  uint32_t launches;       /* that this session has recorded */
  uint32_t oldest;         /* number of the oldest one that can be visited; 0: none */
  uint32_t state;          /* xesim_debug_recording_state_t */
  uint64_t first;          /* times: the first one that can be shown, */
  uint64_t now;            /* the one that is shown, */
  uint64_t end;            /* the present one, or the last one of a finished launch */
  uint64_t bytes;          /* that all recordings of the device take on the host, about */
  uint64_t budget;         /* and may take */
  uint32_t keyframes;      /* states that are kept of this launch */
  uint32_t reserved;
  uint64_t hostWriteFirst; /* times between which the host was seen to write memory; */
  uint64_t hostWriteEnd;   /* equal: not seen */
  char text[256];          /* name of the kernel, or why the launch was given up */
} xesim_debug_recording_t;

/* What is known of a launch. launch 0: the one that runs, or else the last one.
 *
 * ZE_RESULT_SUCCESS
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE   hDebug is null, or no session of this driver
 * ZE_RESULT_ERROR_INVALID_NULL_POINTER  pRecording is null
 * ZE_RESULT_ERROR_UNKNOWN               the program has ended, or does not answer
 */
ze_result_t ZE_APICALL xesimDebugGetRecording(zet_debug_session_handle_t hDebug, uint32_t launch,
                                              xesim_debug_recording_t* pRecording);

/* Switches recording on, with a budget in bytes, or off, from the next launch on. Off drops what there
 * is. What does not fit the budget is dropped, the oldest first: launches, then states of the launch
 * that runs, and last that launch as a whole.
 *
 * ZE_RESULT_SUCCESS
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE   hDebug is null, or no session of this driver
 * ZE_RESULT_ERROR_NOT_AVAILABLE         the past is shown
 * ZE_RESULT_ERROR_UNKNOWN               the program has ended, or does not answer
 */
ze_result_t ZE_APICALL xesimDebugSetRecording(zet_debug_session_handle_t hDebug, uint32_t enabled,
                                              uint64_t budget);

/* Shows the state of a time of a launch (0: as above), or the present: UINT64_MAX, whatever the launch.
 * After an error the state is as before.
 *
 * ZE_RESULT_SUCCESS
 * ZE_RESULT_NOT_READY                   it was cancelled
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE   hDebug is null, or no session of this driver
 * ZE_RESULT_ERROR_NOT_AVAILABLE         the launch is not recorded (any more)
 * ZE_RESULT_ERROR_INVALID_ARGUMENT      the time is not one of first..end
 * ZE_RESULT_ERROR_UNKNOWN               the program has ended, or does not answer; or the launch goes
 *                                       another way than it did, since the host wrote its memory
 */
ze_result_t ZE_APICALL xesimDebugGoTo(zet_debug_session_handle_t hDebug, uint32_t launch,
                                      uint64_t time);
#define XESIM_DEBUG_PRESENT UINT64_MAX

/* The stopped threads of what is shown: in the past all that have work, in the present those whose stop
 * was reported.
 *
 * pCount     if it is 0, or pThreads null: gets the number of threads. Otherwise: the threads that
 *            there is room for; gets those that were written.
 *
 * ZE_RESULT_SUCCESS
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE   hDebug is null, or no session of this driver
 * ZE_RESULT_ERROR_INVALID_NULL_POINTER  pCount is null
 */
ze_result_t ZE_APICALL xesimDebugGetThreads(zet_debug_session_handle_t hDebug, uint32_t* pCount,
                                            ze_device_thread_t* pThreads);

/* What an instruction does, as bits. */
typedef enum _xesim_debug_find_kind_t {
  XESIM_DEBUG_FIND_EXECUTE = 1,         /* it lies in a range of instructions */
  XESIM_DEBUG_FIND_WRITE = 2,           /* it writes global memory in a range */
  XESIM_DEBUG_FIND_READ = 4,            /* it reads global memory in a range */
  XESIM_DEBUG_FIND_WRITE_REGISTER = 8,  /* it changes registers in a range */
  XESIM_DEBUG_FIND_BEGIN = 16,          /* it is the thread's first */
  XESIM_DEBUG_FIND_END = 32,            /* it ends the thread */
  XESIM_DEBUG_FIND_WRITE_SLM = 64,      /* it writes shared local memory in a range */
  XESIM_DEBUG_FIND_READ_SLM = 128       /* it reads shared local memory in a range */
} xesim_debug_find_kind_t;

typedef enum _xesim_debug_space_t {
  XESIM_DEBUG_SPACE_INSTRUCTION = 0,    /* addresses of instructions */
  XESIM_DEBUG_SPACE_GLOBAL = 1,         /* addresses, those of scratch space and private memory too */
  XESIM_DEBUG_SPACE_SLM = 2,            /* offsets in the shared local memory of the thread's group */
  XESIM_DEBUG_SPACE_GRF = 3,            /* bytes of the register file: register * its bytes + byte */
  XESIM_DEBUG_SPACE_REGISTER = 4        /* type of the register set << 32 | byte in the set */
} xesim_debug_space_t;

typedef struct _xesim_debug_range_t {
  uint64_t begin;          /* in its space; of registers, both in one set */
  uint64_t end;            /* not in it any more */
  uint32_t space;          /* xesim_debug_space_t */
  uint32_t reserved;
} xesim_debug_range_t;

typedef struct _xesim_debug_find_t {
  uint32_t launch;         /* as above */
  uint32_t backward;       /* 1: the latest first */
  uint64_t from;           /* times of instructions, from..to-1, or backward from-1..to */
  uint64_t to;
  ze_device_thread_t thread;  /* members may be UINT32_MAX: any */
  uint32_t kinds;          /* any of these; one that has no range in its space meets everything */
  uint32_t rangeCount;
  uint32_t limit;          /* at most so many hits */
  uint32_t lanes;          /* one of these must act; 0: any */
  uint32_t changesOnly;    /* writes that leave the bytes as they were do not count */
  uint32_t reserved;
} xesim_debug_find_t;

typedef struct _xesim_debug_hit_t {
  uint64_t time;           /* of the state before the instruction; it is done at time + 1 */
  uint64_t instruction;    /* its address */
  ze_device_thread_t thread;
  uint32_t kinds;          /* those that it meets */
  uint32_t lanes;          /* that acted */
  uint32_t group[3];
  uint32_t launch;
  uint64_t address;        /* of an access, the part that is in a range; in the range's space. Of */
  uint32_t size;           /* several, the first one. 0: there is no access */
  uint32_t lane;           /* that made it; 0 for a block of a whole thread */
  uint8_t oldValue[64];    /* size bytes, at most 64 */
  uint8_t newValue[64];
} xesim_debug_hit_t;

/* Runs a stretch of a launch again, and lists what meets the conditions. What is shown stays.
 *
 * pHits        room for pFind->limit hits
 * pHitCount    gets those that were written
 * pSearchedTo  gets the time up to which it looked: `from` of the call that goes on. It is `to` when
 *              there is no more.
 *
 * ZE_RESULT_SUCCESS                     also when it was cancelled, or the limit was reached
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE   hDebug is null, or no session of this driver
 * ZE_RESULT_ERROR_INVALID_NULL_POINTER  a pointer is null (pRanges may be without ranges, pHits without
 *                                       a limit)
 * ZE_RESULT_ERROR_INVALID_ARGUMENT      there is no such space or register
 * ZE_RESULT_ERROR_NOT_AVAILABLE         the launch is not recorded (any more)
 * ZE_RESULT_ERROR_UNKNOWN               as of xesimDebugGoTo
 */
ze_result_t ZE_APICALL xesimDebugFind(zet_debug_session_handle_t hDebug,
                                      const xesim_debug_find_t* pFind,
                                      const xesim_debug_range_t* pRanges, uint32_t* pHitCount,
                                      xesim_debug_hit_t* pHits, uint64_t* pSearchedTo);

/* Ends the xesimDebugGoTo or xesimDebugFind that another thread waits for.
 *
 * ZE_RESULT_SUCCESS                     also when there is none
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE   hDebug is null, or no session of this driver
 * ZE_RESULT_ERROR_UNKNOWN               the program has ended
 */
ze_result_t ZE_APICALL xesimDebugCancel(zet_debug_session_handle_t hDebug);

/* Watches.
 *
 * A thread stops after an instruction that has accessed memory, or changed registers, that are watched: its
 * breakpoint exception, as after a step (cr0.1 bit 31), and an event as any other. It stops in front of an
 * instruction that is watched (XESIM_DEBUG_FIND_EXECUTE, _END) when it comes to it from another one. What
 * happened is asked of the stopped thread. A watch says nothing of what the host, copies or other devices do
 * to memory, nor of an access that ends the thread. There is none in the past; xesimDebugFind is for that.
 *
 * A watch of memory costs something with each access, one of registers or instructions with each
 * instruction of the threads that it is for: it should name one.
 *
 * A watch lasts until it is cleared, or the debugger detaches.
 */
typedef struct _xesim_debug_watch_t {
  uint32_t kinds;          /* of xesim_debug_find_kind_t, all but XESIM_DEBUG_FIND_BEGIN */
  uint32_t rangeCount;     /* at least 1, but for XESIM_DEBUG_FIND_END alone */
  ze_device_thread_t thread;  /* members may be UINT32_MAX: any */
  uint32_t lanes;          /* of accesses to memory: one of these must act; 0: any */
  uint32_t changesOnly;    /* writes that leave the bytes as they were do not count; of registers none does */
  uint32_t group[3];       /* the work-group that must act; members may be UINT32_MAX: any */
  uint32_t reserved;
} xesim_debug_watch_t;

/* Begins to watch.
 *
 * pNumber  gets the watch's number
 *
 * ZE_RESULT_SUCCESS
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE   hDebug is null, or no session of this driver
 * ZE_RESULT_ERROR_INVALID_NULL_POINTER  a pointer is null
 * ZE_RESULT_ERROR_INVALID_ARGUMENT      there is no range, an empty one, or no such kind, space or register
 * ZE_RESULT_ERROR_UNKNOWN               the program has ended, or does not answer
 */
ze_result_t ZE_APICALL xesimDebugSetWatch(zet_debug_session_handle_t hDebug,
                                          const xesim_debug_watch_t* pWatch,
                                          const xesim_debug_range_t* pRanges, uint64_t* pNumber);

/* Ends a watch.
 *
 * ZE_RESULT_SUCCESS
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE   hDebug is null, or no session of this driver
 * ZE_RESULT_ERROR_INVALID_ARGUMENT      there is no such watch
 * ZE_RESULT_ERROR_UNKNOWN               the program has ended, or does not answer
 */
ze_result_t ZE_APICALL xesimDebugClearWatch(zet_debug_session_handle_t hDebug, uint64_t number);

typedef struct _xesim_debug_watch_hit_t {
  uint64_t number;         /* of the watch */
  xesim_debug_hit_t hit;   /* one access of one lane, lanes: all that acted; or one change of registers,
                              without lanes; or the instruction in front of which the thread stands */
} xesim_debug_watch_hit_t;

/* What a stopped thread did with the instruction before its ip to what is watched: by watch, then by lane.
 * An access of more than 64 bytes, and one to two ranges, has several hits.
 *
 * pCount  if it is 0, or pHits null: gets the number of hits; 0: the thread has stopped for another reason.
 *         Otherwise: the hits that there is room for; gets those that were written.
 *
 * ZE_RESULT_SUCCESS
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE   hDebug is null, or no session of this driver
 * ZE_RESULT_ERROR_INVALID_NULL_POINTER  pCount is null
 * ZE_RESULT_ERROR_INVALID_ARGUMENT      the device has no such thread, or it names more than one
 * ZE_RESULT_ERROR_NOT_AVAILABLE         the thread is not stopped, or the past is shown
 * ZE_RESULT_ERROR_UNKNOWN               the program has ended, or does not answer
 */
ze_result_t ZE_APICALL xesimDebugGetWatchHits(zet_debug_session_handle_t hDebug,
                                              ze_device_thread_t thread, uint32_t* pCount,
                                              xesim_debug_watch_hit_t* pHits);

typedef ze_result_t(ZE_APICALL* xesim_pfnDebugGetRecording_t)(
    zet_debug_session_handle_t hDebug, uint32_t launch, xesim_debug_recording_t* pRecording);

typedef ze_result_t(ZE_APICALL* xesim_pfnDebugSetRecording_t)(
    zet_debug_session_handle_t hDebug, uint32_t enabled, uint64_t budget);

typedef ze_result_t(ZE_APICALL* xesim_pfnDebugGoTo_t)(
    zet_debug_session_handle_t hDebug, uint32_t launch, uint64_t time);

typedef ze_result_t(ZE_APICALL* xesim_pfnDebugGetThreads_t)(
    zet_debug_session_handle_t hDebug, uint32_t* pCount, ze_device_thread_t* pThreads);

typedef ze_result_t(ZE_APICALL* xesim_pfnDebugFind_t)(
    zet_debug_session_handle_t hDebug, const xesim_debug_find_t* pFind,
    const xesim_debug_range_t* pRanges, uint32_t* pHitCount, xesim_debug_hit_t* pHits,
    uint64_t* pSearchedTo);

typedef ze_result_t(ZE_APICALL* xesim_pfnDebugCancel_t)(
    zet_debug_session_handle_t hDebug);

typedef ze_result_t(ZE_APICALL* xesim_pfnDebugSetWatch_t)(
    zet_debug_session_handle_t hDebug, const xesim_debug_watch_t* pWatch,
    const xesim_debug_range_t* pRanges, uint64_t* pNumber);

typedef ze_result_t(ZE_APICALL* xesim_pfnDebugClearWatch_t)(
    zet_debug_session_handle_t hDebug, uint64_t number);

typedef ze_result_t(ZE_APICALL* xesim_pfnDebugGetWatchHits_t)(
    zet_debug_session_handle_t hDebug, ze_device_thread_t thread, uint32_t* pCount,
    xesim_debug_watch_hit_t* pHits);

#ifdef __cplusplus
}
#endif

#endif /* XESIM_DEBUG_EXTENSION_H */
