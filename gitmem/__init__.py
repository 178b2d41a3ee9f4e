"""Git-native memory for AI coding agents: run ledger, durable memory, drift checker."""

__version__ = "0.1.0"
