/* Functions that end the program with a message. */

#ifndef PARDIFF_FAIL_H
#define PARDIFF_FAIL_H

/* The stack is realigned, since the message is to come out whatever state the caller is in: fprintf keeps vectors on
 * the stack. */
#if defined(__x86_64__) || defined(__i386__)
#define FAILS __attribute__((noreturn, cold, noinline, force_align_arg_pointer))
#else
#define FAILS __attribute__((noreturn, cold, noinline))
#endif

#endif
