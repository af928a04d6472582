"""What one work-item computes: its ways, loads, iterations and values."""
