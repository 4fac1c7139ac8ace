/*
 * Preloaded into a process (LD_PRELOAD), this makes syncing fail, space run out, or the process die or stop at some files.
 * The test selects the fault in shared memory: the file that FAULTY_DISK names, laid out as `struct faults`, which
 * faulty-disk.ts writes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct faults {
  int64_t syncs;      /* so many syncs fail with EIO, and then no more */
  int64_t limited;    /* whether `space` counts */
  int64_t space;      /* bytes that can still be written */
  char sync_of[64];   /* whose syncs: part of a path, or its end if this ends with $ */
  char space_of[64];  /* whose bytes, likewise */
  int64_t steps;      /* before the last of so many changes, the process gets `signal` */
  char steps_of[64];  /* changes of these files, likewise */
  int64_t signal;
};

static struct faults *faults;

__attribute__((constructor)) static void attach(void) {
  const char *path = getenv("FAULTY_DISK");
  int fd = path ? open(path, O_RDWR) : -1;
  if (fd < 0) return;
  void *at = mmap(NULL, sizeof(struct faults), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at != MAP_FAILED) faults = at;
  close(fd);
}

static int matches(const char *path, const char *pattern) {
  size_t length = strlen(pattern), all = strlen(path);
  if (length == 0) return 0;
  if (pattern[length - 1] != '$') return strstr(path, pattern) != NULL;
  return all >= length - 1 && strncmp(path + all - (length - 1), pattern, length - 1) == 0;
}

static int is_of(int fd, const char *pattern) {
  char name[64], path[PATH_MAX];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(name, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return matches(path, pattern);
}

static void step(const char *path) {
  if (!faults || !matches(path, faults->steps_of)) return;
  if (__atomic_fetch_sub(&faults->steps, 1, __ATOMIC_SEQ_CST) == 1) kill(getpid(), (int)faults->signal);
}

static void step_of(int fd) {
  if (faults && is_of(fd, faults->steps_of)) step(faults->steps_of);
}

static int sync_fails(int fd) {
  step_of(fd);
  if (!faults || __atomic_load_n(&faults->syncs, __ATOMIC_SEQ_CST) <= 0 || !is_of(fd, faults->sync_of)) return 0;
  if (__atomic_fetch_sub(&faults->syncs, 1, __ATOMIC_SEQ_CST) <= 0) return 0;
  errno = EIO;
  return 1;
}

/* Takes what it can of `wanted` bytes, as a disk does that is nearly full; -1 when there is none left. */
static ssize_t take(int fd, size_t wanted) {
  step_of(fd);
  if (!faults || !faults->limited || wanted == 0 || !is_of(fd, faults->space_of)) return wanted;
  int64_t left = faults->space;
  if (left <= 0) {
    errno = ENOSPC;
    return -1;
  }
  size_t taken = (int64_t)wanted < left ? wanted : (size_t)left;
  faults->space = left - taken;
  return taken;
}

static int no_room_for(const char *path) {
  if (!faults || !faults->limited || faults->space > 0 || !matches(path, faults->space_of)) return 0;
  errno = ENOSPC;
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int fsync(int fd) { return sync_fails(fd) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return sync_fails(fd) ? -1 : REAL(fdatasync)(fd); }

ssize_t write(int fd, const void *bytes, size_t count) {
  ssize_t some = take(fd, count);
  return some < 0 ? -1 : REAL(write)(fd, bytes, some);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  ssize_t some = take(fd, count);
  return some < 0 ? -1 : REAL(pwrite)(fd, bytes, some, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  ssize_t some = take(fd, count);
  return some < 0 ? -1 : REAL(pwrite64)(fd, bytes, some, at);
}

int mkdir(const char *path, mode_t mode) {
  step(path);
  return no_room_for(path) ? -1 : REAL(mkdir)(path, mode);
}

int rename(const char *from, const char *to) {
  step(to);
  return REAL(rename)(from, to);
}

int unlink(const char *path) {
  step(path);
  return REAL(unlink)(path);
}

static int opens(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
  if (flags & O_CREAT) step(path);
  return (flags & O_EXCL) && no_room_for(path) ? -1 : real(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
  va_end(list);
  return opens(REAL(open), path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
  va_end(list);
  return opens(REAL(open64), path, flags, mode);
}
