"""The messages and stubs of opledger.v1, generated from proto/. Never edited."""
