// docking (float): energies of poses of a small molecule near a large one, in the shape of miniBUDE (Poenaru, Lin,
// McIntosh-Smith): rotation and translation, then steric, electrostatic and hydrophobic terms of each pair of atoms.
// With respect to the poses.
#include "../harness.h"
#include "../lanes.h"

enum { POSE = 6, ATOM = 6, X = 0, RADIUS = 3, CHARGE = 4, HYDROPHOBIC = 5 };
static float *poses, *dposes, *protein, *ligand, *energies, *denergies;
static int count, protein_atoms, ligand_atoms;
static const float HARDNESS = 38, ELECTRIC = 45, REACH = 4, SOLVENT = 3;

static void docking(const float *restrict poses, const float *restrict protein, const float *restrict ligand,
                    float *restrict energies, int count, int protein_atoms, int ligand_atoms) {
  for (int p = 0; p < count; p++) {
    const float *pose = poses + POSE * p;
    float sx = sinf(pose[0]), cx = cosf(pose[0]), sy = sinf(pose[1]), cy = cosf(pose[1]);
    float sz = sinf(pose[2]), cz = cosf(pose[2]);
    float energy = 0;
    for (int l = 0; l < ligand_atoms; l++) {
      const float *a = ligand + ATOM * l;
      float x = pose[3] + cy * cz * a[0] + (sx * sy * cz - cx * sz) * a[1] + (cx * sy * cz + sx * sz) * a[2];
      float y = pose[4] + cy * sz * a[0] + (sx * sy * sz + cx * cz) * a[1] + (cx * sy * sz - sx * cz) * a[2];
      float z = pose[5] - sy * a[0] + sx * cy * a[1] + cx * cy * a[2];
      for (int q = 0; q < protein_atoms; q++) {
        const float *b = protein + ATOM * q;
        float dx = x - b[0], dy = y - b[1], dz = z - b[2];
        float distance = sqrtf(dx * dx + dy * dy + dz * dz), radii = a[RADIUS] + b[RADIUS];
        float gap = distance - radii;
        if (gap < 0) energy += 2 * HARDNESS * (1 - distance / radii);
        if (gap < REACH) energy += ELECTRIC * a[CHARGE] * b[CHARGE] * (gap < 0 ? 1 : 1 - gap / REACH);
        if (gap < SOLVENT) energy += a[HYDROPHOBIC] * b[HYDROPHOBIC] * (gap < 0 ? 1 : 1 - gap / SOLVENT);
      }
    }
    energies[p] = 0.5f * energy;
  }
}

// Poses in lanes: the rotation's entries and the translation, row by row.
struct placement {
  float_lanes sx, cx, sy, cy, sz, cz, matrix[3][4];
};

static void place(const float *poses, int first, int count, struct placement *at) {
  float_lanes in[POSE];
  for (int l = 0; l < FLOAT_LANES; l++) {
    const float *pose = poses + POSE * (first + l < count ? first + l : count - 1);
    at->sx[l] = sinf(pose[0]), at->cx[l] = cosf(pose[0]);
    at->sy[l] = sinf(pose[1]), at->cy[l] = cosf(pose[1]);
    at->sz[l] = sinf(pose[2]), at->cz[l] = cosf(pose[2]);
    for (int i = 0; i < POSE; i++) in[i][l] = pose[i];
  }
  float_lanes sx = at->sx, cx = at->cx, sy = at->sy, cy = at->cy, sz = at->sz, cz = at->cz;
  float_lanes matrix[3][4] = {{cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz, in[3]},
                              {cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz, in[4]},
                              {-sy, sx * cy, cx * cy, in[5]}};
  memcpy(at->matrix, matrix, sizeof matrix);
}

// The force on one atom of the small molecule: the energy is linear in the distance wherever it is not constant.
static void force(const float_lanes at[3], const float *a, const float *restrict protein, int protein_atoms,
                  float_lanes out[3]) {
  float_lanes fx = {0}, fy = {0}, fz = {0}, zero = {0};
  for (int q = 0; q < protein_atoms; q++) {
    const float *b = protein + ATOM * q;
    float_lanes dx = at[0] - b[0], dy = at[1] - b[1], dz = at[2] - b[2];
    float_lanes distance = __builtin_elementwise_sqrt(dx * dx + dy * dy + dz * dz);
    float radii = a[RADIUS] + b[RADIUS];
    float_lanes gap = distance - radii;
    float_lanes electric = zero - ELECTRIC * a[CHARGE] * b[CHARGE] / REACH;
    float_lanes hydrophobic = zero - a[HYDROPHOBIC] * b[HYDROPHOBIC] / SOLVENT;
    float_lanes apart = float_choose(gap < REACH, electric, zero) + float_choose(gap < SOLVENT, hydrophobic, zero);
    float_lanes slope = float_choose(gap < zero, zero - 2 * HARDNESS / radii, apart) / distance;
    fx += slope * dx;
    fy += slope * dy;
    fz += slope * dz;
  }
  out[0] = fx;
  out[1] = fy;
  out[2] = fz;
}

static void place_back(const struct placement *at, float_lanes d[3][4], float_lanes dpose[POSE]) {
  float_lanes sx = at->sx, cx = at->cx, sy = at->sy, cy = at->cy, sz = at->sz, cz = at->cz;
  dpose[0] = d[0][1] * (cx * sy * cz + sx * sz) + d[0][2] * (cx * sz - sx * sy * cz) +
             d[1][1] * (cx * sy * sz - sx * cz) - d[1][2] * (sx * sy * sz + cx * cz) + d[2][1] * cx * cy -
             d[2][2] * sx * cy;
  dpose[1] = cz * (d[0][1] * sx * cy + d[0][2] * cx * cy - d[0][0] * sy) +
             sz * (d[1][1] * sx * cy + d[1][2] * cx * cy - d[1][0] * sy) - d[2][0] * cy -
             sy * (d[2][1] * sx + d[2][2] * cx);
  dpose[2] = d[1][0] * cy * cz - d[0][0] * cy * sz - d[0][1] * (sx * sy * sz + cx * cz) +
             d[0][2] * (sx * cz - cx * sy * sz) + d[1][1] * (sx * sy * cz - cx * sz) +
             d[1][2] * (cx * sy * cz + sx * sz);
  for (int i = 0; i < 3; i++) dpose[3 + i] = d[i][3];
}

static void by_hand(const float *poses, float *dposes, const float *protein, const float *ligand,
                    const float *denergies, int count, int protein_atoms, int ligand_atoms) {
  FREE_SUMS
  for (int first = 0; first < count; first += FLOAT_LANES) {
    struct placement at;
    float_lanes d[3][4] = {0}, dpose[POSE];
    place(poses, first, count, &at);
    for (int l = 0; l < ligand_atoms; l++) {
      const float *a = ligand + ATOM * l;
      float_lanes position[3], f[3];
      for (int i = 0; i < 3; i++)
        position[i] = at.matrix[i][0] * a[0] + at.matrix[i][1] * a[1] + at.matrix[i][2] * a[2] + at.matrix[i][3];
      force(position, a, protein, protein_atoms, f);
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) d[i][j] += f[i] * a[j];
        d[i][3] += f[i];
      }
    }
    place_back(&at, d, dpose);
    for (int l = 0; l < FLOAT_LANES && first + l < count; l++)
      for (int i = 0; i < POSE; i++) dposes[POSE * (first + l) + i] += 0.5f * denergies[first + l] * dpose[i][l];
  }
}

void set_up(void) {
  count = size(512, 21);
  protein_atoms = size(400, 30);
  ligand_atoms = size(26, 5);
  ACTIVE(poses, POSE * count, -3, 3);
  RESULT(energies, count);
  DATA(protein, ATOM * protein_atoms, -8, 8);
  DATA(ligand, ATOM * ligand_atoms, -2, 2);
  for (int q = 0; q < protein_atoms; q++) protein[ATOM * q + RADIUS] = 1.5f + 0.05f * protein[ATOM * q + RADIUS];
  for (int l = 0; l < ligand_atoms; l++) ligand[ATOM * l + RADIUS] = 1.5f + 0.2f * ligand[ATOM * l + RADIUS];
}

PROGRAM(docking(poses, protein, ligand, energies, count, protein_atoms, ligand_atoms),
        __enzyme_autodiff((void *)docking, enzyme_dup, poses, dposes, enzyme_const, protein, enzyme_const, ligand,
                          enzyme_dupnoneed, energies, denergies, count, protein_atoms, ligand_atoms),
        by_hand(poses, dposes, protein, ligand, denergies, count, protein_atoms, ligand_atoms))
