// RUN: %numeric %s
// Virtual calls through base pointers, with objects made here, several bases, destructors, and std::function.
#include "check.h"
#include <functional>

namespace {

struct Shape {
  virtual double area(const double *p) const = 0;
  virtual double edge(const double *p) const { return p[0] + p[1]; }
  virtual ~Shape() {}
};
struct Ring : Shape {
  double area(const double *p) const override { return 3 * (p[0] * p[0] - p[1] * p[1]); }
  double edge(const double *p) const override { return 6 * p[0]; }
};
struct Box : Shape {
  double area(const double *p) const override { return p[0] * p[1] * p[1]; }
};
struct Scaled : Box {
  double by;
  explicit Scaled(double by) : by(by) {}
  double area(const double *p) const override { return by * Box::area(p); }
};

double through_base(double *x, int n) {
  Ring ring;
  Box box;
  const Shape *shapes[2] = {&ring, &box};
  double s = 0;
  for (int i = 0; i + 1 < n; i++) s += shapes[i & 1]->area(x + i) * shapes[(i >> 1) & 1]->edge(x + i);
  return s;
}
CHECK_SCALAR_N(through_base, DIFFERENCES, RANGE(6))

double applied(const Shape &shape, const double *p) { return shape.area(p) + shape.edge(p); }
double by_reference(double *x) { return applied(Ring(), x) * applied(Box(), x + 1) + applied(Scaled(3), x); }
CHECK_SCALAR(by_reference, DIFFERENCES, RANGE(3))

Ring shared_ring;
Scaled shared_scaled(0.5);
const Shape *const known[] = {&shared_ring, &shared_scaled};
double static_objects(double *x, int n) {
  double s = 1;
  for (int i = 0; i + 1 < n; i++) s *= 1 + 0.1 * known[i & 1]->area(x + i);
  return s;
}
CHECK_SCALAR_N(static_objects, DIFFERENCES, RANGE(5))

struct Named {
  virtual int rank() const { return 2; }
  virtual ~Named() {}
};
struct Both : Named, Shape {
  int rank() const override { return 3; }
  double area(const double *p) const override { return p[0] * rank(); }
};
double second_base(double *x) {
  Both both;
  const Shape &shape = both;
  const Named &named = both;
  return shape.area(x) * named.rank() + shape.edge(x) * x[0];
}
void second_base_want(const double *x, const double *w, double *g) {
  g[0] = w[0] * (9 + 2 * x[0] + x[1]);
  g[1] = w[0] * x[0];
}
CHECK_SCALAR(second_base, second_base_want, RANGE(2))

__attribute__((noinline)) double iterate(const std::function<double(double)> &h, double v, int n) {
  for (int i = 0; i < n; i++) v = h(v);
  return v;
}
double std_function(double *x) {
  double k = x[1];
  std::function<double(double)> h = [k](double t) { return t * t * k + 0.5; };
  return iterate(h, x[0], 3);
}
CHECK_SCALAR(std_function, DIFFERENCES, POINT(0.7, 0.4))

struct Poly {
  double one(double t) const { return t * t; }
  double two(double t) const { return t * t * t; }
};
double member_pointers(double *x, int n) {
  double (Poly::*const members[2])(double) const = {&Poly::one, &Poly::two};
  Poly poly;
  double s = 0;
  for (int i = 0; i < n; i++) s += (poly.*members[i & 1])(x[i]);
  return s;
}
CHECK_SCALAR_N(member_pointers, DIFFERENCES, RANGE(4))

} // namespace
