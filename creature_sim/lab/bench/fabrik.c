/* Plain FABRIK in C, the yardstick of the benchmarks: textbook passes, scalar and in lanes.
 *
 * Build: cc -O3 -shared -fPIC -o fabrik.so fabrik.c -lm (no -ffast-math). */
#include <math.h>
#include <string.h>

static double distance(const double *a, const double *b) {
  double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return sqrt(x * x + y * y + z * z);
}

static void place(double *moved, const double *fixed, double length) {
  double x = moved[0] - fixed[0], y = moved[1] - fixed[1], z = moved[2] - fixed[2];
  double k = length / sqrt(x * x + y * y + z * z);
  moved[0] = fixed[0] + x * k;
  moved[1] = fixed[1] + y * k;
  moved[2] = fixed[2] + z * k;
}

static int solve(double *p, const double *lengths, int bones, const double *target,
                 double tolerance, int most) {
  double reach = 0.0;
  for (int i = 0; i < bones; i++) reach += lengths[i];
  double d = distance(target, p);
  if (d >= reach) {
    for (int i = 0; i < bones; i++)
      for (int a = 0; a < 3; a++)
        p[3 * i + 3 + a] = p[3 * i + a] + (target[a] - p[a]) / d * lengths[i];
    return 0;
  }
  int passes = 0;
  while (passes < most && distance(p + 3 * bones, target) > tolerance) {
    memcpy(p + 3 * bones, target, 3 * sizeof(double));
    for (int i = bones - 1; i > 0; i--) place(p + 3 * i, p + 3 * (i + 1), lengths[i]);
    for (int i = 0; i < bones; i++) place(p + 3 * (i + 1), p + 3 * i, lengths[i]);
    passes++;
  }
  return passes;
}

/* Follow T targets, each solve starting from the last pose; poses is (T, bones + 1, 3). */
long solve_path(double *joints, const double *lengths, int bones, const double *targets, int count,
                double tolerance, int most, double *poses, int *iterations) {
  long total = 0;
  for (int t = 0; t < count; t++) {
    iterations[t] = solve(joints, lengths, bones, targets + 3 * t, tolerance, most);
    total += iterations[t];
    memcpy(poses + (size_t)t * 3 * (bones + 1), joints, sizeof(double) * 3 * (bones + 1));
  }
  return total;
}

/* Cold three-bone legs with a pole point, structure of arrays, LANES at a time.
 * joints is (B, 4, 3), moved in place; lengths (3); targets and poles (B, 3). */
#ifndef LANES
#define LANES 16
#endif
typedef struct { double v[3][LANES]; } Lanes;

static void place_lanes(Lanes *moved, const Lanes *fixed, double length, const double *active) {
  for (int l = 0; l < LANES; l++) {
    double x = moved->v[0][l] - fixed->v[0][l];
    double y = moved->v[1][l] - fixed->v[1][l];
    double z = moved->v[2][l] - fixed->v[2][l];
    double k = length / sqrt(x * x + y * y + z * z);
    double nx = fixed->v[0][l] + x * k, ny = fixed->v[1][l] + y * k, nz = fixed->v[2][l] + z * k;
    moved->v[0][l] = active[l] > 0.0 ? nx : moved->v[0][l];
    moved->v[1][l] = active[l] > 0.0 ? ny : moved->v[1][l];
    moved->v[2][l] = active[l] > 0.0 ? nz : moved->v[2][l];
  }
}

/* One sweep of the usual pole step: turn a joint about its neighbours' line towards the pole. */
static void turn_lanes(const Lanes *before, Lanes *joint, const Lanes *after, const Lanes *pole) {
  for (int l = 0; l < LANES; l++) {
    double ax = after->v[0][l] - before->v[0][l], ay = after->v[1][l] - before->v[1][l],
           az = after->v[2][l] - before->v[2][l];
    double aa = ax * ax + ay * ay + az * az;
    double jx = joint->v[0][l] - before->v[0][l], jy = joint->v[1][l] - before->v[1][l],
           jz = joint->v[2][l] - before->v[2][l];
    double px = pole->v[0][l] - before->v[0][l], py = pole->v[1][l] - before->v[1][l],
           pz = pole->v[2][l] - before->v[2][l];
    double tj = (jx * ax + jy * ay + jz * az) / aa, tp = (px * ax + py * ay + pz * az) / aa;
    jx -= tj * ax; jy -= tj * ay; jz -= tj * az;
    px -= tp * ax; py -= tp * ay; pz -= tp * az;
    double k = sqrt((jx * jx + jy * jy + jz * jz) / (px * px + py * py + pz * pz));
    joint->v[0][l] = before->v[0][l] + tj * ax + px * k;
    joint->v[1][l] = before->v[1][l] + tj * ay + py * k;
    joint->v[2][l] = before->v[2][l] + tj * az + pz * k;
  }
}

void solve_legs(double *joints, const double *lengths, const double *targets, const double *poles,
                int count, double tolerance, int most) {
  for (int first = 0; first + LANES <= count; first += LANES) {
    Lanes p[4], target, pole;
    double active[LANES];
    for (int l = 0; l < LANES; l++)
      for (int a = 0; a < 3; a++) {
        for (int j = 0; j < 4; j++) p[j].v[a][l] = joints[(first + l) * 12 + 3 * j + a];
        target.v[a][l] = targets[(first + l) * 3 + a];
        pole.v[a][l] = poles[(first + l) * 3 + a];
      }
    for (int pass = 0; pass < most; pass++) {
      double any = 0.0;
      for (int l = 0; l < LANES; l++) {
        double x = p[3].v[0][l] - target.v[0][l], y = p[3].v[1][l] - target.v[1][l],
               z = p[3].v[2][l] - target.v[2][l];
        active[l] = x * x + y * y + z * z > tolerance * tolerance ? 1.0 : 0.0;
        any += active[l];
      }
      if (any == 0.0) break;
      for (int a = 0; a < 3; a++)
        for (int l = 0; l < LANES; l++)
          p[3].v[a][l] = active[l] > 0.0 ? target.v[a][l] : p[3].v[a][l];
      place_lanes(&p[2], &p[3], lengths[2], active);
      place_lanes(&p[1], &p[2], lengths[1], active);
      for (int i = 0; i < 3; i++) place_lanes(&p[i + 1], &p[i], lengths[i], active);
    }
    turn_lanes(&p[0], &p[1], &p[2], &pole);
    turn_lanes(&p[1], &p[2], &p[3], &pole);
    for (int l = 0; l < LANES; l++)
      for (int a = 0; a < 3; a++)
        for (int j = 0; j < 4; j++) joints[(first + l) * 12 + 3 * j + a] = p[j].v[a][l];
  }
}

/* Many chains of the same bones, one after the other: joints is (count, bones + 1, 3), moved in
 * place; lengths (count, bones); targets (count, 3). */
void solve_all(double *joints, const double *lengths, int bones, const double *targets, int count,
               double tolerance, int most) {
  for (int i = 0; i < count; i++)
    solve(joints + (size_t)i * 3 * (bones + 1), lengths + (size_t)i * bones, bones,
          targets + 3 * i, tolerance, most);
}
