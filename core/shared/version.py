"""The version that cards, /openapi.json and the command line show."""

VERSION = "0.1.0"
