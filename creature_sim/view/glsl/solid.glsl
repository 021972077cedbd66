// The look of solids, at a point of their surface.
const int HULL = 1;
const int EYE = 2;
const int PROP = 3;
const int DRUM = 4;  // a prop that is a cylinder about Z
const vec3 WHITE = vec3(0.88, 0.87, 0.82);
const vec3 PUPIL = vec3(0.004, 0.004, 0.007);

// An eye that looks along X: a pupil in white, and behind it a lid in the colour of the body.
vec3 eye_colour(vec3 lid, float ahead, float blur) {
    vec3 shown = mix(lid, WHITE, smoothstep(-blur, blur, ahead - 0.12));
    return mix(shown, PUPIL, smoothstep(-blur, blur, ahead - 0.74));
}

// Its colour on the screen; `blur` is the length of a pixel in the solid's own unit.
vec4 solid_at(vec3 point, vec3 n, vec3 local, vec3 colour, int material, float blur) {
    vec3 base = colour;
    float gloss = 0.10;
    float power = 24.0;
    if (material == HULL) {
        base = mix(base, mix(base, vec3(0.80, 0.74, 0.62), 0.55), smoothstep(0.05, -0.75, local.z));
        base *= 1.0 - 0.22 * smoothstep(0.30, 0.22, abs(local.y)) * smoothstep(0.2, 0.5, local.z);
    } else if (material == EYE) {
        base = eye_colour(base, local.x, blur);
        gloss = 0.9;
        power = 90.0;
    }
    if (material == DRUM) {  // in twelve sectors, so that one sees it turn
        float wave = sin(6.0 * atan(local.y, local.x + 1e-6));
        base *= mix(0.67, 1.0, smoothstep(-0.06, 0.06, wave));
    }
    vec3 ray = normalize(point - eye);
    float lit = sunlight(point, n);
    float rim = 1.0 - max(0.0, -dot(n, ray));
    vec3 around = ambient(n) + fill(point, n, lit);
    if (material >= PROP) around *= open(point, n);  // one can stand on it, as on ground
    vec3 light = around + SUN_COLOUR * lit;
    float glint = pow(max(dot(reflect(ray, n), sun), 0.0), power);
    vec3 shown = base * light + gloss * glint * min(1.0, 4.0 * lit) * SUN_COLOUR;
    shown += 0.10 * rim * rim * rim * SKY_LIGHT * (0.5 + 0.5 * n.z);
    return seen(shown, point, 0.0);
}
