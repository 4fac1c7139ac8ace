/*
 * Preloaded into a process (LD_PRELOAD), this makes syncing fail, space run out, or the process die or stop at some files.
 * The test selects the fault in shared memory: the file that FAULTY_DISK names, laid out as `struct faults`, which
 * faulty-disk.ts writes. It can also record all changes below a folder, which disk-trace.ts reads.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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
  char recorded[256]; /* the folder whose changes are recorded; empty for none */
};

static struct faults *faults;

/* Of the record of changes: appended to the file that FAULTY_DISK names, with `.trace` behind. */
static int trace = -1;

__attribute__((constructor)) static void attach(void) {
  const char *path = getenv("FAULTY_DISK");
  int fd = path ? open(path, O_RDWR) : -1;
  if (fd < 0) return;
  void *at = mmap(NULL, sizeof(struct faults), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at != MAP_FAILED) faults = at;
  close(fd);
  char name[PATH_MAX];
  snprintf(name, sizeof name, "%s.trace", path);
  trace = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int matches(const char *path, const char *pattern) {
  size_t length = strlen(pattern), all = strlen(path);
  if (length == 0) return 0;
  if (pattern[length - 1] != '$') return strstr(path, pattern) != NULL;
  return all >= length - 1 && strncmp(path + all - (length - 1), pattern, length - 1) == 0;
}

/* The present path of an open file, of at most PATH_MAX bytes; empty if it is unknown. */
static const char *path_of(int fd, char *path) {
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(name, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = 0;
  return path;
}

static int is_of(int fd, const char *pattern) {
  char path[PATH_MAX];
  return matches(path_of(fd, path), pattern);
}

/* The order of the record is that of the changes, so each is made and recorded under this lock. */
static pthread_mutex_t recording = PTHREAD_MUTEX_INITIALIZER;

/* Takes the lock if changes of this path are recorded. */
static int begin_record(const char *path) {
  size_t length = faults && trace >= 0 ? strlen(faults->recorded) : 0;
  if (length == 0 || strncmp(path, faults->recorded, length) != 0) return 0;
  pthread_mutex_lock(&recording);
  return 1;
}

struct record {
  int32_t kind;
  int32_t path, other; /* lengths of the paths that follow */
  int32_t bytes;       /* how many follow them */
  int64_t at;          /* of a write its place, of a truncation the new size */
};

/* Records a change, and releases the lock. `other` and `bytes` may be empty. */
static void end_record(int kind, const char *path, const char *other, int64_t at, const void *bytes, size_t count) {
  int error = errno;
  struct record head = {kind, strlen(path), strlen(other), count, at};
  struct iovec parts[] = {
      {&head, sizeof head}, {(void *)path, head.path}, {(void *)other, head.other}, {(void *)bytes, count}};
  ssize_t all = sizeof head + head.path + head.other + count;
  if (syscall(SYS_writev, trace, parts, 4) != all) abort();
  pthread_mutex_unlock(&recording);
  errno = error;
}

static void abandon_record(void) {
  int error = errno;
  pthread_mutex_unlock(&recording);
  errno = error;
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

static int sync_of(int (*real)(int), int fd) {
  char path[PATH_MAX];
  if (sync_fails(fd)) return -1;
  if (!begin_record(path_of(fd, path))) return real(fd);
  int result = real(fd);
  if (result == 0) end_record('S', path, "", 0, NULL, 0);
  else abandon_record();
  return result;
}

int fsync(int fd) { return sync_of(REAL(fsync), fd); }
int fdatasync(int fd) { return sync_of(REAL(fdatasync), fd); }

/* @param at -1 for the present position */
static ssize_t write_at(int fd, const void *bytes, size_t count, off_t at) {
  char path[PATH_MAX];
  ssize_t some = take(fd, count);
  if (some < 0) return -1;
  int is_recorded = begin_record(path_of(fd, path));
  ssize_t written = at < 0 ? REAL(write)(fd, bytes, some) : REAL(pwrite)(fd, bytes, some, at);
  if (!is_recorded) return written;
  if (written > 0) end_record('W', path, "", at < 0 ? lseek(fd, 0, SEEK_CUR) - written : at, bytes, written);
  else abandon_record();
  return written;
}

ssize_t write(int fd, const void *bytes, size_t count) { return write_at(fd, bytes, count, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return write_at(fd, bytes, count, at); }
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) { return write_at(fd, bytes, count, at); }

/* Of files that are recorded, the parts are written as one. */
ssize_t writev(int fd, const struct iovec *parts, int count) {
  char path[PATH_MAX];
  size_t length = faults ? strlen(faults->recorded) : 0, all = 0;
  if (length == 0 || strncmp(path_of(fd, path), faults->recorded, length) != 0) return REAL(writev)(fd, parts, count);
  for (int part = 0; part < count; part++) all += parts[part].iov_len;
  char *bytes = malloc(all + 1);
  if (!bytes) abort();
  all = 0;
  for (int part = 0; part < count; part++) {
    memcpy(bytes + all, parts[part].iov_base, parts[part].iov_len);
    all += parts[part].iov_len;
  }
  ssize_t written = write_at(fd, bytes, all, -1);
  free(bytes);
  return written;
}

int ftruncate(int fd, off_t size) {
  char path[PATH_MAX];
  if (!begin_record(path_of(fd, path))) return REAL(ftruncate)(fd, size);
  int result = REAL(ftruncate)(fd, size);
  if (result == 0) end_record('T', path, "", size, NULL, 0);
  else abandon_record();
  return result;
}

int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }

int mkdir(const char *path, mode_t mode) {
  step(path);
  if (no_room_for(path)) return -1;
  if (!begin_record(path)) return REAL(mkdir)(path, mode);
  int result = REAL(mkdir)(path, mode);
  if (result == 0) end_record('M', path, "", 0, NULL, 0);
  else abandon_record();
  return result;
}

int rename(const char *from, const char *to) {
  step(to);
  if (!begin_record(to)) return REAL(rename)(from, to);
  int result = REAL(rename)(from, to);
  if (result == 0) end_record('R', from, to, 0, NULL, 0);
  else abandon_record();
  return result;
}

int link(const char *from, const char *to) {
  if (!begin_record(to)) return REAL(link)(from, to);
  int result = REAL(link)(from, to);
  if (result == 0) end_record('L', from, to, 0, NULL, 0);
  else abandon_record();
  return result;
}

static int remove_path(int (*real)(const char *), const char *path) {
  if (!begin_record(path)) return real(path);
  int result = real(path);
  if (result == 0) end_record('U', path, "", 0, NULL, 0);
  else abandon_record();
  return result;
}

int unlink(const char *path) {
  step(path);
  return remove_path(REAL(unlink), path);
}

int rmdir(const char *path) { return remove_path(REAL(rmdir), path); }

static int opens(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
  if (flags & O_CREAT) step(path);
  if ((flags & O_EXCL) && no_room_for(path)) return -1;
  if (!(flags & (O_CREAT | O_TRUNC)) || !begin_record(path)) return real(path, flags, mode);
  int is_new = access(path, F_OK) != 0;
  int fd = real(path, flags, mode);
  if (fd < 0) abandon_record();
  else if (is_new) end_record('C', path, "", 0, NULL, 0);
  else if (flags & O_TRUNC) end_record('T', path, "", 0, NULL, 0);
  else abandon_record();
  return fd;
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
