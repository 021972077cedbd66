out vec4 pixel;
#ifdef SMALL
in vec3 shown;

void main() { pixel = vec4(shown, 1.0); }
#else
in vec3 point;
in vec3 normal;
in vec3 local;
in vec3 colour;
flat in int material;

void main() {
    float blur = max(fwidth(local.x), 1e-4);
    pixel = solid_at(point, normalize(normal), local, colour, material, blur);
}
#endif
