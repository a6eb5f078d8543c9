/* What a function that stands for one of the library's is called. */
#ifndef PARDIFF_BODIES_H
#define PARDIFF_BODIES_H

#define BODY_NAME(NAME) __pardiff_body_##NAME
#define BODY(NAME) BODY_NAME(NAME)

/* The same for a function of the OpenMP runtime, in a team of one thread. */
#define ALONE(NAME) __pardiff_alone_##NAME

#endif
