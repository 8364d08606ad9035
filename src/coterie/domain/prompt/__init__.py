"""What a model is shown: the persona block, the history, and what is dropped when it does not fit."""
