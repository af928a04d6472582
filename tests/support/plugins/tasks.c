/* Structures with the names and members that FreeRTOS has, for the script that shows them. */
#include <stdint.h>

typedef struct list_item { uint32_t xItemValue; struct list_item *pxNext; void *pvOwner; } ListItem_t;
typedef struct list { uint32_t uxNumberOfItems; ListItem_t *pxIndex; ListItem_t xListEnd; } List_t;
typedef struct task {
  char *pxTopOfStack; ListItem_t xStateListItem; unsigned long uxPriority; char *pxStack;
  char pcTaskName[16]; unsigned long uxTCBNumber, uxMutexesHeld; uint32_t ulRunTimeCounter;
} TCB_t;

char stacks[2][64];
List_t pxReadyTasksLists[2], xPendingReadyList, xSuspendedTaskList, xDelayedTaskList1,
    xDelayedTaskList2, xTasksWaitingTermination;
TCB_t tasks[2] = {{stacks[0] + 16, {0}, 1, stacks[0], "idle", 1, 0, 10},
                  {stacks[1] + 32, {0}, 5, stacks[1], "worker", 2, 1, 20}};
TCB_t *pxCurrentTCB = &tasks[1];

static void insert(List_t *list, TCB_t *task) {
  task->xStateListItem.pvOwner = task;
  task->xStateListItem.pxNext = &list->xListEnd;
  list->xListEnd.pxNext = &task->xStateListItem;
  list->pxIndex = &list->xListEnd;
  list->uxNumberOfItems = 1;
}

int stop(void) { return 0; }
int main(void) {
  insert(&pxReadyTasksLists[1], &tasks[1]);
  insert(&xSuspendedTaskList, &tasks[0]);
  return stop();
}
