layout(location = 0) in vec3 position;
layout(location = 1) in vec3 direction;
uniform mat4 view_projection;
out vec3 point;
out vec3 normal;
#ifndef EDGED
out vec3 in_shade;  // colour of the surface in the light of the sky, seen through the fog
out vec3 in_sun;  // what the sun adds to it
out vec2 clear_upward;  // fraction seen through the fog, and how much the surface faces up
#endif
invariant gl_Position;  // drawn twice: the second time leaves what the first time drew

void main() {
    point = position;
    normal = direction;
    gl_Position = view_projection * vec4(position, 1.0);
#ifndef EDGED  // the mesh is so fine that nothing is lost between its corners
    vec3 colour = ground_colour(point, normal);
    float clear = clear_air(point, veil_at(point));
    in_shade = clear * colour * ambient(normal);
    in_sun = clear * colour * SUN_COLOUR * max(0.0, dot(normal, sun));
    clear_upward = vec2(clear, facing_up(normal));
#endif
}
