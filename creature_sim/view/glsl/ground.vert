layout(location = 0) in vec3 position;
layout(location = 1) in vec3 direction;
uniform mat4 view_projection;
// Few and full vectors: where a CPU draws, each of them costs a small triangle about as much as its pixels.
#ifdef EDGED
out vec3 point;
out vec3 normal;
#else
out vec4 place;  // the point, and how much the surface faces up
out vec4 seen_lit;  // colour of the lit surface seen through the fog, and the fraction seen through it
#if defined OPEN || defined FAR
out vec3 normal;
out vec3 in_sun;  // what of that the sun adds, where it may be shaded
#endif
#endif
invariant gl_Position;  // drawn twice: the second time leaves what the first time drew

void main() {
    gl_Position = view_projection * vec4(position, 1.0);
#ifdef EDGED
    point = position;
    normal = direction;
#else  // the mesh is so fine that nothing is lost between its corners
    vec3 colour = ground_colour(position, direction);
    float clear = clear_air(position, veil_at(position));
    vec3 sunny = clear * colour * SUN_COLOUR * max(0.0, dot(direction, sun));
    vec3 shady = clear * colour * ambient(direction);
    place = vec4(position, facing_up(direction));
#if defined OPEN || defined FAR
    seen_lit = vec4(shady, clear);
    normal = direction;
    in_sun = sunny;
#else
    seen_lit = vec4(shady + sunny, clear);
#endif
#endif
}
