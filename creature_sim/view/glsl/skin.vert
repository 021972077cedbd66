#ifndef BONES  // that a vertex follows, at most: 1, 2, 4 or 8
#define BONES 4
#endif
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 direction;
layout(location = 2) in vec3 tint;
layout(location = 3) in vec2 place;
layout(location = 4) in vec4 bones;
layout(location = 5) in vec4 weights;
#if BONES > 4
layout(location = 6) in vec4 more_bones;
layout(location = 7) in vec4 more_weights;
#endif
layout(std140) uniform Pose {
    vec4 pose[ROWS];  // of each creature, for each bone the rows of a 3x4 matrix
};
uniform int bone_count;
uniform mat4 view_projection;
out vec3 point;
out vec3 normal;
out vec3 colour;
out vec2 spot;

// Adds what a vertex follows of a bone. Who follows fewer than others has weights of 0, no branches:
// where a CPU draws, those cost more than they spare.
void add(inout mat3x4 rows, float bone, float weight) {
    int at = 3 * (gl_InstanceID * bone_count + int(bone));
    rows[0] += weight * pose[at];
    rows[1] += weight * pose[at + 1];
    rows[2] += weight * pose[at + 2];
}

void main() {
    mat3x4 rows = mat3x4(0.0);
    add(rows, bones.x, weights.x);
#if BONES > 1
    add(rows, bones.y, weights.y);
#endif
#if BONES > 2
    add(rows, bones.z, weights.z);
    add(rows, bones.w, weights.w);
#endif
#if BONES > 4
    add(rows, more_bones.x, more_weights.x);
    add(rows, more_bones.y, more_weights.y);
    add(rows, more_bones.z, more_weights.z);
    add(rows, more_bones.w, more_weights.w);
#endif
    point = vec4(position, 1.0) * rows;
    normal = vec4(direction, 0.0) * rows;
    colour = tint;
    spot = place;
    gl_Position = view_projection * vec4(point, 1.0);
}
