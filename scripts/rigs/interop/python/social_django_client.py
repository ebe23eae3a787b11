"""A Django application that signs users in with Python Social Auth."""

import os
from wsgiref.simple_server import make_server

import django
from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import include, path

PORT = int(os.environ["PORT"])


class Refusals:
    """Turns the client's errors into pages with status 401."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        return self.get_response(request)

    def process_exception(self, request, reason):
        return HttpResponse(f"You are not signed in. {type(reason).__name__}: {reason}", status=401)


settings.configure(
    ALLOWED_HOSTS=["localhost"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="only for this run",
    SESSION_COOKIE_NAME=f"site-{PORT}",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"people-{os.getpid()}.sqlite3"}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    USE_TZ=True,
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "social_django"],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        f"{__name__}.Refusals",
    ],
    AUTHENTICATION_BACKENDS=["social_core.backends.open_id_connect.OpenIdConnectAuth"],
    LOGIN_REDIRECT_URL="/me",
    SOCIAL_AUTH_OIDC_OIDC_ENDPOINT=os.environ["ISSUER"],
    SOCIAL_AUTH_OIDC_KEY=os.environ["CLIENT_ID"],
    SOCIAL_AUTH_OIDC_SECRET=os.environ["CLIENT_SECRET"],
    SOCIAL_AUTH_OIDC_SCOPE=["offline_access"],
    SOCIAL_AUTH_OIDC_AUTH_EXTRA_ARGUMENTS={"prompt": "consent"},
    SOCIAL_AUTH_OIDC_USERNAME_KEY="email",
    # Without this, the library accepts an ID token without at_hash.
    SOCIAL_AUTH_OIDC_JWT_DECODE_OPTIONS={"require_at_hash": True},
)
django.setup()
call_command("migrate", verbosity=0)


def me(request):
    if not request.user.is_authenticated:
        return HttpResponse("Not signed in.", status=401)
    return HttpResponse(request.user.email)


def known(request):
    return request.user.social_auth.get()


def userinfo(request):
    from social_django.utils import load_strategy

    social = known(request)
    backend = social.get_backend_instance(load_strategy(request))
    return HttpResponse(str(backend.user_data(social.access_token)))


def refresh(request):
    from social_django.utils import load_strategy

    known(request).refresh_token(load_strategy(request))
    return HttpResponse("refreshed")


urlpatterns = [
    path("login", lambda request: redirect("/login/oidc/")),
    path("me", me),
    path("userinfo", userinfo),
    path("refresh", refresh),
    path("", include("social_django.urls", namespace="social")),
]

make_server("localhost", PORT, get_wsgi_application()).serve_forever()
