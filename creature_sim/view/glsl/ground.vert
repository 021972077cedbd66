layout(location = 0) in vec3 position;
layout(location = 1) in vec3 direction;
uniform mat4 view_projection;
out vec3 place;
out vec3 normal;
#ifndef EDGED
out vec3 in_shade;  // what is seen of the surface in the light of the sky
out vec3 in_sun;  // and what the sun adds
out vec2 clear_upward;  // share of it that is seen through the air, how much it faces up
#endif
invariant gl_Position;  // drawn twice: what the first time drew, the second leaves alone

void main() {
    place = position;
    normal = direction;
    gl_Position = view_projection * vec4(position, 1.0);
#ifndef EDGED  // so finely meshed that nothing is lost between its corners
    vec3 colour = ground_colour(place, normal);
    float clear = clear_air(place, veil_at(place));
    in_shade = clear * colour * ambient(normal);
    in_sun = clear * colour * SUN_COLOUR * max(0.0, dot(normal, sun));
    clear_upward = vec2(clear, facing_up(normal));
#endif
}
