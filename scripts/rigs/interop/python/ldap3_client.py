"""Finds a user with the application's account and signs them in with ldap3, which reads root DSE and schema first."""

import ldap3
from directory import ADDRESS, BASE_DN, BIND_DN, EMAIL, FILTER, IS_SEARCH, SECRET

server = ldap3.Server(ADDRESS, get_info=ldap3.ALL)
connection = ldap3.Connection(server, BIND_DN, SECRET, auto_bind=True, raise_exceptions=True)
person = ldap3.ObjectDef(["inetOrgPerson", "posixAccount"], connection)
[entry] = ldap3.Reader(connection, person, BASE_DN, FILTER).search(["mail", "uidNumber"])
if IS_SEARCH:
    print(f"mail: {entry.mail.value}")
else:
    ldap3.Connection(server, entry.entry_dn, "x", auto_bind=True)
    print(f"Welcome, {EMAIL}")
