"""An application that signs users in with Requests-OAuthlib, which only supports OAuth 2.0."""

import os

from pages import URL, Redirect, page, person_at, serve
from requests_oauthlib import OAuth2Session

ISSUER, CLIENT_ID, SECRET = os.environ["ISSUER"], os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"]
# By default it rejects changed scopes, and requires TLS even on localhost.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
SCOPE = ["openid", "profile", "email", "offline_access"]


def client(**more):
    return OAuth2Session(CLIENT_ID, scope=SCOPE, redirect_uri=f"{URL}/callback", **more)


def person_of(token):
    return client(token=token).get(f"{ISSUER}/me").json()


@page("/login")
def login(session, query):
    address, session["state"] = client().authorization_url(f"{ISSUER}/auth", prompt="consent")
    raise Redirect(address)


@page("/callback")
def callback(session, query):
    token = client(state=session["state"]).fetch_token(
        f"{ISSUER}/token", authorization_response=session["address"], client_secret=SECRET
    )
    session["token"], session["person"] = token, person_of(token)["email"]
    raise Redirect(f"{URL}/me")


@page("/userinfo")
def userinfo(session, query):
    return str(person_of(session["token"]))


@page("/refresh")
def refresh(session, query):
    session["token"] = client(token=session["token"]).refresh_token(f"{ISSUER}/token", auth=(CLIENT_ID, SECRET))
    session["person"] = person_of(session["token"])["email"]
    return "refreshed"


person_at("/me", "person")
serve()
