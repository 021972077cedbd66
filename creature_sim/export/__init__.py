"""Replays as files for anybody to look at: pictures, films, contact sheets, a page.

render.render     a replay into one picture, an animation, a video or a contact sheet
moments           which moments are drawn
operator          the camera of a film
encoders          pixels into PNG, WebP, GIF, APNG, MP4
page.write_page   a replay into one self-contained page that plays it in a browser

Nothing here uses OpenGL: pictures come from `view.offscreen`.
"""
