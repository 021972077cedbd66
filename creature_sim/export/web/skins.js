// Models of creatures, whose vertices follow bones on the graphics card.

const PICTURE_UNIT = 1;

class Skins {
  constructor(painter) {
    const gl = painter.gl;
    this.painter = painter;
    if (!parts.skins.length) return;
    this.models = header.models.map((model, number) => {
      const { rows, columns } = header.tables[`model_${number}`];
      const floats = table(`model_${number}`), bones = table(`model_bones_${number}`, Uint16Array);
      const width = columns + 4, vertices = new Float32Array(rows * width);
      for (let row = 0; row < rows; row++) { // position, normal, colour, place, bones, weights
        const own = floats.subarray(row * columns, row * columns + columns);
        vertices.set(own.subarray(0, 11), row * width);
        vertices.set(bones.subarray(4 * row, 4 * row + 4), row * width + 11);
        vertices.set(own.subarray(11), row * width + 15);
      }
      const triangles = table(`model_triangles_${number}`, Uint32Array);
      return {
        mesh: painter.mesh(vertices, triangles, [3, 3, 3, 2, 4, 4]),
        rest: table(`model_rest_${number}`),
        surfaces: model.surfaces,
        textures: [...pictures[number].map((picture) => this.texture(picture)), this.texture(null)],
      };
    });
    this.block = gl.createBuffer();
    this.rows = new Float32Array(4 * SKIN_ROWS);
  }

  texture(picture) {
    const gl = this.painter.gl, found = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, found);
    if (picture) {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
    } else {
      const white = new Uint8Array([255, 255, 255, 255]);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, white);
    }
    gl.generateMipmap(gl.TEXTURE_2D);
    return found;
  }

  // The matrices of the bones of a creature, which lie on points of the present.
  place(bones, rest) {
    bones.forEach(([point, turn], bone) => {
      const [x, y, z] = rest.subarray(3 * bone, 3 * bone + 3);
      const unitTurn = unit(now.turns.subarray(4 * turn, 4 * turn + 4));
      const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => rotated(unitTurn, 0, ...axis));
      const moved = rotated(unitTurn, 0, x, y, z);
      for (let row = 0; row < 3; row++) {
        const at = 4 * (3 * bone + row);
        for (let column = 0; column < 3; column++) this.rows[at + column] = axes[column][row];
        this.rows[at + 3] = now.points[3 * point + row] - moved[row];
      }
    });
  }

  draw(program, values) {
    if (!parts.skins.length) return;
    const gl = this.painter.gl;
    this.painter.use(program, values);
    gl.uniform1i(program.uniforms.bone_count ?? null, 0); // one creature a call
    gl.uniform1i(program.uniforms.picture ?? null, PICTURE_UNIT);
    gl.uniformBlockBinding(program.program, gl.getUniformBlockIndex(program.program, "Pose"), 0);
    for (const [number, bones] of parts.skins) {
      const { mesh, rest, surfaces, textures } = this.models[number];
      this.place(bones, rest);
      gl.bindBuffer(gl.UNIFORM_BUFFER, this.block);
      gl.bufferData(gl.UNIFORM_BUFFER, this.rows, gl.STREAM_DRAW);
      gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, this.block);
      gl.bindVertexArray(mesh.array);
      for (const [first, count, picture, isThin] of surfaces) {
        (isThin ? gl.disable : gl.enable).call(gl, gl.CULL_FACE);
        gl.activeTexture(gl.TEXTURE0 + PICTURE_UNIT);
        gl.bindTexture(gl.TEXTURE_2D, textures[picture]);
        gl.drawElements(gl.TRIANGLES, 3 * count, gl.UNSIGNED_INT, 12 * first);
      }
    }
    gl.disable(gl.CULL_FACE);
    gl.activeTexture(gl.TEXTURE0);
  }
}
