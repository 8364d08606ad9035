"""The only model clients: catalogue, embedded model, scripted model, hosted models, fallback."""
