#ifdef EDGED
in vec3 point;
in vec3 normal;
#else
in vec4 place;
in vec4 seen_lit;
#if defined OPEN || defined FAR
in vec3 normal;
in vec3 in_sun;
#endif
#endif
out vec4 pixel;
uniform sampler2D marks;  // light that footprints and contact shadows leave
uniform vec3 marks_area;  // x, y of the middle [m], 1 / side
uniform float marks_top;  // higher ground has none: it is a roof over them [m]

uniform float square;  // side of the squares that lines part the ground into [m]

const float THIN = 0.006;  // half the width of the lines, as a fraction of a square
const float THICK = 0.012;  // and of every fifth line

// How much lines between squares cover of a pixel, at a point in squares: a box filter, never aliased.
float lines(vec2 at) {
    vec2 scale = 1.0 / fwidth(at);  // pixels in a square
    vec2 one = (abs(fract(at) - 0.5) - (0.5 - THIN)) * scale + 0.5;
    vec2 five = (5.0 * abs(fract(0.2 * at) - 0.5) - (2.5 - THICK)) * scale + 0.5;
    one = clamp(one, vec2(0.0), min(vec2(1.0), 2.0 * THIN * scale));
    five = clamp(five, vec2(0.0), min(vec2(1.0), 2.0 * THICK * scale));
    return max(0.24 * max(one.x, one.y), 0.42 * max(five.x, five.y));
}

float marked(vec3 point, float upward) {
#ifdef MARKS
    vec2 at = 0.5 + (point.xy - marks_area.xy) * marks_area.z;
    return point.z < marks_top ? mix(1.0, textureLod(marks, at, 0.0).r, upward) : 1.0;
#else
    return 1.0;
#endif
}

void main() {
#ifdef EDGED
    vec3 n = normalize(normal);
    float upward = facing_up(n);
    vec3 colour = ground_colour(point, n);
    float height = 4.7 * point.z / square + 0.3;
    float stripe = mix(fract(height), 0.5, smoothstep(0.5, 1.5, fwidth(height)));
    colour *= 1.0 - 0.14 * stripe;  // distinguishes one level from the next
    float level = max(upward, facing_up(-n));  // who hangs from a ceiling is seen to move, too
    colour *= (1.0 - level * lines(point.xy / square)) * marked(point, upward);
    float lit = sunlight(point, n);
    vec3 around = ambient(n) + fill(point, n, lit);
    pixel = seen(colour * (around * open(point, n) + SUN_COLOUR * lit), point, veil_at(point));
#else
    vec3 colour = seen_lit.rgb;
#if defined OPEN || defined FAR
    colour = colour * open(place.xyz, normal) + in_sun * unshaded(place.xyz, normal);
#endif
    colour *= (1.0 - place.w * lines(place.xy / square)) * marked(place.xyz, place.w);
    pixel = vec4(sqrt(colour + (1.0 - seen_lit.a) * HORIZON), 1.0);
#endif
}
