"""What a window shows, a run or a replay, and the devices that steer it."""
