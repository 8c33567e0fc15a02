// For targets that carry no code of their own.
