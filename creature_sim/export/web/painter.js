// Draws the present with WebGL 2.

const SHADOW_SIZE = 2048;
const IDENTITY = [0, 0, 0, 1];

class Painter {
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: true });
    if (!gl) throw new Error("This browser has no WebGL 2, which the picture is drawn with.");
    this.gl = gl;
    this.canvas = canvas;
    this.hasShadows = true;
    this.lit = {};
    this.programs = {
      sky: this.program(...SKY),
      solidShadow: this.program(SOLID[0], NOTHING),
      limbShadow: this.program(LIMB[0], NOTHING),
      skinShadow: parts.skins.length ? this.program(SKIN[0], NOTHING) : null,
    };
    const mesh = groundMesh();
    this.roof = roofOf(...mesh);
    this.surface = surfaceOf(...mesh, this.roof);
    this.hangs = hangsOver(mesh[0]);
    this.meetings = meetingsOf(...mesh);
    this.ground = this.mesh(...mesh, [3, 3]);
    this.hulls = this.mesh(...hull(10), [3, 3], [3, 4, 4, 3]);
    this.blocks = this.mesh(...block(), [3, 3], [3, 4, 4, 3]);
    this.ramps = this.mesh(...wedge(), [3, 3], [3, 4, 4, 3]);
    this.drums = this.mesh(...drum(96), [3, 3], [3, 4, 4, 3]);
    this.balls = this.mesh(...ball(18, 8), [3, 3], [3, 4, 4, 3]);
    this.limbs = this.mesh(...capsule(14, 5), [4], [4, 4, 3]);
    this.skins = new Skins(this);
    this.nothing = gl.createVertexArray();
    this.marks = new Marks(this);
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
    const uniforms = {}, types = {};
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
      const { name, type } = gl.getActiveUniform(program, i);
      uniforms[name] = gl.getUniformLocation(program, name);
      types[name] = type;
    }
    return { program, uniforms, types };
  }

  // Programs for what lies in the light, with shadows or without; the others may not be needed.
  inLight() {
    const name = this.hasShadows ? "NEAR" : "MARKS";
    this.lit[name] ||= {
      ground: this.program(...lit(GROUND, name)),
      solid: this.program(...lit(SOLID, ...(this.hasShadows ? ["NEAR"] : []))),
      limb: this.program(...lit(LIMB, ...(this.hasShadows ? ["NEAR"] : []))),
      skin: parts.skins.length
        ? this.program(...lit(SKIN, ...(this.hasShadows ? ["NEAR"] : []))) : null,
    };
    return this.lit[name];
  }

  // Triangles; with the sizes of the attributes of a vertex, and of an instance from location 2 on.
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
      [gl.TEXTURE_MIN_FILTER, gl.NEAREST], [gl.TEXTURE_MAG_FILTER, gl.NEAREST],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
    ]) gl.texParameteri(gl.TEXTURE_2D, name, value);
    this.depths = texture;
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

  // What is drawn at the points, turns and normals of the present.
  cast() {
    const { points, turns, normals } = now;
    const at = (point) => points.subarray(3 * point, 3 * point + 3);
    const { plain, hull, eye, prop, drum } = header.materials;
    const limbs = [], balls = [];
    for (const [a, b, first, last, colour] of parts.limbs) {
      limbs.push(...at(a), first, ...at(b), last, ...colours[colour]);
    }
    for (const [point, radius, size, colour] of parts.posts) {
      const [x, y, z] = at(point);
      limbs.push(x, y, z, radius, x, y, z - size, radius, ...colours[colour]);
    }
    for (const [point, radius, colour] of parts.balls) {
      balls.push(...at(point), ...IDENTITY, radius, radius, radius, plain, ...colours[colour]);
    }
    for (const [point, normal, radius, height, colour] of parts.pads) {
      const turn = upright(normals, 3 * normal);
      balls.push(...at(point), ...turn, radius, radius, height, plain, ...colours[colour]);
    }
    for (const [point, radius, colour] of parts.rounds) {
      balls.push(...at(point), ...IDENTITY, radius, radius, radius, prop, ...colours[colour]);
    }
    const turned = (rows, material) => rows.flatMap(([point, turn, x, y, z, colour]) => [
      ...at(point), ...unit(turns.subarray(4 * turn, 4 * turn + 4)),
      x, y, z, material, ...colours[colour],
    ]);
    this.fill(this.hulls, [...turned(parts.hulls, hull), ...turned(parts.soles, plain)]);
    this.fill(this.blocks, turned(parts.blocks, prop));
    this.fill(this.ramps, turned(parts.ramps, prop));
    this.fill(this.drums, turned(parts.drums, drum));
    for (const [point, turn, x, y, z, lx, ly, lz, lw, radius, colour] of parts.eyes) {
      const origin = at(point), off = rotated(turns, 4 * turn, x, y, z);
      balls.push(origin[0] + off[0], origin[1] + off[1], origin[2] + off[2]);
      balls.push(...after(unit(turns.subarray(4 * turn, 4 * turn + 4)), [lx, ly, lz, lw]));
      balls.push(radius, radius, radius, eye, ...colours[colour]);
    }
    this.fill(this.limbs, limbs);
    this.fill(this.balls, balls);
  }

  use({ program, uniforms, types }, values) {
    const gl = this.gl;
    gl.useProgram(program);
    for (const name in values) {
      const location = uniforms[name], value = values[name];
      if (location === undefined) continue;
      switch (types[name]) {
        case gl.FLOAT: gl.uniform1f(location, value); break;
        case gl.INT: gl.uniform1i(location, value); break;
        case gl.FLOAT_VEC2: gl.uniform2fv(location, value); break;
        case gl.FLOAT_VEC3: gl.uniform3fv(location, value); break;
        case gl.FLOAT_VEC4: gl.uniform4fv(location, value); break; // of an array all at once
        case gl.FLOAT_MAT4: gl.uniformMatrix4fv(location, false, value); break;
      }
    }
  }

  drawSolids(solid, limb, values) {
    const gl = this.gl;
    const solids = [this.hulls, this.blocks, this.ramps, this.drums, this.balls];
    for (const [program, meshes] of [[solid, solids], [limb, [this.limbs]]]) {
      this.use(program, values);
      for (const mesh of meshes) {
        gl.bindVertexArray(mesh.array);
        gl.drawElementsInstanced(gl.TRIANGLES, mesh.count, gl.UNSIGNED_INT, 0, mesh.instances);
      }
    }
  }

  // Fill the map of depths that the sun sees; returns what programs need of it.
  castShadows(target, distance, scale) {
    const gl = this.gl, { solidShadow, limbShadow } = this.programs;
    const radius = clamp(1.5 * distance, 2 * scale, 14 * scale);
    const above = target.map((x, axis) => x + SUN[axis]);
    const toSun = product(orthographic(radius, 30 * Math.max(1, scale)), lookAt(above, target));
    gl.bindTexture(gl.TEXTURE_2D, this.depths);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shade);
    gl.viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1.5, 4);
    this.drawSolids(solidShadow, limbShadow, { view_projection: toSun });
    this.skins.draw(this.programs.skinShadow, { view_projection: toSun });
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return {
      near_from_world: product(HALF, toSun),
      near_texel: [1 / SHADOW_SIZE, (2 * radius) / SHADOW_SIZE],
    };
  }

  // Balls in place of bodies and feet near a target, which darken what is near to them.
  nearness(target, scale) {
    const { points, turns, normals } = now, { body, foot, most, reach } = header.nearness;
    let found = [];
    const add = (point, off, radius) => {
      if (isGone(points[3 * point + 2])) return;
      const middle = off.map((x, axis) => x + points[3 * point + axis]);
      found.push({ middle, radius, gap: Math.hypot(...sub(middle, target)) });
    };
    for (const [point, , x, y, z] of [...parts.hulls, ...parts.shades]) {
      add(point, [0, 0, 0], body * Math.sqrt((x * y * z) / Math.min(x, y, z)));
    }
    for (const [point, normal, size] of [...parts.pads, ...parts.steps]) {
      const up = Array.from(normals.subarray(3 * normal, 3 * normal + 3));
      add(point, up.map((x) => foot * size * x), foot * size);
    }
    for (const [point, turn, , y, z] of parts.soles) {
      add(point, rotated(turns, 4 * turn, 0, 0, foot * y - z), foot * y);
    }
    found = found.filter(({ gap }) => gap < 12 * scale).sort((a, b) => a.gap - b.gap).slice(0, most);
    const rows = found.map(({ middle, radius }) => [...middle, radius]);
    const around = Math.max(0, ...found.map(({ gap, radius }) => gap + reach * radius));
    return {
      "balls[0]": new Float32Array([...rows.flat(), 0, 0, 0, 0]),
      ball_count: found.length, balls_around: [...target, around],
    };
  }

  draw(eye, target, distance, { scale, fog, square }) {
    const gl = this.gl, programs = this.inLight();
    this.cast();
    const shading = this.hasShadows
      ? { ...this.castShadows(target, distance, scale), ...this.nearness(target, scale) }
      : this.marks.draw(target, distance);
    const { width, height } = this.canvas;
    gl.viewport(0, 0, width, height);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    const roofs = this.hangs ? this.meetings(target, [target[0], target[1], target[2] + 1e3])[1] : 0;
    const values = {
      marks_top: roofs ? target[2] + 1e3 * roofs : 1e6,
      view_projection: product(perspective(width / height, scale), lookAt(eye, target)),
      ...{ eye, sun: SUN, fog, square, ...shading },
    };
    this.drawSolids(programs.solid, programs.limb, values);
    this.skins.draw(programs.skin, values);
    const [low, high] = ground.heights, tints = {};
    for (const name in ground.colours) tints[name] = colourOf(ground.colours[name]).map((x) => x * x);
    this.use(programs.ground, {
      ...values, ...tints, area: ground.area, height_range: [low, 1 / Math.max(high - low, 0.2)],
    });
    gl.bindVertexArray(this.ground.array);
    gl.drawElements(gl.TRIANGLES, this.ground.count, gl.UNSIGNED_INT, 0);
    gl.depthFunc(gl.LEQUAL); // the sky fills what nothing covers
    this.use(this.programs.sky, { ...values, ...corners(eye, target, width / height) });
    gl.bindVertexArray(this.nothing);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.depthFunc(gl.LESS);
  }
}
