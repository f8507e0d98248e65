"""How results read without a model: one template per kind of row, each in a full and a brief form."""
