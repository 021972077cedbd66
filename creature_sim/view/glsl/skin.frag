in vec3 point;
in vec3 normal;
in vec3 colour;
in vec2 spot;
out vec4 pixel;
uniform sampler2D picture;

const float GLOSS = 0.10;

void main() {
    vec3 n = normalize(normal);
    n = gl_FrontFacing ? n : -n;  // thin parts are seen from both sides
    vec3 drawn = texture(picture, spot).rgb;
    vec3 base = colour * drawn * drawn;
    vec3 ray = normalize(point - eye);
    float lit = sunlight(point, n);
    float rim = 1.0 - max(0.0, -dot(n, ray));
    vec3 light = ambient(n) + fill(point, n, lit) + SUN_COLOUR * lit;
    float glint = pow(max(dot(reflect(ray, n), sun), 0.0), 24.0);
    vec3 shown = base * light + GLOSS * glint * min(1.0, 4.0 * lit) * SUN_COLOUR;
    shown += 0.10 * rim * rim * rim * SKY_LIGHT * (0.5 + 0.5 * n.z);
    pixel = seen(shown, point, 0.0);
}
