in vec2 local;
in vec2 style;
out vec4 pixel;

void main() {
    float shade = style.x * (1.0 - smoothstep(style.y, 1.0, length(local)));
    pixel = vec4(1.0 - shade);
}
