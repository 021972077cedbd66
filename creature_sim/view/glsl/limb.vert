layout(location = 0) in vec3 around;
layout(location = 1) in vec3 end;
layout(location = 2) in vec4 row_x;
layout(location = 3) in vec4 row_y;
layout(location = 4) in vec4 row_z;
layout(location = 5) in vec4 look;  // colour, radius at the end over that at the start
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
    float radius = length(axes[1]);
    vec3 along = axes[0] / max(length(axes[0]), 1e-9) * radius;
    vec3 outward = along * around.x + axes[1] * around.y + axes[2] * around.z;
    point = vec3(row_x.w, row_y.w, row_z.w) + axes[0] * end.x + outward * mix(1.0, look.a, end.x);
    normal = normalize(outward);
    local = around;
    colour = look.rgb * look.rgb;
    material = 0;
    gl_Position = view_projection * vec4(point, 1.0);
#ifdef SMALL
    shown = solid_at(point, normal, local, colour, material, BLUR).rgb;
#endif
}
