"""What may happen to the state, each act with the events it causes. Knows neither HTTP nor who asks: that is checked before."""
