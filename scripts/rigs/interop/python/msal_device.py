"""A device that signs users in with the OAuth client inside MSAL for Python, which supports any provider."""

import json
import os

import requests
from msal.oauth2cli import Client

provider = requests.get(f"{os.environ['ISSUER']}/.well-known/openid-configuration").json()
SCOPE = ["openid", "profile", "email", "offline_access"]
client = Client(provider, os.environ["CLIENT_ID"], http_client=requests.Session())
flow = client.initiate_device_flow(scope=SCOPE)
print(json.dumps(flow), flush=True)
tokens = client.obtain_token_by_device_flow(flow)
if "error" in tokens:
    print(f"Refused: {tokens['error']}")
else:
    print(f"Signed in as {tokens['id_token_claims']['email']}.")
    proof = {"authorization": f"Bearer {tokens['access_token']}"}
    print(requests.get(provider["userinfo_endpoint"], headers=proof).text)
    renewed = client.obtain_token_by_refresh_token(tokens["refresh_token"], scope=SCOPE)
    print("refreshed" if "access_token" in renewed else renewed)
