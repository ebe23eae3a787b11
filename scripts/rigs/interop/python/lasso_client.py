"""A SAML service provider with Lasso, without Apache in front of it."""

import os
import re
import urllib.request

import lasso
from pages import URL, Redirect, page, person_at, serve

IDP = os.environ["IDP"]
IS_SIGNING = os.environ["SIGNING"] == "true"
BINDING = lasso.HTTP_METHOD_POST if os.environ["BINDING"] == "post" else lasso.HTTP_METHOD_REDIRECT
BINDINGS = "urn:oasis:names:tc:SAML:2.0:bindings:"
CERTIFICATE = re.sub(r"-----[^-]+-----|\s", "", os.environ["CERTIFICATE"])

METADATA = f"""<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{URL}/metadata">
  <SPSSODescriptor AuthnRequestsSigned="{str(IS_SIGNING).lower()}" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <KeyDescriptor use="signing">
      <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
        <ds:X509Data><ds:X509Certificate>{CERTIFICATE}</ds:X509Certificate></ds:X509Data>
      </ds:KeyInfo>
    </KeyDescriptor>
    <SingleLogoutService Binding="{BINDINGS}HTTP-Redirect" Location="{URL}/slo"/>
    <AssertionConsumerService index="0" isDefault="true" Binding="{BINDINGS}HTTP-POST" Location="{URL}/acs"/>
  </SPSSODescriptor>
</EntityDescriptor>"""

server = lasso.Server.newFromBuffers(METADATA, os.environ["KEY"], None, None)
server.addProviderFromBuffer(lasso.PROVIDER_ROLE_IDP, urllib.request.urlopen(IDP).read().decode(), None, None)
# The default is SHA-1, which can be forged.
server.signatureMethod = lasso.SIGNATURE_METHOD_RSA_SHA256


@page("/metadata")
def metadata(session, query):
    return METADATA


@page("/login")
def login(session, query):
    asking = lasso.Login(server)
    asking.initAuthnRequest(IDP, BINDING)
    asking.request.nameIdPolicy.format = lasso.SAML2_NAME_IDENTIFIER_FORMAT_EMAIL
    if not IS_SIGNING:
        asking.setSignatureHint(lasso.PROFILE_SIGNATURE_HINT_FORBID)
    asking.buildAuthnRequestMsg()
    if BINDING == lasso.HTTP_METHOD_REDIRECT:
        raise Redirect(asking.msgUrl)
    field = f'<input type="hidden" name="SAMLRequest" value="{asking.msgBody}"/>'
    return f'<form method="post" action="{asking.msgUrl}">{field}</form><script>document.forms[0].submit()</script>'


@page("/acs")
def acs(session, form):
    answered = lasso.Login(server)
    answered.processAuthnResponseMsg(form["SAMLResponse"])
    answered.acceptSso()
    session["person"] = answered.assertion.subject.nameId.content
    session["kept"] = answered.session.dump()
    raise Redirect(f"{URL}/me")


@page("/logout")
def logout(session, query):
    asking = lasso.Logout(server)
    asking.setSessionFromDump(session["kept"])
    asking.initRequest(IDP, lasso.HTTP_METHOD_REDIRECT)
    asking.buildRequestMsg()
    session["asked"] = asking.dump()
    raise Redirect(asking.msgUrl)


@page("/slo")
def slo(session, query):
    answered = lasso.Logout.newFromDump(server, session["asked"])
    answered.processResponseMsg(session["address"].partition("?")[2])
    del session["person"]
    return "Goodbye."


person_at("/me", "person")
serve()
