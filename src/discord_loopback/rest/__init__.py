"""REST v10: routes, what each allows and refuses, and the limits of rate."""
