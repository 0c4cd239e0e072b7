// The camera's log, each line with its time, and the clock.
#ifndef LOG_H
#define LOG_H

// Seconds on a clock that only goes forward.
double now(void);

// Ends the program with the reason in errno.
void fail(const char *what) __attribute__((noreturn));

void open_log(const char *path);
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
