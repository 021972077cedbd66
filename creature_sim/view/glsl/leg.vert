layout(location = 0) in vec3 corner;  // which joint, to the side, along; 4: of the foot
layout(location = 2) in vec4 first;  // joints and radii there
layout(location = 3) in vec4 second;
layout(location = 4) in vec4 third;
layout(location = 5) in vec4 last;
layout(location = 6) in vec4 look;  // colour
layout(location = 7) in vec4 foot;  // colour, radius
uniform mat4 view_projection;
const float BLUR = 0.3;
const float FLAT = 0.6;  // height of a foot over its width
const float SHARPEST = 0.5;  // cosine of half of the bend whose outer corner is not cut
out vec3 shown;

vec3 unit(vec3 arm) { return arm / max(length(arm), 1e-9); }

// A ribbon that faces the eye, lit as half of a cylinder.
void main() {
    bool is_foot = corner.x > 3.5;
    vec4 at = corner.x < 0.5 ? first : corner.x < 1.5 ? second : corner.x < 2.5 ? third : last;
    vec3 before = corner.x < 1.5 ? first.xyz : corner.x < 2.5 ? second.xyz : third.xyz;
    vec3 after = corner.x < 0.5 ? second.xyz : corner.x < 1.5 ? third.xyz : last.xyz;
    vec3 to_eye = unit(eye - at.xyz);
    vec3 came = corner.x < 0.5 ? after - at.xyz : at.xyz - before;
    vec3 goes = at.xyz == after ? came : after - at.xyz;
    vec3 came_side = unit(cross(came, to_eye));
    vec3 side = unit(came_side + unit(cross(goes, to_eye)));
    vec3 along = cross(to_eye, side);
    vec3 normal = normalize(is_foot ? to_eye - along : to_eye + corner.y * side);
    float wide = is_foot ? foot.a : at.a / max(SHARPEST, dot(side, came_side));
    vec3 point = at.xyz + wide * (corner.y * side + FLAT * corner.z * along);
    vec3 colour = is_foot ? foot.rgb : look.rgb;
    gl_Position = view_projection * vec4(point, 1.0);
    shown = solid_at(point, normal, vec3(0.0), colour * colour, 0, BLUR).rgb;
}
