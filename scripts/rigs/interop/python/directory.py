"""Settings of the run: the directory's address and the user to look up."""

import os
import sys

ADDRESS = os.environ["ADDRESS"]
BASE_DN, BIND_DN, SECRET = os.environ["BASE_DN"], os.environ["BIND_DN"], os.environ["SECRET"]
EMAIL = os.environ["EMAIL"]
FILTER = f"(&(objectClass=inetOrgPerson)(mail={EMAIL}))"
IS_SEARCH = sys.argv[1] == "search"
