"""Signs a user in to Django with django-auth-ldap, which finds them and their groups with the application's account."""

import django
import ldap
from directory import ADDRESS, BASE_DN, BIND_DN, EMAIL, IS_SEARCH, SECRET
from django.conf import settings
from django_auth_ldap.config import GroupOfNamesType, LDAPSearch

settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    USE_TZ=True,
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes"],
    AUTHENTICATION_BACKENDS=["django_auth_ldap.backend.LDAPBackend"],
    AUTH_LDAP_SERVER_URI=ADDRESS,
    AUTH_LDAP_BIND_DN=BIND_DN,
    AUTH_LDAP_BIND_PASSWORD=SECRET,
    AUTH_LDAP_USER_SEARCH=LDAPSearch(f"ou=people,{BASE_DN}", ldap.SCOPE_SUBTREE, "(mail=%(user)s)"),
    AUTH_LDAP_USER_ATTR_MAP={"first_name": "givenName", "last_name": "sn", "email": "mail"},
    AUTH_LDAP_GROUP_SEARCH=LDAPSearch(f"ou=groups,{BASE_DN}", ldap.SCOPE_SUBTREE, "(objectClass=groupOfNames)"),
    AUTH_LDAP_GROUP_TYPE=GroupOfNamesType(),
    AUTH_LDAP_REQUIRE_GROUP=f"cn=USER,ou=groups,{BASE_DN}",
    AUTH_LDAP_MIRROR_GROUPS=True,
)
django.setup()

from django.contrib.auth import authenticate  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django_auth_ldap.backend import LDAPBackend  # noqa: E402

call_command("migrate", verbosity=0)
if IS_SEARCH:
    person = LDAPBackend().populate_user(EMAIL)
    print(f"mail: {person.email}" if person and person.groups.filter(name="USER").exists() else "no user")
else:
    person = authenticate(username=EMAIL, password="x")
    print(f"Welcome, {person.email}" if person and person.first_name else "no user")
