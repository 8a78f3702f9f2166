"""What users decorate: tools and planners, and the drafts that they make."""
