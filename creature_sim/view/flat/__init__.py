"""What lies flat over the picture: texts, bars, diagrams, sliders."""
