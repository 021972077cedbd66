// What runs on the graphics card.

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
