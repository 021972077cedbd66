// Soft dark spots below bodies and standing feet, seen from above: what shadows do at little cost.

const MARKS_SIZE = 512;
const MARK = [HEAD + `
layout(location = 0) in vec2 corner;
layout(location = 2) in vec4 axes;
layout(location = 3) in vec4 spot;  // x, y, strength, where it begins to fade
uniform vec3 marks_area;
out vec2 local;
out vec2 style;
void main() {
  vec2 point = spot.xy + corner.x * axes.xy + corner.y * axes.zw;
  local = corner;
  style = spot.zw;
  gl_Position = vec4(2.0 * marks_area.z * (point - marks_area.xy), 0.0, 1.0);
}`, HEAD + shaders["mark.frag"]];

class Marks {
  constructor(painter) {
    const gl = painter.gl;
    this.painter = painter;
    this.program = painter.program(...MARK);
    this.squares = painter.mesh([-1, -1, 1, -1, 1, 1, -1, 1], [0, 1, 2, 0, 2, 3], [2], [4, 4]);
    this.texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.R8, MARKS_SIZE, MARKS_SIZE);
    for (const [name, value] of [
      [gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
    ]) gl.texParameteri(gl.TEXTURE_2D, name, value);
    this.frame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.texture, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  // Fill the map around the target; returns what the ground's program needs of it.
  draw(target, distance) {
    const { gl } = this.painter, spots = [], { body, foot } = header.contact;
    const frame = frameAt(player.time) * header.tables.swings.columns;
    for (const [point, turn, x, y, z] of [...parts.hulls, ...parts.shades]) {
      if (isGone(now.points[3 * point + 2])) continue;
      const [ax, ay] = rotated(now.turns, 4 * turn, 1.35 * x + z, 0, 0);
      const [bx, by] = rotated(now.turns, 4 * turn, 0, 1.35 * y + z, 0);
      spots.push(ax, ay, bx, by, now.points[3 * point], now.points[3 * point + 1], body, 0);
    }
    const soles = parts.soles.map(([point, , , y, , , normal]) => [point, normal, y]);
    for (const [point, normal, radius] of [...parts.pads, ...parts.steps, ...soles]) {
      if (swings[frame + normal]) continue;
      const wide = 1.7 * radius;
      spots.push(wide, 0, 0, wide, now.points[3 * point], now.points[3 * point + 1], foot, 0.25);
    }
    this.painter.fill(this.squares, spots);
    const area = [target[0], target[1], 0.5 / (2.5 * distance)];
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
    gl.viewport(0, 0, MARKS_SIZE, MARKS_SIZE);
    gl.clearColor(1, 1, 1, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ZERO, gl.SRC_COLOR);
    this.painter.use(this.program, { marks_area: area });
    gl.bindVertexArray(this.squares.array);
    gl.drawElementsInstanced(gl.TRIANGLES, this.squares.count, gl.UNSIGNED_INT, 0, this.squares.instances);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    return { marks_area: area };
  }
}
