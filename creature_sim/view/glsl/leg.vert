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
out vec3 shown;

// A ribbon that faces the eye, lit as half of a cylinder.
void main() {
    bool is_foot = corner.x > 3.5;
    vec4 at = corner.x < 0.5 ? first : corner.x < 1.5 ? second : corner.x < 2.5 ? third : last;
    vec3 before = corner.x < 1.5 ? first.xyz : corner.x < 2.5 ? second.xyz : third.xyz;
    vec3 after = corner.x < 0.5 ? second.xyz : corner.x < 1.5 ? third.xyz : last.xyz;
    vec3 along = (after - before) / max(distance(after, before), 1e-9);
    vec3 side = cross(along, eye - at.xyz);
    side /= max(length(side), 1e-9);
    vec3 front = cross(side, along);
    vec3 normal = normalize(is_foot ? front - along : front + corner.y * side);
    vec3 outward = corner.y * side + FLAT * corner.z * along;
    vec3 point = at.xyz + (is_foot ? foot.a : at.a) * outward;
    vec3 colour = is_foot ? foot.rgb : look.rgb;
    gl_Position = view_projection * vec4(point, 1.0);
    shown = solid_at(point, normal, vec3(0.0), colour * colour, 0, BLUR).rgb;
}
