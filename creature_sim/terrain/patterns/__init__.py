"""What several kinds of ground share: noise, cells of grids, rows of boxes, flights, floors."""
