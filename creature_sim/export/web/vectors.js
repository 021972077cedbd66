// Vectors, quaternions, and matrices, which are column-major as WebGL takes them.

const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const size = Math.hypot(...a) || 1; return Array.from(a, (x) => x / size); };
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
const colourOf = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16) / 255);
const colours = header.colours.map(colourOf);

function rotated(turn, at, x, y, z) {
  const qx = turn[at], qy = turn[at + 1], qz = turn[at + 2], qw = turn[at + 3];
  const tx = 2 * (qy * z - qz * y), ty = 2 * (qz * x - qx * z), tz = 2 * (qx * y - qy * x);
  return [
    x + qw * tx + qy * tz - qz * ty,
    y + qw * ty + qz * tx - qx * tz,
    z + qw * tz + qx * ty - qy * tx,
  ];
}

// The rotation b, then the rotation a.
function after([ax, ay, az, aw], [bx, by, bz, bw]) {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

// The shortest rotation from Z to a direction.
function upright(normals, at) {
  const [x, y, z] = unit([normals[at], normals[at + 1], normals[at + 2]]);
  if (z < -0.9999) return [1, 0, 0, 0];
  const q = [-y, x, 0, 1 + z];
  const size = Math.hypot(...q);
  return q.map((part) => part / size);
}

// Matrices are column-major, as WebGL takes them.
function product(a, b) {
  const found = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k];
      found[4 * column + row] = sum;
    }
  }
  return found;
}

function lookAt(eye, target) {
  const back = unit(sub(eye, target));
  const right = unit([-back[1], back[0], 0]);
  const up = cross(back, right);
  return [
    right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
  ];
}

function perspective(aspect, scale) {
  const f = 1 / Math.tan(halfAngle(aspect));
  const near = 0.05 * scale, far = 200 * Math.max(1, scale);
  return [
    f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1,
    0, 0, (2 * far * near) / (near - far), 0,
  ];
}

function orthographic(radius, depth) {
  return [1 / radius, 0, 0, 0, 0, 1 / radius, 0, 0, 0, 0, -1 / depth, 0, 0, 0, 0, 1];
}

const FIELD_OF_VIEW = Math.PI / 4;
const SUN = header.sun;
const HALF = [0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0.5, 0.5, 0.5, 1]; // [-1, 1] to [0, 1]

// Half the vertical field of view of a picture `aspect` times as wide as high [rad].
const halfAngle = (aspect) => Math.atan(Math.tan(0.5 * FIELD_OF_VIEW) * Math.max(1, 1 / aspect));

// From the eye to the middle of the picture, and from there to its right and its upper edge.
function corners(eye, target, aspect) {
  const ahead = unit(sub(target, eye)), right = unit([ahead[1], -ahead[0], 0]);
  const up = cross(right, ahead), size = Math.tan(halfAngle(aspect));
  return { ahead, across: right.map((x) => x * size * aspect), above: up.map((x) => x * size) };
}
