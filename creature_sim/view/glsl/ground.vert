layout(location = 0) in vec3 position;
layout(location = 1) in vec3 direction;
uniform mat4 view_projection;
out vec3 place;
out vec3 normal;
invariant gl_Position;  // drawn twice: what the first time drew, the second leaves alone

void main() {
    place = position;
    normal = direction;
    gl_Position = view_projection * vec4(position, 1.0);
}
