"""Finds a user with the application's account and signs them in with python-ldap."""

import ldap
from directory import ADDRESS, BASE_DN, BIND_DN, EMAIL, FILTER, IS_SEARCH, SECRET

connection = ldap.initialize(ADDRESS)
connection.simple_bind_s(BIND_DN, SECRET)
[(dn, attributes)] = connection.search_s(BASE_DN, ldap.SCOPE_SUBTREE, FILTER, ["mail", "memberOf"])
if IS_SEARCH:
    print(f"mail: {attributes['mail'][0].decode()}")
else:
    ldap.initialize(ADDRESS).simple_bind_s(dn, "x")
    print(f"Welcome, {EMAIL}")
