"""Where a message goes while a turn runs, who answers, and why the others do not."""
