// Triangles: what everything is drawn from.

// A ball as rings around X; its first half has `end` 0, its second 1, so that it can be drawn out
// into a capsule. Vertices: direction, end.
function capsule(segments, rings) {
  const vertices = [], indices = [];
  for (let ring = 0; ring < 2 * rings; ring++) {
    const end = ring < rings ? 0 : 1;
    const angle = Math.PI * (1 - (ring - end) / (2 * rings - 2));
    for (let k = 0; k < segments; k++) {
      const turn = (2 * Math.PI * k) / segments, across = Math.sin(angle);
      vertices.push(Math.cos(angle), across * Math.cos(turn), across * Math.sin(turn), end);
      if (ring + 1 < 2 * rings) {
        const a = ring * segments + k, b = ring * segments + ((k + 1) % segments);
        indices.push(a, a + segments, b, b, a + segments, b + segments);
      }
    }
  }
  return [vertices, indices];
}

// A body that fills -1 to 1 along each axis, as the window draws it. Vertices: point, normal.
function hull(cells) {
  const [power, nose, back] = header.hull, vertices = [], indices = [];
  const tick = (i) => Math.tan((Math.PI * (i / cells - 0.5)) / 2);
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [1, -1]) {
      const first = vertices.length / 6;
      for (let i = 0; i <= cells; i++) {
        for (let j = 0; j <= cells; j++) {
          const point = [0, 0, 0];
          point[axis] = sign;
          point[(axis + 1) % 3] = sign * tick(i);
          point[(axis + 2) % 3] = tick(j);
          const sum = point.reduce((total, x) => total + Math.abs(x) ** power, 0);
          const [x, y, z] = point.map((part) => part / sum ** (1 / power));
          let [nx, ny, nz] = [x, y, z].map((part) => Math.sign(part) * Math.abs(part) ** (power - 1));
          const wide = 0.5 * (1 + nose) - 0.5 * (1 - nose) * x, high = z > 0 ? back : 1;
          nx += (ny * y * 0.5 * (1 - nose)) / wide;
          ny /= wide;
          nz /= high;
          vertices.push(x, y * wide, z * high, ...unit([nx, ny, nz]));
          if (i < cells && j < cells) {
            const a = first + i * (cells + 1) + j, b = a + cells + 1;
            indices.push(a, b, a + 1, a + 1, b, b + 1);
          }
        }
      }
    }
  }
  return [vertices, indices];
}

// Flat sides, counter-clockwise from outside, that share no vertices. Vertices: point, normal.
function faceted(corners, sides) {
  const vertices = [], indices = [];
  for (const side of sides) {
    const points = side.map((corner) => corners[corner]), first = vertices.length / 6;
    const normal = unit(cross(sub(points[1], points[0]), sub(points[2], points[0])));
    for (const point of points) vertices.push(...point, ...normal);
    for (let k = 1; k + 1 < side.length; k++) indices.push(first, first + k, first + k + 1);
  }
  return [vertices, indices];
}

const UNDERSIDE = [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1]];

function block() {
  const corners = [...UNDERSIDE, [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]];
  const around = [[0, 1, 5, 4], [2, 3, 7, 6], [1, 2, 6, 5], [3, 0, 4, 7]];
  return faceted(corners, [[4, 5, 6, 7], [3, 2, 1, 0], ...around]);
}

// Rises along X.
function wedge() {
  const corners = [...UNDERSIDE, [1, -1, 1], [1, 1, 1]];
  return faceted(corners, [[0, 4, 5, 3], [3, 2, 1, 0], [1, 2, 5, 4], [0, 1, 4], [2, 3, 5]]);
}

// A cylinder about Z.
function drum(sides) {
  const vertices = [], indices = [];
  for (const z of [-1, 1]) {
    for (let k = 0; k < sides; k++) {
      const x = Math.cos((2 * Math.PI * k) / sides), y = Math.sin((2 * Math.PI * k) / sides);
      vertices.push(x, y, z, x, y, 0, x, y, z, 0, 0, z);
    }
  }
  vertices.push(0, 0, -1, 0, 0, -1, 0, 0, 1, 0, 0, 1);
  for (let k = 0; k < sides; k++) {
    const a = 2 * k, b = 2 * ((k + 1) % sides), c = a + 2 * sides, d = b + 2 * sides;
    indices.push(a, b, d, a, d, c, b + 1, a + 1, 4 * sides, c + 1, d + 1, 4 * sides + 1);
  }
  return [vertices, indices];
}

function ball(segments, rings) {
  const [capsuled, indices] = capsule(segments, rings);
  const vertices = [];
  for (let i = 0; i < capsuled.length; i += 4) {
    const point = capsuled.slice(i, i + 3);
    vertices.push(...point, ...point);
  }
  return [vertices, indices];
}

// The ground with normals summed over the triangles that share a vertex: blocks share none.
function groundMesh() {
  const points = table("vertices"), triangles = table("triangles", Uint32Array);
  const vertices = new Float32Array(2 * points.length);
  for (let i = 0; i < points.length; i += 3) vertices.set(points.subarray(i, i + 3), 2 * i);
  const at = (index) => points.subarray(3 * index, 3 * index + 3);
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = triangles.subarray(i, i + 3);
    const normal = cross(sub(at(b), at(a)), sub(at(c), at(a)));
    for (const index of [a, b, c]) {
      for (let axis = 0; axis < 3; axis++) vertices[6 * index + 3 + axis] += normal[axis];
    }
  }
  for (let i = 3; i < vertices.length; i += 6) {
    vertices.set(unit(vertices.subarray(i, i + 3)), i);
  }
  return [vertices, triangles];
}

// The highest ground in cells of half a metre: it keeps the eye out of the ground.
function roofOf(vertices, triangles) {
  const cell = 0.5, count = 160, half = (cell * count) / 2;
  const roof = new Float32Array(count * count).fill(-Infinity);
  const cellAt = (x) => clamp(Math.floor((x + half) / cell), 0, count - 1);
  for (let i = 0; i < triangles.length; i += 3) {
    const corners = [0, 1, 2].map((k) => 6 * triangles[i + k]);
    const [x, y, z] = [0, 1, 2].map((axis) => corners.map((corner) => vertices[corner + axis]));
    const top = Math.max(...z);
    for (let row = cellAt(Math.min(...x)); row <= cellAt(Math.max(...x)); row++) {
      for (let column = cellAt(Math.min(...y)); column <= cellAt(Math.max(...y)); column++) {
        const cell = row * count + column;
        roof[cell] = Math.max(roof[cell], top);
      }
    }
  }
  return (x, y) => roof[cellAt(x) * count + cellAt(y)];
}

// The exact height of the ground, beside what is smaller than those cells.
function surfaceOf(vertices, triangles, roof) {
  return (x, y) => {
    let top = -Infinity;
    for (let i = 0; i < triangles.length; i += 3) {
      const [a, b, c] = [6 * triangles[i], 6 * triangles[i + 1], 6 * triangles[i + 2]];
      const ux = vertices[b] - vertices[a], uy = vertices[b + 1] - vertices[a + 1];
      const vx = vertices[c] - vertices[a], vy = vertices[c + 1] - vertices[a + 1];
      const dx = x - vertices[a], dy = y - vertices[a + 1], turn = ux * vy - uy * vx;
      const along = (dx * vy - dy * vx) / turn, aside = (ux * dy - uy * dx) / turn;
      if (!(along >= -1e-6 && aside >= -1e-6 && along + aside <= 1.000001)) continue;
      const [z, up, across] = [vertices[a + 2], vertices[b + 2], vertices[c + 2]];
      top = Math.max(top, z + along * (up - z) + aside * (across - z));
    }
    return top > -Infinity ? top : roof(x, y);
  };
}

// Whether any of the ground faces down: heights do not tell all of it then.
function hangsOver(vertices) {
  for (let i = 5; i < vertices.length; i += 6) if (vertices[i] < -1e-3) return true;
  return false;
}

// A function of a line that answers with the nearest fraction of it at which it meets the ground,
// Infinity where it does not, and the farthest at which it meets what faces it, else 0.
function meetingsOf(vertices, triangles) {
  const at = (index) => vertices.subarray(6 * index, 6 * index + 3);
  return (start, end) => {
    const line = sub(end, start);
    const low = start.map((x, axis) => Math.min(x, end[axis]));
    const high = start.map((x, axis) => Math.max(x, end[axis]));
    let nearest = Infinity, farthest = 0;
    for (let i = 0; i < triangles.length; i += 3) {
      const a = at(triangles[i]), b = at(triangles[i + 1]), c = at(triangles[i + 2]);
      let isNear = true;
      for (let axis = 0; axis < 3 && isNear; axis++) {
        const [x, y, z] = [a[axis], b[axis], c[axis]];
        isNear = Math.max(x, y, z) >= low[axis] && Math.min(x, y, z) <= high[axis];
      }
      if (!isNear) continue;
      const side = sub(b, a), other = sub(c, a), gap = sub(start, a);
      const across = cross(line, other), turned = cross(gap, side), size = dot(side, across);
      const u = dot(gap, across) / size, v = dot(turned, line) / size;
      const fraction = dot(turned, other) / size;
      if (!(u >= -1e-6 && v >= -1e-6 && u + v <= 1.000001 && fraction > 0 && fraction <= 1)) continue;
      nearest = Math.min(nearest, fraction);
      if (size > 0) farthest = Math.max(farthest, fraction);
    }
    return [nearest, farthest];
  };
}
