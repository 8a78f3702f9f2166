"""Decisions, as plain functions over plain data: no file, socket, clock or chance."""
