"""What things look like, as triangles and colours, for windows, pictures and pages alike."""
