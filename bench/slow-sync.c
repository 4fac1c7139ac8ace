/* When preloaded into a server, makes every sync take one millisecond longer, to simulate a slower disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static void wait_1ms(void) {
  struct timespec time = {0, 1000000};
  nanosleep(&time, 0);
}

int fsync(int fd) {
  wait_1ms();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}

int fdatasync(int fd) {
  wait_1ms();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd);
}
