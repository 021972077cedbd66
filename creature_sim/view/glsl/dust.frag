in vec2 local;
in vec3 point;
in vec4 tint;
out vec4 pixel;

void main() {
    float inside = max(0.0, 1.0 - dot(local, local));
    vec3 light = ambient(vec3(0.0, 0.0, 1.0)) + 0.7 * SUN_COLOUR;
    pixel = vec4(seen(tint.rgb * tint.rgb * light, point, 0.0).rgb, tint.a * inside * inside);
}
