// Colours of the ground, by height and slope.
uniform vec3 level_colour;
uniform vec3 high_colour;
uniform vec3 steep_colour;
uniform vec2 height_range;  // lowest [m], 1 / (highest - lowest)

vec3 ground_colour(vec3 point, vec3 normal) {
    float height = clamp((point.z - height_range.x) * height_range.y, 0.0, 1.0);
    vec3 colour = mix(level_colour, high_colour, height);
    return mix(steep_colour, colour, smoothstep(0.70, 0.94, normal.z));
}

float facing_up(vec3 normal) { return clamp(4.0 * normal.z - 1.2, 0.0, 1.0); }

// How far the ground has faded into the horizon, 0 to 1.
#ifdef PATCH
uniform vec4 area;  // x, y of its lowest and highest corner [m]
float veil_at(vec3 point) {
    vec2 inside = min(point.xy - area.xy, area.zw - point.xy);
    return 1.0 - smoothstep(0.5, 5.0, min(inside.x, inside.y));
}
#else
uniform vec2 border;  // it fades between these distances from the middle [m]
uniform vec2 middle;  // [m]
float veil_at(vec3 point) {
    vec2 away = abs(point.xy - middle);
    return smoothstep(border.x, border.y, max(away.x, away.y));
}
#endif
