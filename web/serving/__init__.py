"""The server process: cheroot, made to last. What a slow, a vanished or an encrypted client needs beyond it."""
