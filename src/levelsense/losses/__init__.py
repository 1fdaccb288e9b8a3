"""Why attempts at a level are lost: findings in sentences, from what happened in lost attempts."""
