layout(location = 0) in vec2 position;
layout(location = 1) in vec2 point;
layout(location = 2) in vec4 colour;
uniform vec2 size;  // of the window, in its own units
out vec2 at;
out vec4 tint;

void main() {
    at = point;
    tint = colour;
    gl_Position = vec4(2.0 * position.x / size.x - 1.0, 1.0 - 2.0 * position.y / size.y, 0.0, 1.0);
}
