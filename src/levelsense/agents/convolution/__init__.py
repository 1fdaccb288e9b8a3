"""The onnx agent: a network over planes of the board, run by ONNX Runtime."""
