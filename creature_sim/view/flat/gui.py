"""Dear ImGui in a pyglet window: takes what the user does, draws the triangles that it returns."""

import ctypes

from imgui_bundle import imgui
from pyglet import gl
from pyglet.window import key, mouse

from creature_sim.view.gl.mesh import made
from creature_sim.view.gl.shaders import Programs

BUTTONS = {mouse.LEFT: 0, mouse.RIGHT: 1, mouse.MIDDLE: 2}
KEYS = {
    key.BACKSPACE: imgui.Key.backspace,
    key.DELETE: imgui.Key.delete,
    key.RETURN: imgui.Key.enter,
    key.NUM_ENTER: imgui.Key.keypad_enter,
    key.ESCAPE: imgui.Key.escape,
    key.LEFT: imgui.Key.left_arrow,
    key.RIGHT: imgui.Key.right_arrow,
    key.HOME: imgui.Key.home,
    key.END: imgui.Key.end,
    key.LCTRL: imgui.Key.mod_ctrl,
    key.RCTRL: imgui.Key.mod_ctrl,
}
"""The keys that are needed to type a number into a slider."""
TEXTURE_UNIT = 7


class Gui:
    """One ImGui context, and its buffers in the current OpenGL context."""

    def __init__(self, scale: float) -> None:
        """Prepare it for a screen with `scale` times 96 pixels to the inch."""
        self._context = imgui.create_context()
        self._io = imgui.get_io()
        self._io.set_ini_filename("")  # nothing is remembered, no file is written
        self._io.backend_flags |= imgui.BackendFlags_.renderer_has_textures.value
        self._height = 1
        self.rescale(scale)
        self._programs = Programs()
        self._vertices, self._indices = made(gl.glGenBuffers), made(gl.glGenBuffers)
        self._array = made(gl.glGenVertexArrays)
        gl.glBindVertexArray(self._array)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._vertices)
        for slot, count, kind, offset in (
            (0, 2, gl.GL_FLOAT, imgui.VERTEX_BUFFER_POS_OFFSET),
            (1, 2, gl.GL_FLOAT, imgui.VERTEX_BUFFER_UV_OFFSET),
            (2, 4, gl.GL_UNSIGNED_BYTE, imgui.VERTEX_BUFFER_COL_OFFSET),
        ):
            gl.glEnableVertexAttribArray(slot)
            start = ctypes.c_void_p(offset)
            is_normalised = kind == gl.GL_UNSIGNED_BYTE
            gl.glVertexAttribPointer(slot, count, kind, is_normalised, imgui.VERTEX_SIZE, start)
        gl.glBindVertexArray(0)

    def rescale(self, scale: float) -> None:
        """Draw for another screen."""
        imgui.set_current_context(self._context)
        style = imgui.get_style()
        style.font_scale_dpi = scale

    @property
    def wants_text(self) -> bool:
        """Whether keys type into it."""
        return bool(self._io.want_text_input)

    def move(self, x: float, y: float) -> None:
        """Take where the mouse is, from the lower left."""
        self._io.add_mouse_pos_event(x, self._height - y)

    def button(self, button: int, is_down: bool) -> None:
        """Take a button of the mouse."""
        if button in BUTTONS:
            self._io.add_mouse_button_event(BUTTONS[button], is_down)

    def wheel(self, across: float, up: float) -> None:
        """Take notches of the wheel."""
        self._io.add_mouse_wheel_event(across, up)

    def key(self, symbol: int, is_down: bool) -> None:
        """Take a key."""
        if symbol in KEYS:
            self._io.add_key_event(KEYS[symbol], is_down)

    def text(self, text: str) -> None:
        """Take what was written."""
        for character in text:
            self._io.add_input_character(ord(character))

    def begin(self, size: tuple[int, int], seconds: float) -> None:
        """Begin a frame in a window of this size."""
        imgui.set_current_context(self._context)
        self._height = size[1]
        self._io.display_size = imgui.ImVec2(*size)
        self._io.delta_time = max(1e-4, seconds)
        imgui.new_frame()

    def end(self, pixels: tuple[int, int]) -> None:
        """Draw the frame over the picture, into a framebuffer of a size [px]."""
        imgui.render()
        data = imgui.get_draw_data()
        for texture in imgui.get_platform_io().textures:
            if texture.status != imgui.ImTextureStatus.ok:
                _refresh(texture)
        width, height = self._io.display_size
        if min(*pixels, width, height) < 1:
            return
        x_scale, y_scale = pixels[0] / width, pixels[1] / height
        gl.glViewport(0, 0, *pixels)
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA)
        gl.glEnable(gl.GL_SCISSOR_TEST)
        gl.glActiveTexture(gl.GL_TEXTURE0 + TEXTURE_UNIT)
        self._programs.set(size=(width, height), glyphs=TEXTURE_UNIT)
        self._programs.use("gui")
        gl.glBindVertexArray(self._array)
        for part in data.cmd_lists:
            for target, name, buffer, size in (
                (gl.GL_ARRAY_BUFFER, self._vertices, part.vtx_buffer, imgui.VERTEX_SIZE),
                (gl.GL_ELEMENT_ARRAY_BUFFER, self._indices, part.idx_buffer, imgui.INDEX_SIZE),
            ):
                gl.glBindBuffer(target, name)
                address = ctypes.c_void_p(buffer.data_address())
                gl.glBufferData(target, buffer.size() * size, address, gl.GL_STREAM_DRAW)
            kind = gl.GL_UNSIGNED_SHORT if imgui.INDEX_SIZE == 2 else gl.GL_UNSIGNED_INT
            for command in part.cmd_buffer:
                left, top, right, bottom = command.clip_rect
                area = (left * x_scale, (height - bottom) * y_scale)
                extent = ((right - left) * x_scale, (bottom - top) * y_scale)
                gl.glScissor(*(max(0, round(number)) for number in (*area, *extent)))
                gl.glBindTexture(gl.GL_TEXTURE_2D, command.tex_ref.get_tex_id())
                start = ctypes.c_void_p(command.idx_offset * imgui.INDEX_SIZE)
                gl.glDrawElements(gl.GL_TRIANGLES, command.elem_count, kind, start)
        gl.glBindVertexArray(0)
        gl.glActiveTexture(gl.GL_TEXTURE0)
        gl.glDisable(gl.GL_SCISSOR_TEST)
        gl.glDisable(gl.GL_BLEND)

    def delete(self) -> None:
        """Free the memory; the OpenGL context must be current."""
        imgui.set_current_context(self._context)
        for texture in imgui.get_platform_io().textures:
            _delete(texture)
        imgui.destroy_context(self._context)
        self._programs.delete()
        gl.glDeleteVertexArrays(1, gl.GLuint(self._array))
        gl.glDeleteBuffers(2, (gl.GLuint * 2)(self._vertices, self._indices))


def _refresh(texture: imgui.ImTextureData) -> None:
    """Do with a texture what ImGui asks for: create it, fill it with new glyphs, or delete it."""
    if texture.status == imgui.ImTextureStatus.want_destroy:
        _delete(texture)
        return
    if texture.status == imgui.ImTextureStatus.want_create:
        texture.set_tex_id(made(gl.glGenTextures))
    gl.glBindTexture(gl.GL_TEXTURE_2D, texture.tex_id)
    for setting in (gl.GL_TEXTURE_MIN_FILTER, gl.GL_TEXTURE_MAG_FILTER):
        gl.glTexParameteri(gl.GL_TEXTURE_2D, setting, gl.GL_LINEAR)
    gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1)
    pixels = texture.get_pixels_array().ctypes.data_as(ctypes.c_void_p)
    shape = (texture.width, texture.height, 0)
    gl.glTexImage2D(
        *(gl.GL_TEXTURE_2D, 0, gl.GL_RGBA8, *shape, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, pixels)
    )
    texture.status = imgui.ImTextureStatus.ok


def _delete(texture: imgui.ImTextureData) -> None:
    if texture.tex_id:
        gl.glDeleteTextures(1, gl.GLuint(texture.tex_id))
    texture.set_tex_id(0)
    texture.status = imgui.ImTextureStatus.destroyed
