// Plays a recording: unpack, interpolate, draw. Lengths are metres, Z is up, quaternions are xyzw.

const byId = (id) => document.getElementById(id);
const header = JSON.parse(byId("header").textContent);
const { parts, subjects, ground } = header;

function tell(message) {
  byId("notice").textContent = message;
  byId("notice").hidden = false;
}
addEventListener("error", (event) => tell(`This page cannot be shown here: ${event.message}`));

// --- the recording ----------------------------------------------------------------------------

async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The numbers of a table, row by row; see packing.py for how they are laid out.
function unpacked(bytes, { start, rows, columns, step }, Kind) {
  const count = rows * columns;
  const found = new Kind(count);
  for (let column = 0; column < columns; column++) {
    let steps = 0;
    for (let row = 0; row < rows; row++) {
      const place = start + column * rows + row;
      const folded = bytes[place] | (bytes[place + count] << 8) |
        (bytes[place + 2 * count] << 16) | (bytes[place + 3 * count] << 24);
      steps += (folded >>> 1) ^ -(folded & 1);
      found[row * columns + column] = steps * step;
    }
  }
  return found;
}

const data = await inflated(byId("data").textContent);
const table = (name, Kind = Float32Array) => unpacked(data, header.tables[name], Kind);
const ticks = table("ticks", Float64Array);
const jumps = table("jumps", Uint8Array);
const swings = table("swings", Uint8Array);
const tracks = { points: table("points"), turns: table("turns"), normals: table("normals") };
const times = ticks.map((tick) => (tick - ticks[0]) / header.rate);
const length = times[times.length - 1];

const now = {};
for (const name in tracks) now[name] = new Float32Array(header.tables[name].columns);

function frameAt(seconds) {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= seconds) low = middle; else high = middle - 1;
  }
  return low;
}

// Fill `now` with the pose at a moment, between the two recorded around it.
function pose(seconds) {
  const a = frameAt(seconds), b = Math.min(a + 1, times.length - 1);
  const share = b > a && !jumps[b] ? (seconds - times[a]) / (times[b] - times[a]) : 0;
  for (const name in tracks) {
    const from = tracks[name], to = now[name], width = to.length;
    for (let i = 0; i < width; i++) {
      const start = from[a * width + i];
      to[i] = start + (from[b * width + i] - start) * share;
    }
  }
  for (const [point, normal, , height] of parts.pads) { // a foot's underside is where the leg ends
    for (let axis = 0; axis < 3; axis++) {
      now.points[3 * point + axis] += height * now.normals[3 * normal + axis];
    }
  }
}

// --- vectors ----------------------------------------------------------------------------------

const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const size = Math.hypot(...a) || 1; return a.map((x) => x / size); };
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

// The shortest turn of Z onto a direction.
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

function perspective(aspect) {
  const f = 1 / Math.tan(0.5 * FIELD_OF_VIEW * Math.max(1, 0.8 / aspect));
  const near = 0.05, far = 200;
  return [
    f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1,
    0, 0, (2 * far * near) / (near - far), 0,
  ];
}

function orthographic(radius, depth) {
  return [1 / radius, 0, 0, 0, 0, 1 / radius, 0, 0, 0, 0, -1 / depth, 0, 0, 0, 0, 1];
}

const FIELD_OF_VIEW = 0.75;
const SUN = unit([0.35, 0.45, 0.8]);

// --- shapes -----------------------------------------------------------------------------------

// A ball as rings around X; the first half lies at `end` 0, the second at 1, so that it makes a
// capsule too. Vertices: direction, end.
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

// A box with round edges: |x|^5 + |y|^5 + |z|^5 = 1. Vertices: place, normal.
function roundedBox(cells) {
  const vertices = [], indices = [], power = 5;
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [1, -1]) {
      const first = vertices.length / 6;
      for (let i = 0; i <= cells; i++) {
        for (let j = 0; j <= cells; j++) {
          const place = [0, 0, 0];
          place[axis] = sign;
          place[(axis + 1) % 3] = sign * ((2 * i) / cells - 1);
          place[(axis + 2) % 3] = (2 * j) / cells - 1;
          const sum = place.reduce((total, x) => total + Math.abs(x) ** power, 0);
          const on = place.map((x) => x / sum ** (1 / power));
          vertices.push(...on, ...unit(on.map((x) => Math.sign(x) * Math.abs(x) ** (power - 1))));
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

function ball(segments, rings) {
  const [capsuled, indices] = capsule(segments, rings);
  const vertices = [];
  for (let i = 0; i < capsuled.length; i += 4) {
    const place = capsuled.slice(i, i + 3);
    vertices.push(...place, ...place);
  }
  return [vertices, indices];
}

// The ground with normals summed over the triangles that share a vertex: blocks share none.
function groundMesh() {
  const places = table("vertices"), triangles = table("triangles", Uint32Array);
  const vertices = new Float32Array(2 * places.length);
  for (let i = 0; i < places.length; i += 3) vertices.set(places.subarray(i, i + 3), 2 * i);
  const at = (index) => places.subarray(3 * index, 3 * index + 3);
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = triangles.subarray(i, i + 3);
    const normal = cross(sub(at(b), at(a)), sub(at(c), at(a)));
    for (const index of [a, b, c]) {
      for (let axis = 0; axis < 3; axis++) vertices[6 * index + 3 + axis] += normal[axis];
    }
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
        const place = row * count + column;
        roof[place] = Math.max(roof[place], top);
      }
    }
  }
  return (x, y) => roof[cellAt(x) * count + cellAt(y)];
}

// --- programs ---------------------------------------------------------------------------------

const LIGHT = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
in vec3 place;
in vec3 normal;
out vec4 pixel;
uniform vec3 eye, sun, sky;
uniform mat4 to_sun;
uniform sampler2DShadow shadows;
uniform float texel;
float sunlight(vec3 n) {
  vec4 seen = to_sun * vec4(place + 0.012 * n, 1.0);
  vec3 at = 0.5 + 0.5 * seen.xyz / seen.w;
  if (any(lessThan(at.xy, vec2(0.0))) || any(greaterThan(at.xy, vec2(1.0)))) return 1.0;
  float sum = 0.0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      sum += texture(shadows, vec3(at.xy + 1.2 * texel * vec2(i, j), at.z - 0.0004));
  return sum / 9.0;
}
vec3 lit(vec3 colour, vec3 n, float gloss) {
  vec3 ray = normalize(place - eye);
  float sunny = sunlight(n);
  vec3 ambient = mix(vec3(0.22, 0.21, 0.19), vec3(0.36, 0.41, 0.48), 0.5 + 0.5 * n.z);
  vec3 light = ambient + sunny * 1.05 * vec3(1.0, 0.93, 0.80) * max(dot(n, sun), 0.0);
  float shine = gloss * sunny * pow(max(dot(reflect(ray, n), sun), 0.0), 28.0);
  return pow(pow(colour, vec3(2.2)) * light + shine, vec3(1.0 / 2.2));
}
`;

const GROUND = [`#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 direction;
uniform mat4 camera;
out vec3 place;
out vec3 normal;
void main() {
  place = position;
  normal = direction;
  gl_Position = camera * vec4(position, 1.0);
}`, LIGHT + `
uniform vec3 level, high, steep;
uniform vec2 heights;
uniform vec4 area;
uniform float band;
float line(vec2 where, float width) {
  vec2 size = fwidth(where);
  vec2 away = abs(fract(where - 0.5) - 0.5);
  vec2 near = 1.0 - smoothstep(vec2(width), vec2(width) + 1.5 * size, away);
  near *= 1.0 - smoothstep(0.1, 0.5, size);
  return max(near.x, near.y);
}
void main() {
  vec2 inside = min(place.xy - area.xy, area.zw - place.xy);
  float shown = smoothstep(0.0, 4.0, min(inside.x, inside.y));
  if (shown <= 0.0) discard;
  vec3 n = normalize(normal);
  float height = (place.z - heights.x) / max(heights.y - heights.x, 0.2);
  vec3 colour = mix(level, high, smoothstep(0.1, 1.0, height));
  colour = mix(steep, colour, smoothstep(0.72, 0.93, n.z));
  colour *= 1.0 - band * fract(4.7 * place.z + 0.3);
  float upward = smoothstep(0.3, 0.6, n.z);
  colour *= 1.0 - upward * (0.16 * line(place.xy, 0.005) + 0.12 * line(place.xy / 10.0, 0.001));
  pixel = vec4(mix(sky, lit(colour, n, 0.0), shown), 1.0);
}`];

const SOLID_LIGHT = LIGHT + `
in vec3 colour;
void main() { pixel = vec4(lit(colour, normalize(normal), 0.12), 1.0); }`;

const SOLID = [`#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 direction;
layout(location = 2) in vec3 centre;
layout(location = 3) in vec4 turn;
layout(location = 4) in vec3 size;
layout(location = 5) in vec3 tint;
uniform mat4 camera;
out vec3 place;
out vec3 normal;
out vec3 colour;
vec3 turned(vec3 v) { return v + 2.0 * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v); }
void main() {
  place = centre + turned(size * position);
  normal = turned(direction / size);
  colour = tint;
  gl_Position = camera * vec4(place, 1.0);
}`, SOLID_LIGHT];

const LIMB = [`#version 300 es
layout(location = 0) in vec4 around;
layout(location = 2) in vec4 start;
layout(location = 3) in vec4 end;
layout(location = 4) in vec3 tint;
uniform mat4 camera;
out vec3 place;
out vec3 normal;
out vec3 colour;
void main() {
  vec3 way = end.xyz - start.xyz;
  vec3 along = length(way) > 1e-9 ? normalize(way) : vec3(1.0, 0.0, 0.0);
  vec3 helper = abs(along.z) > 0.9 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 0.0, 1.0);
  vec3 side = normalize(cross(helper, along));
  normal = mat3(along, side, cross(along, side)) * around.xyz;
  place = mix(start.xyz, end.xyz, around.w) + normal * mix(start.w, end.w, around.w);
  colour = tint;
  gl_Position = camera * vec4(place, 1.0);
}`, SOLID_LIGHT];

const NOTHING = `#version 300 es
void main() {}`;

// --- drawing ----------------------------------------------------------------------------------

const SHADOW_SIZE = 2048;
const IDENTITY = [0, 0, 0, 1];

class Painter {
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: true });
    if (!gl) throw new Error("This browser has no WebGL 2, which the picture is drawn with.");
    this.gl = gl;
    this.canvas = canvas;
    this.programs = {
      ground: this.program(...GROUND),
      solid: this.program(...SOLID),
      limb: this.program(...LIMB),
      solidShadow: this.program(SOLID[0], NOTHING),
      limbShadow: this.program(LIMB[0], NOTHING),
    };
    const mesh = groundMesh();
    this.roof = roofOf(...mesh);
    this.ground = this.mesh(...mesh, [3, 3]);
    this.boxes = this.mesh(...roundedBox(8), [3, 3], [3, 4, 3, 3]);
    this.balls = this.mesh(...ball(18, 8), [3, 3], [3, 4, 3, 3]);
    this.limbs = this.mesh(...capsule(14, 5), [4], [4, 4, 3]);
    this.shadows();
    gl.enable(gl.DEPTH_TEST);
  }

  program(vertex, fragment) {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
        throw new Error(`The graphics driver refused a program: ${gl.getShaderInfoLog(shader)}`);
      }
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(`The graphics driver refused a program: ${gl.getProgramInfoLog(program)}`);
    }
    const uniforms = {};
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
      const { name } = gl.getActiveUniform(program, i);
      uniforms[name] = gl.getUniformLocation(program, name);
    }
    return { program, uniforms };
  }

  // Triangles; sizes of the attributes of a vertex, and of an instance from location 2 on.
  mesh(vertices, indices, sizes, instanced = null) {
    const gl = this.gl, array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const layOut = (first, list, divisor) => {
      const width = list.reduce((sum, size) => sum + size, 0);
      let start = 0;
      list.forEach((size, slot) => {
        gl.enableVertexAttribArray(first + slot);
        gl.vertexAttribPointer(first + slot, size, gl.FLOAT, false, 4 * width, 4 * start);
        gl.vertexAttribDivisor(first + slot, divisor);
        start += size;
      });
    };
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(vertices), gl.STATIC_DRAW);
    layOut(0, sizes, 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(indices), gl.STATIC_DRAW);
    const mesh = { array, count: indices.length, instances: 0 };
    if (instanced) {
      mesh.width = instanced.reduce((sum, size) => sum + size, 0);
      mesh.buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, mesh.buffer);
      layOut(2, instanced, 1);
    }
    gl.bindVertexArray(null);
    return mesh;
  }

  shadows() {
    const gl = this.gl, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE);
    for (const [name, value] of [
      [gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE],
    ]) gl.texParameteri(gl.TEXTURE_2D, name, value);
    this.shade = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shade);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  fill(mesh, numbers) {
    const gl = this.gl;
    mesh.instances = numbers.length / mesh.width;
    gl.bindBuffer(gl.ARRAY_BUFFER, mesh.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.STREAM_DRAW);
  }

  // What hangs on the points, turns and normals of the present.
  cast() {
    const { points, turns, normals } = now;
    const at = (point) => points.subarray(3 * point, 3 * point + 3);
    const limbs = [], balls = [], boxes = [];
    for (const [a, b, first, last, colour] of parts.limbs) {
      limbs.push(...at(a), first, ...at(b), last, ...colours[colour]);
    }
    for (const [point, radius, size, colour] of parts.posts) {
      const [x, y, z] = at(point);
      limbs.push(x, y, z, radius, x, y, z - size, radius, ...colours[colour]);
    }
    for (const [point, radius, colour] of parts.balls) {
      balls.push(...at(point), ...IDENTITY, radius, radius, radius, ...colours[colour]);
    }
    for (const [point, normal, radius, height, colour] of parts.pads) {
      const turn = upright(normals, 3 * normal);
      balls.push(...at(point), ...turn, radius, radius, height, ...colours[colour]);
    }
    for (const [point, turn, x, y, z, colour] of parts.boxes) {
      const q = turns.subarray(4 * turn, 4 * turn + 4), size = Math.hypot(...q);
      boxes.push(...at(point), ...q.map((part) => part / size), x, y, z, ...colours[colour]);
    }
    for (const [point, turn, x, y, z, radius, colour] of parts.eyes) {
      const place = at(point), off = rotated(turns, 4 * turn, x, y, z);
      balls.push(place[0] + off[0], place[1] + off[1], place[2] + off[2]);
      balls.push(...IDENTITY, radius, radius, radius, ...colours[colour]);
    }
    this.fill(this.limbs, limbs);
    this.fill(this.balls, balls);
    this.fill(this.boxes, boxes);
  }

  use({ program, uniforms }, values) {
    const gl = this.gl;
    gl.useProgram(program);
    for (const name in values) {
      const place = uniforms[name], value = values[name];
      if (place === undefined) continue;
      if (typeof value === "number") gl.uniform1f(place, value);
      else if (value.length === 16) gl.uniformMatrix4fv(place, false, value);
      else gl[`uniform${value.length}fv`](place, value);
    }
  }

  drawSolids(solid, limb, values) {
    const gl = this.gl;
    for (const [program, meshes] of [[solid, [this.boxes, this.balls]], [limb, [this.limbs]]]) {
      this.use(program, values);
      for (const mesh of meshes) {
        gl.bindVertexArray(mesh.array);
        gl.drawElementsInstanced(gl.TRIANGLES, mesh.count, gl.UNSIGNED_INT, 0, mesh.instances);
      }
    }
  }

  draw(eye, target, distance, sky) {
    const gl = this.gl, { solid, limb, solidShadow, limbShadow } = this.programs;
    this.cast();
    const radius = clamp(1.5 * distance, 2, 14);
    const above = target.map((x, axis) => x + SUN[axis]);
    const toSun = product(orthographic(radius, 30), lookAt(above, target));
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shade);
    gl.viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.drawSolids(solidShadow, limbShadow, { camera: toSun });
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    const { width, height } = this.canvas;
    gl.viewport(0, 0, width, height);
    gl.clearColor(...sky, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const camera = product(perspective(width / height), lookAt(eye, target));
    const values = { camera, eye, sky, sun: SUN, to_sun: toSun, texel: 1 / SHADOW_SIZE };
    this.drawSolids(solid, limb, values);
    const { level, high, steep } = ground.colours;
    this.use(this.programs.ground, {
      ...values,
      ...{ level: colourOf(level), high: colourOf(high), steep: colourOf(steep) },
      ...{ heights: ground.heights, area: ground.area, band: ground.band },
    });
    gl.bindVertexArray(this.ground.array);
    gl.drawElements(gl.TRIANGLES, this.ground.count, gl.UNSIGNED_INT, 0);
  }
}

// --- gait diagram -----------------------------------------------------------------------------

// Okabe and Ito's colours, distinguishable to colour-blind eyes; the last suits light and dark.
const LEG_COLOURS = [
  "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#808080",
];

// Times at which a leg begins and ceases to stand.
function stances(column) {
  const width = header.tables.swings.columns, found = [];
  let begin = null;
  times.forEach((time, frame) => {
    const isStanding = !swings[frame * width + column];
    if (isStanding && begin === null) begin = time;
    if (!isStanding && begin !== null) { found.push([begin, time]); begin = null; }
  });
  if (begin !== null) found.push([begin, length]);
  return found;
}

class Diagram {
  constructor(canvas) {
    this.canvas = canvas;
    this.paint = canvas.getContext("2d");
  }

  follow(legs) {
    this.legs = legs.map(({ name, swing }) => ({ name, spans: stances(swing) }));
    this.canvas.parentElement.hidden = !legs.length;
    const em = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.letters = 0.75 * em;
    this.row = clamp((9 * em) / Math.max(1, legs.length), 3, 1.1 * em);
    this.left = this.row >= 0.8 * this.letters ? 2.6 * this.letters : 0;
    this.canvas.style.height = `${this.row * legs.length + 1.6 * this.letters}px`;
  }

  // Seconds that are shown: all, or a part around the present.
  get window() {
    const shown = Math.min(length, Math.max(3, (this.width - this.left) / (6 * this.letters)));
    const start = clamp(player.time - 0.5 * shown, 0, length - shown);
    return [start, Math.max(shown, 1e-6)];
  }

  timeAt(x) {
    const [start, shown] = this.window;
    return start + (shown * (x - this.left)) / Math.max(1, this.width - this.left);
  }

  draw() {
    if (!this.legs.length) return;
    const scale = devicePixelRatio, { paint, canvas, row } = this;
    this.width = canvas.clientWidth;
    canvas.width = Math.round(this.width * scale);
    canvas.height = Math.round(canvas.clientHeight * scale);
    paint.setTransform(scale, 0, 0, scale, 0, 0);
    paint.clearRect(0, 0, this.width, canvas.clientHeight);
    const style = getComputedStyle(document.documentElement);
    const [start, shown] = this.window, below = row * this.legs.length;
    const xOf = (time) => this.left + ((time - start) / shown) * (this.width - this.left);
    paint.font = `${this.letters}px system-ui, sans-serif`;
    paint.textBaseline = "middle";
    this.legs.forEach(({ name, spans }, leg) => {
      paint.fillStyle = LEG_COLOURS[leg % LEG_COLOURS.length];
      for (const [begin, end] of spans) {
        if (end < start || begin > start + shown) continue;
        const first = Math.max(this.left, xOf(begin));
        paint.fillRect(first, leg * row + 0.12 * row, xOf(end) - first, 0.76 * row);
      }
      paint.fillStyle = style.getPropertyValue("--ink");
      if (this.left) paint.fillText(name, 0, (leg + 0.5) * row);
    });
    paint.fillStyle = style.getPropertyValue("--dim");
    paint.textAlign = "center";
    for (let second = Math.ceil(start); second <= start + shown; second++) {
      const x = clamp(xOf(second), this.left + this.letters, this.width - 1.2 * this.letters);
      paint.fillRect(xOf(second), below, 1, 0.3 * this.letters);
      paint.fillText(`${second} s`, x, below + this.letters);
    }
    paint.textAlign = "start";
    paint.fillStyle = style.getPropertyValue("--ink");
    paint.fillRect(xOf(player.time) - 1, 0, 2, below + 0.3 * this.letters);
  }
}

// --- playing ----------------------------------------------------------------------------------

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8];
const START = { yaw: 2.2, pitch: 0.42 };

const player = { time: 0, speed: 1, isPlaying: false, subject: 0 };
const camera = { ...START, zoom: 1, target: null };
let painter = null, isDirty = true, before = 0;

const diagram = new Diagram(byId("diagram"));
const touch = () => { isDirty = true; };

function play(isPlaying) {
  if (isPlaying && player.time >= length) player.time = 0;
  player.isPlaying = isPlaying;
  byId("play").textContent = isPlaying ? "\u23F8" : "\u25B6";
  byId("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  touch();
}

function go(seconds) {
  player.time = clamp(seconds, 0, length);
  touch();
}

function setSpeed(speed) {
  player.speed = speed;
  byId("speed").value = String(speed);
}

function follow(subject) {
  player.subject = (subject + subjects.length) % subjects.length;
  byId("subject").value = String(player.subject);
  diagram.follow(subjects[player.subject].legs);
  camera.target = null;
  touch();
}

function resetView() {
  Object.assign(camera, START, { zoom: 1 });
  touch();
}

function orbit(across, up) {
  camera.yaw -= across;
  camera.pitch = clamp(camera.pitch + up, -0.2, 1.5);
  touch();
}

function zoom(steps) {
  camera.zoom = clamp(camera.zoom * 0.88 ** steps, 0.15, 12);
  touch();
}

// Move the point that is looked at towards the subject, as `seconds` pass.
function aim(seconds) {
  const { point } = subjects[player.subject];
  const wanted = Array.from(now.points.subarray(3 * point, 3 * point + 3));
  const share = camera.target ? 1 - Math.exp(-seconds / 0.18) : 1;
  const isFar = camera.target && Math.hypot(...sub(wanted, camera.target)) > 2;
  camera.target = camera.target && !isFar
    ? camera.target.map((x, axis) => x + (wanted[axis] - x) * share) : wanted;
  return Math.hypot(...sub(wanted, camera.target)) > 1e-3;
}

function drawView() {
  const distance = subjects[player.subject].distance * camera.zoom;
  const { target, yaw, pitch } = camera;
  const flat = Math.cos(pitch);
  const eye = [
    target[0] + distance * flat * Math.cos(yaw),
    target[1] + distance * flat * Math.sin(yaw),
    target[2] + distance * Math.sin(pitch),
  ];
  eye[2] = Math.max(eye[2], painter.roof(eye[0], eye[1]) + 0.12);
  const sky = colourOf(getComputedStyle(document.documentElement).getPropertyValue("--sky").trim());
  painter.draw(eye, target, distance, sky);
}

function fitted(canvas) {
  const width = Math.max(1, Math.round(canvas.clientWidth * devicePixelRatio));
  const height = Math.max(1, Math.round(canvas.clientHeight * devicePixelRatio));
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
}

function frame(stamp) {
  requestAnimationFrame(frame);
  const seconds = Math.min(0.25, (stamp - before) / 1000);
  before = stamp;
  if (player.isPlaying) {
    go(player.time + seconds * player.speed);
    if (player.time >= length) play(false);
  }
  if (!isDirty) return;
  pose(player.time);
  isDirty = aim(seconds);
  byId("time").value = String(player.time);
  const spoken = `${player.time.toFixed(1)} of ${length.toFixed(1)} s`;
  byId("clock").textContent = spoken;
  byId("time").setAttribute("aria-valuetext", spoken);
  diagram.draw();
  if (painter && !painter.gl.isContextLost()) {
    fitted(painter.canvas);
    drawView();
  }
  document.documentElement.dataset.state = "drawn";
}

// --- controls ---------------------------------------------------------------------------------

const KEYS = {
  " ": () => play(!player.isPlaying),
  ArrowLeft: (event) => go(player.time - (event.shiftKey ? 5 : 1)),
  ArrowRight: (event) => go(player.time + (event.shiftKey ? 5 : 1)),
  Home: () => go(0),
  End: () => go(length),
  "+": () => setSpeed(SPEEDS[Math.min(SPEEDS.indexOf(player.speed) + 1, SPEEDS.length - 1)]),
  "-": () => setSpeed(SPEEDS[Math.max(SPEEDS.indexOf(player.speed) - 1, 0)]),
  a: () => orbit(-0.1, 0), d: () => orbit(0.1, 0), w: () => orbit(0, 0.08), s: () => orbit(0, -0.08),
  q: () => zoom(-1), e: () => zoom(1),
  n: () => follow(player.subject + 1),
  r: resetView,
};

function listen(canvas) {
  byId("play").addEventListener("click", () => play(!player.isPlaying));
  byId("reset").addEventListener("click", resetView);
  byId("time").addEventListener("input", (event) => go(Number(event.target.value)));
  byId("speed").addEventListener("change", (event) => setSpeed(Number(event.target.value)));
  byId("subject").addEventListener("change", (event) => follow(Number(event.target.value)));
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    if (event.key === " " && event.target.closest("button, summary")) return; // it is pressed
    const act = KEYS[event.key] || KEYS[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act(event);
  });
  const pointers = new Map();
  const apart = () => {
    const [a, b] = pointers.values();
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const gap = pointers.size === 2 ? apart() : 0;
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (pointers.size === 1) {
      orbit(0.008 * (event.clientX - last[0]), 0.008 * (event.clientY - last[1]));
    } else if (pointers.size === 2) {
      zoom(0.02 * (apart() - gap));
    }
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(kind, (event) => pointers.delete(event.pointerId));
  }
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(-Math.sign(event.deltaY));
  }, { passive: false });
  const scrub = (event) => {
    if (event.buttons & 1) go(diagram.timeAt(event.offsetX));
  };
  diagram.canvas.addEventListener("pointerdown", (event) => {
    diagram.canvas.setPointerCapture(event.pointerId);
    scrub(event);
  });
  diagram.canvas.addEventListener("pointermove", scrub);
  canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
  canvas.addEventListener("webglcontextrestored", setUp);
  new ResizeObserver(() => { diagram.follow(subjects[player.subject].legs); touch(); })
    .observe(document.body);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", touch);
}

function setUp() {
  try {
    painter = new Painter(byId("view"));
  } catch (error) {
    tell(error.message);
  }
  touch();
}

const option = (value, text) => new Option(text, String(value));
byId("speed").append(...SPEEDS.map((speed) => option(speed, `${speed}x`)));
byId("subject").append(...subjects.map(({ name }, i) => option(i, `${i + 1} ${name}`)));
byId("subjects").hidden = subjects.length < 2;
byId("time").max = String(length);
setSpeed(1);
follow(0);
setUp();
listen(byId("view"));
requestAnimationFrame((stamp) => { before = stamp; frame(stamp); });
