in vec3 place;
in vec3 normal;
out vec4 pixel;
uniform vec3 level_colour;
uniform vec3 high_colour;
uniform vec3 steep_colour;
uniform vec2 height_range;  // lowest [m], 1 / (highest - lowest)
uniform vec2 border;  // fades between these distances from the middle [m]
uniform vec2 middle;  // [m]
uniform sampler2D marks;  // light left by footprints and contact
uniform vec3 marks_area;  // x, y of the middle [m], 1 / side

// Coverage of a pixel by lines of a half width at whole numbers: a box filter, never aliased.
float grid(vec2 where, vec2 pixel_size, float half_width) {
    vec2 away = 0.5 - abs(fract(where) - 0.5);
    vec2 covered = (half_width - away) / pixel_size + 0.5;
    covered = clamp(covered, vec2(0.0), min(vec2(1.0), 2.0 * half_width / pixel_size));
    return max(covered.x, covered.y);
}

void main() {
    vec3 n = normalize(normal);
    float height = clamp((place.z - height_range.x) * height_range.y, 0.0, 1.0);
    vec3 colour = mix(level_colour, high_colour, height);
    colour = mix(steep_colour, colour, smoothstep(0.70, 0.94, n.z));
#ifdef BANDS
    colour *= 1.0 - 0.14 * fract(4.7 * place.z + 0.3);  // tells one level from the next
#endif
    vec2 pixel_size = fwidth(place.xy);
    float upward = clamp(4.0 * n.z - 1.2, 0.0, 1.0);
    float lines = max(0.24 * grid(place.xy, pixel_size, 0.006),
                      0.42 * grid(0.2 * place.xy, 0.2 * pixel_size, 0.0024));
    colour *= 1.0 - upward * lines;
#ifdef MARKS
    vec2 at = 0.5 + (place.xy - marks_area.xy) * marks_area.z;
    colour *= mix(1.0, textureLod(marks, at, 0.0).r, upward);
#endif
    vec3 light = ambient(n) + SUN_COLOUR * sunlight(place, n);
    vec2 away = abs(place.xy - middle);
    float edge = max(away.x, away.y);
    pixel = seen(colour * light, place, smoothstep(border.x, border.y, edge));
}
