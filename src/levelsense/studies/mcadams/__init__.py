"""The study of McAdams' beam search: his boards, his players, and his figures beside ours."""
