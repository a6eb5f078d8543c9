/* What the OpenMP runtime does for a team of one thread. Calls of it that have a body here run in the order of the program;
 * `prepare/openmp` does what needs more than a call: teams, loops that ask for chunks, tasks. */

#include "bodies.h"
#include <stddef.h>
#include <stdint.h>

/* A loop in equal parts: all of it is the last part. Iterations are counted up by one. */
#define STATIC_LOOP(SUFFIX, INT, STEP)                                                                                 \
  void ALONE(__kmpc_for_static_init_##SUFFIX)(void *at, int32_t thread, int32_t schedule, int32_t *last, INT *lower,   \
                                             INT *upper, STEP *stride, STEP step, STEP chunk) {                        \
    (void)at, (void)thread, (void)schedule, (void)step, (void)chunk;                                                   \
    *last = 1;                                                                                                         \
    *stride = (STEP)(*upper - *lower + 1);                                                                             \
  }

STATIC_LOOP(4, int32_t, int32_t)
STATIC_LOOP(4u, uint32_t, int32_t)
STATIC_LOOP(8, int64_t, int64_t)
STATIC_LOOP(8u, uint64_t, int64_t)

#define NOTHING(NAME)                                                                                                  \
  void ALONE(NAME)(void *at, int32_t thread) { (void)at, (void)thread; }

NOTHING(__kmpc_for_static_fini)
NOTHING(__kmpc_dispatch_fini_4)
NOTHING(__kmpc_dispatch_fini_4u)
NOTHING(__kmpc_dispatch_fini_8)
NOTHING(__kmpc_dispatch_fini_8u)
NOTHING(__kmpc_dispatch_deinit)
NOTHING(__kmpc_barrier)
NOTHING(__kmpc_serialized_parallel)
NOTHING(__kmpc_end_serialized_parallel)
NOTHING(__kmpc_end_single)
NOTHING(__kmpc_end_master)
NOTHING(__kmpc_end_masked)
NOTHING(__kmpc_ordered)
NOTHING(__kmpc_end_ordered)
NOTHING(__kmpc_taskgroup)
NOTHING(__kmpc_end_taskgroup)

#define NOTHING_MORE(NAME, ...)                                                                                        \
  void ALONE(NAME)(void *at, int32_t thread, __VA_ARGS__)

NOTHING_MORE(__kmpc_push_num_threads, int32_t count) { (void)at, (void)thread, (void)count; }
NOTHING_MORE(__kmpc_push_proc_bind, int32_t bind) { (void)at, (void)thread, (void)bind; }
NOTHING_MORE(__kmpc_critical, void *lock) { (void)at, (void)thread, (void)lock; }
NOTHING_MORE(__kmpc_critical_with_hint, void *lock, uint32_t hint) { (void)at, (void)thread, (void)lock, (void)hint; }
NOTHING_MORE(__kmpc_end_critical, void *lock) { (void)at, (void)thread, (void)lock; }
NOTHING_MORE(__kmpc_end_reduce, void *lock) { (void)at, (void)thread, (void)lock; }
NOTHING_MORE(__kmpc_end_reduce_nowait, void *lock) { (void)at, (void)thread, (void)lock; }
/* Private variables get the value of the one thread that has it. */
NOTHING_MORE(__kmpc_copyprivate, uint64_t bytes, void *list, void *copy, int32_t has) {
  (void)at, (void)thread, (void)bytes, (void)list, (void)copy, (void)has;
}
NOTHING_MORE(__kmpc_omp_wait_deps, int32_t count, void *list, int32_t more, void *rest) {
  (void)at, (void)thread, (void)count, (void)list, (void)more, (void)rest;
}
/* The task itself runs between these two. */
NOTHING_MORE(__kmpc_omp_task_begin_if0, void *task) { (void)at, (void)thread, (void)task; }
NOTHING_MORE(__kmpc_omp_task_complete_if0, void *task) { (void)at, (void)thread, (void)task; }

void ALONE(__kmpc_flush)(void *at) { (void)at; }

int32_t ALONE(__kmpc_global_thread_num)(void *at) {
  (void)at;
  return 0;
}

/* The one thread is the one that a single construct takes, and the first. */
int32_t ALONE(__kmpc_single)(void *at, int32_t thread) {
  (void)at, (void)thread;
  return 1;
}
int32_t ALONE(__kmpc_master)(void *at, int32_t thread) {
  (void)at, (void)thread;
  return 1;
}
int32_t ALONE(__kmpc_masked)(void *at, int32_t thread, int32_t filter) {
  (void)at, (void)thread;
  return filter == 0;
}

/* Its own sums are merged without a lock. */
int32_t ALONE(__kmpc_reduce)(void *at, int32_t thread, int32_t count, size_t bytes, void *list, void *merge, void *lock) {
  (void)at, (void)thread, (void)count, (void)bytes, (void)list, (void)merge, (void)lock;
  return 1;
}
int32_t ALONE(__kmpc_reduce_nowait)(void *at, int32_t thread, int32_t count, size_t bytes, void *list, void *merge,
                                   void *lock) {
  (void)at, (void)thread, (void)count, (void)bytes, (void)list, (void)merge, (void)lock;
  return 1;
}

int32_t ALONE(__kmpc_omp_taskwait)(void *at, int32_t thread) {
  (void)at, (void)thread;
  return 0;
}
int32_t ALONE(__kmpc_omp_taskyield)(void *at, int32_t thread, int32_t end) {
  (void)at, (void)thread, (void)end;
  return 0;
}

/* Locks: one thread waits for nobody. */
#define LOCK(NAME)                                                                                                     \
  void ALONE(NAME)(void *lock) { (void)lock; }
LOCK(omp_init_lock)
LOCK(omp_destroy_lock)
LOCK(omp_set_lock)
LOCK(omp_unset_lock)
LOCK(omp_init_nest_lock)
LOCK(omp_destroy_nest_lock)
LOCK(omp_set_nest_lock)
LOCK(omp_unset_nest_lock)
