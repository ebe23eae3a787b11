pytest_plugins = ["orchestrate"]
