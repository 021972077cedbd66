// Sun, sky, shadow and fog, for every surface. Colours are linear; gamma is taken as 2.
#ifdef NEAR  // who casts shadows takes light from the sky away, too
#define OPEN
#endif
uniform vec3 eye;
uniform vec3 sun;  // unit direction towards it
uniform mat4 near_from_world;  // into the shadow map of what moves, [0, 1]
uniform mat4 far_from_world;  // into the shadow map of the ground
uniform sampler2D near_shadow;
uniform sampler2D far_shadow;
uniform vec2 near_texel;  // [fraction of the map, m]
uniform vec2 far_texel;
uniform bool near_is_fine;

const vec3 SUN_COLOUR = vec3(0.98, 0.88, 0.72);
const vec3 SKY_LIGHT = vec3(0.40, 0.46, 0.56);
const vec3 BOUNCE = vec3(0.33, 0.30, 0.25);
const vec3 FILL = vec3(0.52, 0.48, 0.42);
const vec3 HORIZON = vec3(0.755, 0.812, 0.836);
const vec3 ZENITH = vec3(0.165, 0.360, 0.640);
uniform float fog;  // [1/m^2]

// Fraction of the sun that reaches a point behind the casters in the near map: the mean of 3 x 3
// texels around it, without steps from texel to texel. Where no caster is thinner than that, and
// the corners of the 4 x 4 texels agree, all of them do; there the loop ends at once.
float past_near(vec3 point) {
    vec3 at = (near_from_world * vec4(point, 1.0)).xyz;
    at.z = min(at.z, 1.0);
    vec2 corner = clamp(at.xy, 2.0 * near_texel.x, 1.0 - 2.0 * near_texel.x) / near_texel.x - 0.5;
    vec2 part = fract(corner);
    ivec2 first = ivec2(corner) - 1;
    vec4 corners = step(vec4(at.z), vec4(texelFetch(near_shadow, first, 0).r,
                                         texelFetch(near_shadow, first + ivec2(3, 0), 0).r,
                                         texelFetch(near_shadow, first + ivec2(0, 3), 0).r,
                                         texelFetch(near_shadow, first + ivec2(3, 3), 0).r));
    float sum = dot(corners, vec4(1.0));
    bool agree = near_is_fine && (sum == 0.0 || sum == 4.0);
    float share = agree ? 2.25 * sum : 0.0;
    vec4 wide = vec4(1.0 - part.x, 1.0, 1.0, part.x);
    vec4 high = vec4(1.0 - part.y, 1.0, 1.0, part.y);
    for (int i = agree ? 16 : 0; i < 16; ++i) {
        ivec2 texel = ivec2(i & 3, i >> 2);
        share += wide[texel.x] * high[texel.y]
                 * step(at.z, texelFetch(near_shadow, first + texel, 0).r);
    }
    return share / 9.0;
}

// The same behind the ground, blended between the four nearest texels.
float past_far(vec3 point) {
    vec3 at = (far_from_world * vec4(point, 1.0)).xyz;
    vec2 corner = clamp(at.xy, far_texel.x, 1.0 - far_texel.x) / far_texel.x - 0.5;
    vec2 part = fract(corner);
    ivec2 first = ivec2(corner);
    vec4 open = step(vec4(min(at.z, 1.0)), vec4(texelFetch(far_shadow, first, 0).r,
                                                texelFetch(far_shadow, first + ivec2(1, 0), 0).r,
                                                texelFetch(far_shadow, first + ivec2(0, 1), 0).r,
                                                texelFetch(far_shadow, first + ivec2(1, 1), 0).r));
    vec2 rows = mix(open.xz, open.yw, part.x);
    vec2 edge = abs(2.0 * at.xy - 1.0);  // shadows fade before the map ends
    return mix(mix(rows.x, rows.y, part.y), 1.0, smoothstep(0.8, 0.98, max(edge.x, edge.y)));
}

// Fraction of the sun that shadows leave.
float unshaded(vec3 point, vec3 normal) {
    float share = 1.0;
#ifdef NEAR
    share *= past_near(point + 2.0 * near_texel.y * normal);
#endif
#ifdef FAR
    share *= past_far(point + 1.0 * far_texel.y * normal);
#endif
    return share;
}

float sunlight(vec3 point, vec3 normal) {
    return max(0.0, dot(normal, sun)) * unshaded(point, normal);
}

vec3 ambient(vec3 normal) { return mix(BOUNCE, SKY_LIGHT, 0.5 + 0.5 * normal.z); }

#ifdef OPEN
const int MOST_BALLS = 64;
const float BALLS_REACH = 6.0;
const float SOFTENED = 0.6;  // nothing is quite dark below a ball that touches it
uniform vec4 balls[MOST_BALLS];  // middles and radii of what takes light away from ground near it
uniform vec4 balls_around;  // a ball that holds all that they darken
uniform int ball_count;
#endif

// Fraction of the light from all around that things near a surface leave to it.
float open(vec3 point, vec3 normal) {
    float left = 1.0;
#ifdef OPEN
    if (distance(point, balls_around.xyz) < balls_around.w) {
        for (int i = 0; i < ball_count; ++i) {
            vec3 arm = balls[i].xyz - point;
            float square = dot(arm, arm), own = balls[i].w * balls[i].w;
            float fade = max(0.0, 1.0 - square / (BALLS_REACH * BALLS_REACH * own));
            float facing = max(0.0, dot(arm, normal) * inversesqrt(max(square, 1e-12)));
            square = max(square, own);  // of a foot in a corner a part may be in the other wall
            left *= 1.0 - own / (square + SOFTENED * own) * facing * fade * fade;
        }
    }
#endif
    return left;
}

// What walls and floors throw back, as a lamp at the eye would: on what faces it, the more the less of
// the sky that sees and the less sun it has. Without it walls in the shade, ceilings and who walks
// there are flat and dark.
vec3 fill(vec3 point, vec3 normal, float lit) {
    float facing = max(0.0, dot(normal, normalize(eye - point)));
    return FILL * ((0.5 - 0.5 * normal.z) * facing * (1.0 - lit));
}

// Fraction of a colour that is seen through the fog.
float clear_air(vec3 point, float veil) {
    vec3 edge = point - eye;
    return exp2(-fog * dot(edge, edge)) * (1.0 - veil);
}

// A linear colour seen through the fog, ready for the screen.
vec4 seen(vec3 colour, vec3 point, float veil) {
    return vec4(sqrt(mix(HORIZON, colour, clear_air(point, veil))), 1.0);
}
