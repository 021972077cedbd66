"""Replays as files for anybody to look at: pictures, films, contact sheets, a page.

render.render       a replay into one picture, an animation, a video or a contact sheet
moments             which moments are drawn
operator            the camera of a film
encoders            pixels into PNG, WebP, GIF, APNG, MP4
page.write_page     a replay into one self-contained page that plays it in a browser
scene.write_scene   a replay into a scene for Foxglove and Lichtblick
tables.write_table  a replay into a table of joints
animation           a replay into skeletons that move, for engines and animation tools
formats             which of the last four a file's name asks for

Nothing here uses OpenGL: pictures come from `view.offscreen`.
"""
