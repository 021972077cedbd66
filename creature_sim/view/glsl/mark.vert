layout(location = 0) in vec3 position;
layout(location = 2) in vec4 row_x;
layout(location = 3) in vec4 row_y;
layout(location = 5) in vec4 look;  // strength, where it begins to fade
uniform vec3 marks_area;
out vec2 local;
out vec2 style;

void main() {
    vec2 point = vec2(dot(row_x, vec4(position, 1.0)), dot(row_y, vec4(position, 1.0)));
    local = position.xy;
    style = look.rg;
    gl_Position = vec4(2.0 * marks_area.z * (point - marks_area.xy), 0.0, 1.0);
}
