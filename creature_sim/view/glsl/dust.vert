layout(location = 0) in vec3 position;
layout(location = 2) in vec4 row_x;
layout(location = 3) in vec4 row_y;
layout(location = 4) in vec4 row_z;
layout(location = 5) in vec4 look;  // colour, opacity
uniform mat4 view_projection;
out vec2 local;
out vec3 point;
out vec4 tint;

void main() {
    vec4 at = vec4(position, 1.0);
    point = vec3(dot(row_x, at), dot(row_y, at), dot(row_z, at));
    local = position.xy;
    tint = look;
    gl_Position = view_projection * vec4(point, 1.0);
}
