"""The programs that run on the graphics card."""

from typing import Any

from pyglet.graphics.shader import Shader, ShaderProgram

_HEAD = "#version 330 core\n"

_LIGHT = """
uniform vec3 eye;
const vec3 SUN = normalize(vec3(0.35, 0.45, 0.80));
const vec3 SUN_COLOUR = vec3(1.00, 0.93, 0.80);
const vec3 HORIZON = vec3(0.74, 0.83, 0.90);
const vec3 ZENITH = vec3(0.30, 0.52, 0.80);

vec3 sky(vec3 ray) {
    vec3 colour = mix(HORIZON, ZENITH, pow(clamp(ray.z, 0.0, 1.0), 0.6));
    return colour + 0.25 * SUN_COLOUR * pow(max(dot(ray, SUN), 0.0), 60.0);
}

vec3 linear(vec3 colour) { return pow(colour, vec3(2.2)); }

vec3 lit(vec3 colour, vec3 normal, vec3 place, float gloss) {
    vec3 way = place - eye;
    float far = length(way);
    vec3 ray = way / far;
    vec3 ambient = mix(vec3(0.22, 0.21, 0.19), vec3(0.34, 0.40, 0.48), 0.5 + 0.5 * normal.z);
    vec3 light = ambient + 1.05 * SUN_COLOUR * max(dot(normal, SUN), 0.0);
    vec3 shine = gloss * SUN_COLOUR * pow(max(dot(reflect(ray, normal), SUN), 0.0), 28.0);
    vec3 shown = pow(linear(colour) * light + shine, vec3(1.0 / 2.2));
    return mix(shown, HORIZON, 1.0 - exp(-far * far / (38.0 * 38.0)));
}
"""

_SOLID_VERTEX = """
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 direction;
layout(location = 2) in vec4 row_x;
layout(location = 3) in vec4 row_y;
layout(location = 4) in vec4 row_z;
layout(location = 5) in vec4 look;
uniform mat4 view_projection;
out vec3 place;
out vec3 normal;
out vec3 colour;

void main() {
    mat3 axes = transpose(mat3(row_x.xyz, row_y.xyz, row_z.xyz));
    vec3 squares = vec3(dot(axes[0], axes[0]), dot(axes[1], axes[1]), dot(axes[2], axes[2]));
    place = axes * position + vec3(row_x.w, row_y.w, row_z.w);
    normal = normalize(axes * (direction / squares));
    colour = look.rgb;
    gl_Position = view_projection * vec4(place, 1.0);
}
"""

_LIMB_VERTEX = """
layout(location = 0) in vec3 around;
layout(location = 1) in vec3 end;
layout(location = 2) in vec4 row_x;
layout(location = 3) in vec4 row_y;
layout(location = 4) in vec4 row_z;
layout(location = 5) in vec4 look;
uniform mat4 view_projection;
out vec3 place;
out vec3 normal;
out vec3 colour;

void main() {
    mat3 axes = transpose(mat3(row_x.xyz, row_y.xyz, row_z.xyz));
    float radius = length(axes[1]);
    vec3 along = axes[0] / max(length(axes[0]), 1e-9) * radius;
    vec3 outward = along * around.x + axes[1] * around.y + axes[2] * around.z;
    place = vec3(row_x.w, row_y.w, row_z.w) + axes[0] * end.x + outward * mix(1.0, look.a, end.x);
    normal = normalize(outward);
    colour = look.rgb;
    gl_Position = view_projection * vec4(place, 1.0);
}
"""

_SOLID_FRAGMENT = """
in vec3 place;
in vec3 normal;
in vec3 colour;
out vec4 pixel;

void main() { pixel = vec4(lit(colour, normalize(normal), place, 0.10), 1.0); }
"""

_GROUND_VERTEX = """
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 direction;
uniform mat4 view_projection;
out vec3 place;
out vec3 normal;

void main() {
    place = position;
    normal = direction;
    gl_Position = view_projection * vec4(position, 1.0);
}
"""

_GROUND_FRAGMENT = """
in vec3 place;
in vec3 normal;
out vec4 pixel;
uniform vec3 level_colour;
uniform vec3 high_colour;
uniform vec3 steep_colour;
uniform vec2 height_range;
uniform float band;

float line(vec2 where, float width) {
    vec2 pixel_size = fwidth(where);
    vec2 away = abs(fract(where - 0.5) - 0.5);
    vec2 near = 1.0 - smoothstep(vec2(width), vec2(width) + 1.5 * pixel_size, away);
    near *= 1.0 - smoothstep(0.1, 0.5, pixel_size);  // too fine to be told apart: none
    return max(near.x, near.y);
}

void main() {
    vec3 n = normalize(normal);
    float height = (place.z - height_range.x) / max(height_range.y - height_range.x, 0.2);
    vec3 colour = mix(level_colour, high_colour, smoothstep(0.1, 1.0, height));
    colour = mix(steep_colour, colour, smoothstep(0.72, 0.93, n.z));
    vec2 cell = floor(place.xy);
    colour *= 0.985 + 0.03 * mod(cell.x + cell.y, 2.0);
    colour *= 1.0 - band * fract(4.7 * place.z + 0.3);  // tells one level from the next
    float upward = smoothstep(0.3, 0.6, n.z);
    colour *= 1.0 - upward * (0.16 * line(place.xy, 0.005) + 0.12 * line(place.xy / 10.0, 0.001));
    pixel = vec4(lit(colour, n, place, 0.0), 1.0);
}
"""

_SKY_VERTEX = """
uniform mat4 to_world;
out vec4 far_point;

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    far_point = to_world * vec4(corner, 1.0, 1.0);
    gl_Position = vec4(corner, 1.0, 1.0);
}
"""

_SKY_FRAGMENT = """
in vec4 far_point;
out vec4 pixel;

void main() { pixel = vec4(sky(normalize(far_point.xyz / far_point.w - eye)), 1.0); }
"""

_SOURCES = {
    "sky": (_SKY_VERTEX, _SKY_FRAGMENT),
    "ground": (_GROUND_VERTEX, _GROUND_FRAGMENT),
    "solid": (_SOLID_VERTEX, _SOLID_FRAGMENT),
    "limb": (_LIMB_VERTEX, _SOLID_FRAGMENT),
}

PROGRAMS = tuple(_SOURCES)


def compile_program(name: str) -> Any:
    """One of `PROGRAMS` as a pyglet ShaderProgram."""
    vertex, fragment = _SOURCES[name]
    return ShaderProgram(
        Shader(_HEAD + vertex, "vertex"), Shader(_HEAD + _LIGHT + fragment, "fragment")
    )
