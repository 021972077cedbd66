in vec2 at;
in vec4 tint;
uniform sampler2D glyphs;
out vec4 pixel;

void main() { pixel = tint * texture(glyphs, at); }
