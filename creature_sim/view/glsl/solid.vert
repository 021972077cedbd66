layout(location = 0) in vec3 position;
layout(location = 1) in vec3 direction;
layout(location = 2) in vec4 row_x;
layout(location = 3) in vec4 row_y;
layout(location = 4) in vec4 row_z;
layout(location = 5) in vec4 look;  // colour, material
uniform mat4 view_projection;
#ifdef SMALL
const float BLUR = 0.3;
vec3 point, normal, local, colour;
int material;
out vec3 shown;  // it looks so small that nothing is lost between the corners of its triangles
#else
out vec3 point;
out vec3 normal;
out vec3 local;
out vec3 colour;
flat out int material;
#endif

void main() {
    mat3 axes = transpose(mat3(row_x.xyz, row_y.xyz, row_z.xyz));
    vec3 squares = vec3(dot(axes[0], axes[0]), dot(axes[1], axes[1]), dot(axes[2], axes[2]));
    point = axes * position + vec3(row_x.w, row_y.w, row_z.w);
    normal = normalize(axes * (direction / squares));
    local = position;
    colour = look.rgb * look.rgb;
    material = int(look.a + 0.5);
    gl_Position = view_projection * vec4(point, 1.0);
#ifdef SMALL
    shown = solid_at(point, normal, local, colour, material, BLUR).rgb;
#endif
}
