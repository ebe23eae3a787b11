"""A SAML service provider with OneLogin's python3-saml."""

import os
import urllib.request

from onelogin.saml2.auth import OneLogin_Saml2_Auth
from onelogin.saml2.idp_metadata_parser import OneLogin_Saml2_IdPMetadataParser
from onelogin.saml2.settings import OneLogin_Saml2_Settings
from pages import PORT, URL, Redirect, page, person_at, serve

IDP = os.environ["IDP"]
IS_SIGNING = os.environ["SIGNING"] == "true"
BINDINGS = "urn:oasis:names:tc:SAML:2.0:bindings:"

idp = OneLogin_Saml2_IdPMetadataParser.parse(urllib.request.urlopen(IDP).read())
own = {
    "strict": True,
    "sp": {
        "entityId": f"{URL}/metadata",
        "assertionConsumerService": {"url": f"{URL}/acs", "binding": f"{BINDINGS}HTTP-POST"},
        "singleLogoutService": {"url": f"{URL}/slo", "binding": f"{BINDINGS}HTTP-Redirect"},
        "NameIDFormat": "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
        "x509cert": os.environ["CERTIFICATE"] if IS_SIGNING else "",
        "privateKey": os.environ["KEY"] if IS_SIGNING else "",
    },
    "security": {
        "authnRequestsSigned": IS_SIGNING,
        "logoutRequestSigned": IS_SIGNING,
        "wantMessagesSigned": True,
        "wantAssertionsSigned": True,
        "requestedAuthnContext": False,
        "allowSingleLabelDomains": True,
        # The default is SHA-1, which can be forged.
        "signatureAlgorithm": "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
        "digestAlgorithm": "http://www.w3.org/2001/04/xmlenc#sha256",
    },
}
settings = OneLogin_Saml2_IdPMetadataParser.merge_settings(own, idp)


def auth(session, post=None, get=None):
    path = session["address"].removeprefix(URL).partition("?")[0]
    request = {"http_host": f"localhost:{PORT}", "script_name": path, "https": "off"}
    return OneLogin_Saml2_Auth({**request, "post_data": post or {}, "get_data": get or {}}, settings)


def require_success(answered):
    if answered.get_errors():
        raise ValueError(f"{answered.get_errors()} {answered.get_last_error_reason()}")


@page("/metadata")
def metadata(session, query):
    made = OneLogin_Saml2_Settings(settings, sp_validation_only=True).get_sp_metadata()
    # Metadata with keys are bytes.
    return made if isinstance(made, str) else made.decode()


@page("/login")
def login(session, query):
    asking = auth(session)
    address = asking.login()
    session["asked"] = asking.get_last_request_id()
    raise Redirect(address)


@page("/acs")
def acs(session, form):
    answered = auth(session, post=form)
    answered.process_response(request_id=session.pop("asked", None))
    require_success(answered)
    session["person"], session["index"] = answered.get_nameid(), answered.get_session_index()
    raise Redirect(f"{URL}/me")


@page("/logout")
def logout(session, query):
    asking = auth(session)
    address = asking.logout(name_id=session["person"], session_index=session["index"])
    session["asked"] = asking.get_last_request_id()
    raise Redirect(address)


@page("/slo")
def slo(session, query):
    answered = auth(session, get=query)
    answered.process_slo(request_id=session.pop("asked"), delete_session_cb=lambda: session.pop("person"))
    require_success(answered)
    return "Goodbye."


person_at("/me", "person")
serve()
