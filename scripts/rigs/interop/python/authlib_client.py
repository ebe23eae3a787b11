"""An application that signs users in with Authlib."""

import os

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import jwt
from authlib.oidc.core import CodeIDToken
from pages import URL, Redirect, page, person_at, serve

provider = requests.get(f"{os.environ['ISSUER']}/.well-known/openid-configuration").json()
CALLBACK = f"{URL}/callback"


def client(**more):
    return OAuth2Session(
        os.environ["CLIENT_ID"],
        os.environ["CLIENT_SECRET"],
        scope="openid profile email offline_access",
        redirect_uri=CALLBACK,
        code_challenge_method="S256",
        token_endpoint=provider["token_endpoint"],
        **more,
    )


@page("/login")
def login(session, query):
    session["verifier"], session["nonce"] = generate_token(48), generate_token()
    address, session["state"] = client().create_authorization_url(
        provider["authorization_endpoint"],
        nonce=session["nonce"],
        code_verifier=session["verifier"],
        prompt="consent",
    )
    raise Redirect(address)


@page("/callback")
def callback(session, query):
    token = client(state=session["state"]).fetch_token(
        authorization_response=session["address"], code_verifier=session["verifier"]
    )
    keys = requests.get(provider["jwks_uri"]).json()
    claims = jwt.decode(
        token["id_token"],
        keys,
        claims_cls=CodeIDToken,
        claims_options={
            "iss": {"essential": True, "value": provider["issuer"]},
            "aud": {"essential": True, "value": os.environ["CLIENT_ID"]},
            "at_hash": {"essential": True},
        },
        claims_params={
            "nonce": session["nonce"],
            "client_id": os.environ["CLIENT_ID"],
            "access_token": token["access_token"],
        },
    )
    claims.validate(leeway=5)
    session["token"], session["person"] = token, claims["email"]
    raise Redirect(f"{URL}/me")


@page("/userinfo")
def userinfo(session, query):
    return client(token=session["token"]).get(provider["userinfo_endpoint"]).text


@page("/refresh")
def refresh(session, query):
    session["token"] = client(token=session["token"]).refresh_token(provider["token_endpoint"])
    return "refreshed"


person_at("/me", "person")
serve()
