uniform mat4 to_world;
out vec4 far_point;

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    far_point = to_world * vec4(corner, 1.0, 1.0);
    gl_Position = vec4(corner, 1.0, 1.0);
}
