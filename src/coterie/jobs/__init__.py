"""What happens later, without anybody asking."""
