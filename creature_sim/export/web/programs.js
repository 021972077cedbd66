// The programs of the graphics card: vertex shaders of the page, fragment shaders of the window.

const { shaders } = header;
const HEAD = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
#define PATCH
${ground.is_edged ? "#define EDGED" : ""}
`;
const SKIN_ROWS = 3 * Math.max(1, ...parts.skins.map(([, bones]) => bones.length));
const LIGHT = HEAD + shaders["light.glsl"];
const SURFACE = shaders["solid.glsl"] + shaders["solid.frag"];
const GROUND = ["ground.vert", "ground.frag"].map((name) => shaders["ground.glsl"] + shaders[name]);

// A program's sources with the light, and with features defined.
const lit = ([vertex, fragment], ...features) => {
  const head = features.map((feature) => `#define ${feature}\n`).join("");
  const light = HEAD + head + shaders["light.glsl"];
  return [(vertex.startsWith("#version") ? "" : light) + vertex, light + fragment];
};

const SOLID = [HEAD + `
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 direction;
layout(location = 2) in vec3 centre;
layout(location = 3) in vec4 turn;
layout(location = 4) in vec4 size;  // along its axes, material
layout(location = 5) in vec3 tint;
uniform mat4 view_projection;
out vec3 point;
out vec3 normal;
out vec3 local;
out vec3 colour;
flat out int material;
vec3 turned(vec3 v) { return v + 2.0 * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v); }
void main() {
  point = centre + turned(size.xyz * position);
  normal = turned(direction / size.xyz);
  local = position;
  colour = tint * tint;
  material = int(size.w + 0.5);
  gl_Position = view_projection * vec4(point, 1.0);
}`, SURFACE];

const LIMB = [HEAD + `
layout(location = 0) in vec4 around;
layout(location = 2) in vec4 start;
layout(location = 3) in vec4 end;
layout(location = 4) in vec3 tint;
uniform mat4 view_projection;
out vec3 point;
out vec3 normal;
out vec3 local;
out vec3 colour;
flat out int material;
void main() {
  vec3 bone = end.xyz - start.xyz;
  vec3 along = length(bone) > 1e-9 ? normalize(bone) : vec3(1.0, 0.0, 0.0);
  vec3 helper = abs(along.z) > 0.9 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 0.0, 1.0);
  vec3 side = normalize(cross(helper, along));
  normal = mat3(along, side, cross(along, side)) * around.xyz;
  point = mix(start.xyz, end.xyz, around.w) + normal * mix(start.w, end.w, around.w);
  local = around.xyz;
  colour = tint * tint;
  material = 0;
  gl_Position = view_projection * vec4(point, 1.0);
}`, SURFACE];

const SKIN = [HEAD + `#define ROWS ${SKIN_ROWS}\n` + shaders["skin.vert"], shaders["skin.frag"]];

const SKY = [HEAD + `
uniform vec3 eye, ahead, across, above;
out vec4 far_point;
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  far_point = vec4(eye + ahead + corner.x * across + corner.y * above, 1.0);
  gl_Position = vec4(corner, 1.0, 1.0);
}`, LIGHT + shaders["sky.frag"]];

const NOTHING = HEAD + "void main() {}";
