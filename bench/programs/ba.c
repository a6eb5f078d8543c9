// ba: bundle adjustment with ADBench's camera model (rotation vector, centre, focal length, principal point, two radial
// distortions): weighted squared reprojection errors, with respect to cameras, points and weights.
#include "../harness.h"

enum { ROTATION = 0, CENTRE = 3, FOCAL = 6, PRINCIPAL = 7, RADIAL = 9, CAMERA = 11 };
static double *cameras, *dcameras, *points, *dpoints, *weights, *dweights, *features;
static int count, *seen;

static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void rotate(const double *rotation, const double *x, double *out) {
  double square = dot(rotation, rotation), product[3];
  if (square == 0) {
    cross(rotation, x, product);
    for (int i = 0; i < 3; i++) out[i] = x[i] + product[i];
    return;
  }
  double theta = sqrt(square), c = cos(theta), s = sin(theta), axis[3];
  for (int i = 0; i < 3; i++) axis[i] = rotation[i] / theta;
  cross(axis, x, product);
  double along = dot(axis, x) * (1 - c);
  for (int i = 0; i < 3; i++) out[i] = x[i] * c + product[i] * s + axis[i] * along;
}

static double ba(const double *cameras, const double *points, const double *weights, const double *features,
                 const int *seen, int count) {
  double loss = 0;
  for (int i = 0; i < count; i++) {
    const double *camera = cameras + CAMERA * seen[2 * i], *point = points + 3 * seen[2 * i + 1];
    double from[3], at[3];
    for (int j = 0; j < 3; j++) from[j] = point[j] - camera[CENTRE + j];
    rotate(camera + ROTATION, from, at);
    double x = at[0] / at[2], y = at[1] / at[2], r2 = x * x + y * y;
    double stretch = camera[FOCAL] * (1 + camera[RADIAL] * r2 + camera[RADIAL + 1] * r2 * r2);
    double ex = weights[i] * (x * stretch + camera[PRINCIPAL] - features[2 * i]);
    double ey = weights[i] * (y * stretch + camera[PRINCIPAL + 1] - features[2 * i + 1]);
    loss += ex * ex + ey * ey;
  }
  return loss;
}

// What both ways of a rotation need.
struct turn {
  double theta, c, s, axis[3], product[3], projection;
};

static void turn(const double *rotation, const double *x, struct turn *t, double *out) {
  double square = dot(rotation, rotation);
  t->theta = sqrt(square);
  if (square == 0) {
    cross(rotation, x, t->product);
    for (int i = 0; i < 3; i++) out[i] = x[i] + t->product[i];
    return;
  }
  double inverse = 1 / t->theta;
  t->c = cos(t->theta);
  t->s = sin(t->theta);
  for (int i = 0; i < 3; i++) t->axis[i] = rotation[i] * inverse;
  cross(t->axis, x, t->product);
  t->projection = dot(t->axis, x);
  for (int i = 0; i < 3; i++)
    out[i] = x[i] * t->c + t->product[i] * t->s + t->axis[i] * t->projection * (1 - t->c);
}

// dr += and dx = from dout.
static void turn_back(const double *rotation, const double *x, const struct turn *t, const double *dout, double *dr,
                      double *dx) {
  double product[3], daxis[3];
  if (t->theta == 0) {
    cross(x, dout, product);
    for (int i = 0; i < 3; i++) dr[i] += product[i];
    cross(dout, rotation, product);
    for (int i = 0; i < 3; i++) dx[i] = dout[i] + product[i];
    return;
  }
  double inverse = 1 / t->theta, along = dot(t->axis, dout), dprojection = along * (1 - t->c);
  double dtheta = dot(t->product, dout) * t->c - (dot(x, dout) - along * t->projection) * t->s;
  cross(x, dout, daxis);
  cross(dout, t->axis, product);
  for (int i = 0; i < 3; i++) {
    daxis[i] = t->s * daxis[i] + t->projection * (1 - t->c) * dout[i] + dprojection * x[i];
    dx[i] = t->c * dout[i] + t->s * product[i] + dprojection * t->axis[i];
  }
  double radial = dot(t->axis, daxis);
  for (int i = 0; i < 3; i++) dr[i] += (daxis[i] - radial * t->axis[i]) * inverse + dtheta * t->axis[i];
}

static void observation(const double *camera, double *dcamera, const double *point, double *dpoint, double weight,
                        double *dweight, const double *feature) {
  double from[3], at[3], dat[3], dfrom[3];
  struct turn t;
  for (int j = 0; j < 3; j++) from[j] = point[j] - camera[CENTRE + j];
  turn(camera + ROTATION, from, &t, at);
  double inverse = 1 / at[2], x = at[0] * inverse, y = at[1] * inverse, r2 = x * x + y * y;
  double distortion = 1 + camera[RADIAL] * r2 + camera[RADIAL + 1] * r2 * r2, stretch = camera[FOCAL] * distortion;
  double ex = x * stretch + camera[PRINCIPAL] - feature[0], ey = y * stretch + camera[PRINCIPAL + 1] - feature[1];
  *dweight += 2 * weight * (ex * ex + ey * ey);
  double dex = 2 * weight * weight * ex, dey = 2 * weight * weight * ey, dstretch = dex * x + dey * y;
  dcamera[PRINCIPAL] += dex;
  dcamera[PRINCIPAL + 1] += dey;
  dcamera[FOCAL] += dstretch * distortion;
  double ddistortion = dstretch * camera[FOCAL];
  dcamera[RADIAL] += ddistortion * r2;
  dcamera[RADIAL + 1] += ddistortion * r2 * r2;
  double dr2 = ddistortion * (camera[RADIAL] + 2 * camera[RADIAL + 1] * r2);
  double dx = dex * stretch + 2 * dr2 * x, dy = dey * stretch + 2 * dr2 * y;
  dat[0] = dx * inverse;
  dat[1] = dy * inverse;
  dat[2] = -(dx * x + dy * y) * inverse;
  turn_back(camera + ROTATION, from, &t, dat, dcamera + ROTATION, dfrom);
  for (int j = 0; j < 3; j++) {
    dpoint[j] += dfrom[j];
    dcamera[CENTRE + j] -= dfrom[j];
  }
}

static void by_hand(const double *cameras, double *dcameras, const double *points, double *dpoints,
                    const double *weights, double *dweights, const double *features, const int *seen, int count) {
  for (int i = 0; i < count; i++) {
    int camera = CAMERA * seen[2 * i], point = 3 * seen[2 * i + 1];
    observation(cameras + camera, dcameras + camera, points + point, dpoints + point, weights[i], dweights + i,
                features + 2 * i);
  }
}

void set_up(void) {
  int all_cameras = size(50, 3), all_points = size(10000, 20);
  count = size(200000, 60);
  ACTIVE(cameras, CAMERA * all_cameras, 0.1, 0.3);
  ACTIVE(points, 3 * all_points, 1, 2);
  ACTIVE(weights, count, 0.5, 1);
  DATA(features, 2 * count, -1, 1);
  seen = malloc(2 * count * sizeof *seen);
  for (int i = 0; i < count; i++) {
    seen[2 * i] = below(all_cameras);
    seen[2 * i + 1] = below(all_points);
  }
  for (int j = 0; j < 3; j++) cameras[j] = 0; // one that is not turned
}

PROGRAM(value = ba(cameras, points, weights, features, seen, count),
        __enzyme_autodiff((void *)ba, enzyme_dup, cameras, dcameras, enzyme_dup, points, dpoints, enzyme_dup, weights,
                          dweights, enzyme_const, features, enzyme_const, seen, count),
        by_hand(cameras, dcameras, points, dpoints, weights, dweights, features, seen, count))
