in vec4 far_point;
out vec4 pixel;

void main() {
    vec3 ray = normalize(far_point.xyz / far_point.w - eye);
    float below = 1.0 - max(ray.z, 0.0);
    vec3 colour = mix(ZENITH, HORIZON, below * below * below);
    float glow = max(dot(ray, sun), 0.0);
    glow *= glow;
    glow *= glow;
    glow *= glow;  // to the eighth
    pixel = vec4(sqrt(colour + 0.12 * SUN_COLOUR * glow * glow), 1.0);
}
