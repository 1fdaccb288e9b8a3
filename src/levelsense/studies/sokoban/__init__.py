"""Sokoban levels with what people made of them: do agents' attempts tell how people fare?"""
