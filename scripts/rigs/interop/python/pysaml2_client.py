"""A SAML service provider with PySAML2."""

import os
import re
import urllib.request

from pages import URL, Redirect, page, person_at, serve
from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.client import Saml2Client
from saml2.config import SPConfig
from saml2.md import NAMESPACE as NAMESPACE_MD
from saml2.metadata import entity_descriptor

IDP = os.environ["IDP"]
IS_SIGNING = os.environ["SIGNING"] == "true"
BINDING = BINDING_HTTP_POST if os.environ["BINDING"] == "post" else BINDING_HTTP_REDIRECT

[certificate] = re.findall(
    rb"<md:KeyDescriptor.*<ds:X509Certificate>([^<]+)<", urllib.request.urlopen(IDP).read()
)
with open("idp.pem", "wb") as file:
    file.write(b"-----BEGIN CERTIFICATE-----\n" + certificate + b"\n-----END CERTIFICATE-----\n")

config = SPConfig().load(
    {
        "entityid": f"{URL}/metadata",
        "key_file": "key.pem",
        "cert_file": "certificate.pem",
        # Only accepted with a valid signature.
        "metadata": {"remote": [{"url": IDP, "cert": "idp.pem", "node_name": f"{NAMESPACE_MD}:EntityDescriptor"}]},
        "allow_unknown_attributes": True,
        "service": {
            "sp": {
                "endpoints": {
                    "assertion_consumer_service": [(f"{URL}/acs", BINDING_HTTP_POST)],
                    "single_logout_service": [(f"{URL}/slo", BINDING_HTTP_REDIRECT)],
                },
                # The default is SHA-1, which can be forged.
                "signing_algorithm": "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
                "digest_algorithm": "http://www.w3.org/2001/04/xmlenc#sha256",
                "authn_requests_signed": IS_SIGNING,
                "logout_requests_signed": True,
                "want_assertions_signed": True,
                "want_response_signed": True,
                "allow_unsolicited": True,
            }
        },
    }
)
client = Saml2Client(config)
# Outstanding requests by id.
pending = {}


def show(http):
    """Returns the redirect or form for the browser."""
    if http["method"] == "POST":
        return http["data"] if isinstance(http["data"], str) else "".join(http["data"])
    raise Redirect(dict(http["headers"])["Location"])


@page("/metadata")
def metadata(session, query):
    return str(entity_descriptor(config))


@page("/login")
def login(session, query):
    request_id, http = client.prepare_for_authenticate(entityid=IDP, binding=BINDING)
    pending[request_id] = "/me"
    return show(http)


@page("/acs")
def acs(session, form):
    answer = client.parse_authn_request_response(form["SAMLResponse"], BINDING_HTTP_POST, outstanding=pending)
    session["name_id"], session["person"] = answer.name_id, answer.name_id.text
    raise Redirect(f"{URL}/me")


@page("/logout")
def logout(session, query):
    [(_, (_, http))] = client.global_logout(session["name_id"]).items()
    return show(http)


@page("/slo")
def slo(session, query):
    client.parse_logout_request_response(query["SAMLResponse"], BINDING_HTTP_REDIRECT)
    session.pop("person")
    return "Goodbye."


person_at("/me", "person")
serve()
