"""Controls an Orchestrate portal from Python tests: people, phones, faults, clock, email, journal and tokens.

    import orchestrate

    with orchestrate.start() as portal:
        person = portal.person(org="acme")
        portal.policy(match={"email": person.email}, answer="approve", opens=True)
        portal.fault(match={"path": "/api/profile"}, answer={"result_name": "EXPIRED"})

Requires Python 3.9 or later and no other package. Arguments and their fields are in snake_case; `as`, `from` and other
Python keywords get an underscore (`as_`). Documents are sent unchanged: a world, and `body`, `claims`, `data`,
`fields` and `headers`. Replies are dictionaries with the names of the HTTP API, and each field is also an attribute in
snake_case: `tokens["accessToken"]` is `tokens.access_token`.

For pytest, write `pytest_plugins = ["orchestrate"]` in conftest.py. The fixture `portal` is then a new space of one
portal per run; a failed test shows the last entries of its journal.
"""

from __future__ import annotations

import atexit
import difflib
import http.client
import json
import os
import pathlib
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Literal, Mapping, Sequence, TypedDict

__all__ = ["NotVerified", "Portal", "PortalRefusal", "PortalUnreachable", "Reply", "Skipped", "Snapshot", "connect", "start"]


class PortalRefusal(Exception):
    """The portal refused a call. The message names the call, the result and the invalid fields."""

    def __init__(self, call: str, status: int, answer: Mapping[str, Any]) -> None:
        #: HTTP status of the response.
        self.status = status
        #: Numeric code of the result, e.g. 28.
        self.result_code: int = answer["resultCode"]
        #: Name of the result, e.g. `UNAUTHORIZED`.
        self.result_name: str = answer["resultName"]
        #: The portal's own text for users.
        self.sentence: str = answer.get("message", "")
        #: Invalid fields, each with `path` and `message`.
        self.issues: list[Reply] = answer.get("issues") or []
        fields = "; ".join(f"{one['path']}: {one['message']}" if one["path"] else one["message"] for one in self.issues)
        is_repeated = len(self.issues) == 1 and self.issues[0]["message"] == self.sentence
        text = fields if is_repeated else " ".join(filter(None, (self.sentence, fields)))
        super().__init__(f"{call} → {status} {self.result_name} ({self.result_code}): {text}")


class PortalUnreachable(ConnectionError):
    """The portal sent no response because of the network, the URL, a proxy or a fault."""


class NotVerified(AssertionError):
    """An entry did not occur as often as expected. The message lists the closest entries and how they differ."""

    def __init__(self, message: str, misses: Sequence[Reply], unused: Sequence[str] = ()) -> None:
        #: The closest entries, each with `entry` and `differs`.
        self.misses = misses
        super().__init__("\n".join([message, *map(_describe_miss, misses), *unused]))


def _describe_miss(miss: Reply) -> str:
    differences = ", ".join(
        f"{one['field']} is {json.dumps(one['actual'])} instead of {json.dumps(one['expected'])}" for one in miss["differs"]
    )
    return f"{miss['entry']['seq']}. {miss['entry']['summary']}: {differences}"


class Skipped(Exception):
    """Entries or messages after a given one could not be read, so a test could draw wrong conclusions."""


class Reply(dict):
    """Fields of a response by their names in the HTTP API. Each is also an attribute: `reply.access_token`."""

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        if _wire_name(name) in self:
            return self[_wire_name(name)]
        near = difflib.get_close_matches(_wire_name(name), self, 1)
        advice = f"Did you mean {_python_name(near[0])}?" if near else f"Its fields are {', '.join(map(_python_name, self))}."
        raise AttributeError(f"This reply has no field {name}. {advice}")


def _wire_name(name: str) -> str:
    """Converts `access_token` to `accessToken`."""
    return re.sub(r"(?<=[a-z0-9])_([a-z0-9])", lambda match: match[1].upper(), name)


def _python_name(name: str) -> str:
    """Converts `accessToken` to `access_token`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda match: f"_{match[1].lower()}", name)


def _wire_fields(value: Any) -> Any:
    """Converts the names of nested fields, except within documents."""
    if isinstance(value, Mapping):
        return {_wire_name(name): part if name in _DOCUMENTS else _wire_fields(part) for name, part in value.items()}
    return [_wire_fields(part) for part in value] if isinstance(value, (list, tuple)) else value


class _Caller:
    """Sends requests to one portal."""

    def __init__(self, url: str, lab_token: str | None = None, ca: str | None = None) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/") or parts.query or parts.fragment:
            raise ValueError(f"url must be the origin of a portal, e.g. http://localhost:3000, not {url}")
        #: Origin of the portal, e.g. `http://localhost:43210`.
        self.url = url.rstrip("/")
        #: Path of the CA certificate, for programs that verify the portal's certificate.
        self.ca = ca
        self._lab_token = lab_token
        # Ignores proxy settings, because the portal usually runs on this machine.
        handlers: list[urllib.request.BaseHandler] = [urllib.request.ProxyHandler({})]
        if ca is not None:
            handlers.append(urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=ca)))
        self._opener = urllib.request.build_opener(*handlers)

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        token: str | None = None,
        timeout: float = 90,
    ) -> Reply:
        """Calls any endpoint of the portal's API, with the names of the HTTP API.

        path: Path with its first segment, e.g. `/api/profile`.
        body: Body, sent as JSON.
        query: Parameters of the query.
        headers: More headers, e.g. `{"x-lab-ip": "203.0.113.7"}`.
        token: Access token of a session.
        timeout: Longest wait, in seconds. Default: 90.

        Raises PortalRefusal for an error of the portal, and PortalUnreachable without a response.
        """
        bearer = token if token is not None else self._lab_token if path.startswith("/api/lab/") else None
        authorization = {} if bearer is None else {"authorization": f"Bearer {bearer}"}
        address = path + ("?" + urllib.parse.urlencode(query) if query else "")
        status, text = self._send(method, address, body, {**authorization, **(headers or {})}, timeout)
        return self._read(method, path, status, text)

    def _read(self, method: str, path: str, status: int, text: str) -> Any:
        """Reads the fields of a response."""
        try:
            answer = json.loads(text, object_hook=Reply)
        except ValueError:
            answer = None
        if not isinstance(answer, Reply) or not isinstance(answer.get("resultCode"), int):
            raise PortalUnreachable(f"Couldn't reach the portal at {self.url}: {method} {path} → {status} {text[:200]}")
        if "resultName" in answer:
            raise PortalRefusal(f"{method} {path}", status, answer)
        return answer

    def _send(self, method: str, path: str, body: Any, headers: Mapping[str, str], timeout: float) -> tuple[int, str]:
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers = {**headers, "content-type": "application/json"}
        request = urllib.request.Request(self.url + path, data, dict(headers), method=method)
        try:
            try:
                with self._opener.open(request, timeout=timeout) as response:
                    return response.status, response.read().decode()
            except urllib.error.HTTPError as error:
                with error:
                    return error.code, error.read().decode()
        except (OSError, http.client.HTTPException) as error:
            raise PortalUnreachable(f"Couldn't reach the portal at {self.url}: {method} {path}: {error}") from error

    def _lab(self, method: str, path: str, *, body: Mapping[str, Any] | None = None, query: Mapping[str, Any] | None = None) -> Any:
        """Calls an endpoint of the lab. Leaves out fields that are None."""
        present = {name: value for name, value in {**(body or {}), **(query or {})}.items() if value is not None}
        if body is None:
            return self.call(method, f"/api/lab{path}", query=present)
        return self.call(method, f"/api/lab{path}", {name: value if name in _DOCUMENTS else _wire_fields(value) for name, value in present.items()})

    def _document(self, path: str) -> str:
        """Reads a document that is not JSON."""
        headers = {} if self._lab_token is None else {"authorization": f"Bearer {self._lab_token}"}
        status, text = self._send("GET", f"/api/lab{path}", None, headers, 90)
        return text if status == 200 else self._read("GET", f"/api/lab{path}", status, text)


def _segment(value: str) -> str:
    return urllib.parse.quote(value, safe="")


def _complete(reply: Reply, name: str, after: Any) -> Any:
    if reply["skipped"] > 0:
        raise Skipped(f"{reply['skipped']} {name} after {after} could not be read. Read them more often.")
    return reply[name]


# Generated from the contract by `pnpm generate`. Do not edit.
#: Settings of a portal, which `start` takes only from its argument.
_SETTINGS = (
    "ALLOW_PRIVATE_NETWORKS", "AUDIT_DAYS", "BACKCHANNEL_URL", "CORS_ORIGINS", "DATABASE_FILE", "DR_MODE", "HOST",
    "LAB", "LAB_TOKEN", "LDAPS_PORT", "LDAP_PORT", "LOG_LEVEL", "MAIL_FROM", "NODE_ENV", "PORT", "PUBLIC_URL",
    "RADIUS_PORT", "RATE_LIMIT", "REQUEST_SECONDS", "SECRETS_KEY", "SECRETS_KEY_PREVIOUS", "SEED", "SMTP_URL",
    "SPACE_PORTS", "TLS", "TLS_CERT", "TLS_KEY", "TRUSTED_PROXIES",
)

#: Fields that are sent unchanged, because their names are not the portal's.
_DOCUMENTS = {
    "body", "claims", "data", "fields", "headers", "ldap", "logo", "manager", "oidc", "provisioning", "radius", "saml",
    "seed", "usableBy",
}


class PersonDevices(TypedDict, total=False):
    type: Literal["mobile", "desktop"]
    """Type of the device. Default: "mobile"."""
    name: str
    """Name of the device. By default derived from the person's first name and the type."""


class PolicyMatch(TypedDict, total=False):
    email: str
    """Email address of the user. Default: any user."""
    zid: str
    """ID of the device. Default: any simulated phone."""
    org: str
    """Organisation code. Default: any organisation."""
    kind: Literal["login", "app-login", "verbal", "test", "approval"]
    """Kind of request. Default: any kind."""


class FaultMatch(TypedDict, total=False):
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
    """HTTP method. Default: any method."""
    path: str
    """Required. A path served by the portal, without a query, e.g. `/api/device/manage`, `/oidc/acme/token` or
    `/assets/*`. A segment such as `:appId` matches any single segment, and a final `*` matches everything below.
    """
    email: str
    """Limits the fault to requests that this user sends or that name this user."""
    org: str
    """Limits the fault to requests in or about this organisation."""
    client: str
    """Limits the fault to requests of the OpenID Connect application with this client ID, in the body, in the query or
    in HTTP Basic authentication.
    """
    body: Mapping[str, Any]
    """Fields that the request body must contain, as JSON or as a form, e.g. `{"grant_type": "refresh_token"}`."""


class FaultAnswerScim(TypedDict, total=False):
    status: int
    """Required. HTTP status."""
    scim_type: Literal["invalidFilter", "tooMany", "uniqueness", "mutability", "invalidSyntax", "invalidPath", "noTarget", "invalidValue", "invalidVers", "sensitive"]
    """Error type (RFC 7644 §3.12). Default: none."""
    detail: str
    """Description of the error. Default: none."""


class MissingClaim(TypedDict, total=False):
    without: str
    """Required. Name of the claim to leave out."""


class FaultAnswer(TypedDict, total=False):
    result_name: str
    """A refusal exactly as the portal would send it, with the status and headers of this result."""
    status: int
    """HTTP status to respond with. If `body` is omitted, the portal's own body for this status is sent."""
    body: Any
    """Response body, with `status` only. A string is sent unchanged and any other value as JSON."""
    headers: Mapping[str, Any]
    """Response headers, with `status` only."""
    oauth_error: str
    """OAuth error to respond with, for OIDC paths only."""
    scim: FaultAnswerScim
    """SCIM error to respond with, for SCIM paths only."""
    hang: Literal[True]
    """True to never respond."""
    cut: Literal[True, "body"]
    """Closes the connection before the response (`True`) or in the middle of the real response's body (`body`)."""
    token: Literal["expired", "not-yet", "wrong-nonce", "wrong-audience", "wrong-issuer", "bad-signature", "unknown-key", "none-algorithm"] | MissingClaim
    """Invalidates the next ID token from a path that issues ID tokens, e.g. `/oidc/acme/token`. With `{"without":
    "email"}`, removes one claim from the next ID token that has it.
    """
    claims: Mapping[str, Any]
    """Claims to add to the next ID token, or to replace in it, e.g. `{"acr": "high"}`. The rest of the token is real,
    and the issuer signs it.
    """
    fields: Mapping[str, Any]
    """Fields to add to the next token response, or to replace in it. The rest of the response is real."""
    assertion: Literal["expired", "wrong-audience", "wrong-in-response-to", "bad-signature", "unsigned", "wrong-recipient", "denied"]
    """Invalidates the next SAML response from a path that issues SAML responses: `/saml/acme/travel-desk/sso` for a
    single application, or `/saml/acme/continue` for all applications of an organisation.
    """
    delay_ms: int
    """Delay before the response, in milliseconds. If used alone, the real response follows."""


class _Lab(_Caller):
    """Methods of the lab. Each sends one request."""

    def person(
        self,
        *,
        org: str,
        email: str | None = None,
        role: str | None = None,
        status: Literal["active", "inactive", "unregistered", "unverified", "invited"] | None = None,
        manager: Any | None = None,
        devices: Sequence[PersonDevices] | None = None,
    ) -> Reply:
        """Create a person with a phone, or change the role, status, manager or devices of the member with this email
        address (`POST /api/lab/people`).

        org: Code of the person's organisation.
        email: Email address. Generated by default. If it belongs to a member, the call changes the member's other
            fields.
        role: Role code. Default: `USER` for new people, unchanged for members.
        status: Account status. Default: `active` for new people, unchanged for members.
        manager: Email address of the manager, or null for none. Default: null for new people, unchanged for members.
        devices: All devices of the person, which replace a member's current devices. Default: one phone for new people,
            or none for those who haven't registered yet; unchanged for members.
        """
        return self._lab("POST", "/people", body={"org": org, "email": email, "role": role, "status": status, "manager": manager, "devices": devices})

    def application(
        self,
        *,
        org: str,
        id: str | None = None,
        name: str | None = None,
        description: str | None = None,
        type: Literal["portal", "oidc", "saml", "ldap", "radius"] | None = None,
        created_at: str | None = None,
        max_cookie_life: int | None = None,
        did_enabled: bool | None = None,
        web_authn_enabled: bool | None = None,
        desktop_app_enabled: bool | None = None,
        force_authn_enabled: bool | None = None,
        usable_by: Any | None = None,
        start_url: Literal[""] | str | None = None,
        logo: Any | None = None,
        provisioning: Mapping[str, Any] | None = None,
        oidc: Mapping[str, Any] | None = None,
        saml: Mapping[str, Any] | None = None,
        radius: Mapping[str, Any] | None = None,
        ldap: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Create an application with the fields of an application in a world, or change these fields of the application
        with this ID or name. Returns what a client needs to use it (`POST /api/lab/applications`).

        org: Code of the application's organisation.
        id: Application ID, which is also the client ID of an OIDC application. Default: the ID of the application with
            this name, or for a new application an ID derived from the name.
        name: Display name. Default: the ID for new applications, unchanged for existing ones.
        description: Description for members and administrators.
        type: Protocol. Default: the one that the request has settings for, otherwise `oidc`. It cannot be changed.
        created_at: Time at which the application was created. Default: now.
        max_cookie_life: How long a browser is remembered, in seconds; 0 to not remember browsers.
        did_enabled: True if members can type a code instead of scanning a QR code to sign in to the application.
        web_authn_enabled: True if members can sign in to the application with passkeys and security keys.
        desktop_app_enabled: True if members can sign in to the application with a computer as their device.
        force_authn_enabled: True if members must approve every sign-in to the application on a device.
        usable_by: Members who can use the application: `roles`, `people` (emails or IDs) and `groups` (names). Null for
            everyone.
        start_url: Page where people start using an OIDC or SAML application, or empty.
        logo: Logo: `content_type` and `bytes` in base64. Null for none.
        provisioning: SCIM service that the application's users are sent to.
        oidc: Settings of an OpenID Connect application, such as `redirect_uris`, `kind`, `secrets` and `claims`.
        saml: Settings of a SAML application, such as `metadata`.
        radius: Settings of a RADIUS application: `secret` and `method`.
        ldap: Settings of an LDAP application: `secret`.
        """
        return self._lab("POST", "/applications", body={"org": org, "id": id, "name": name, "description": description, "type": type, "createdAt": created_at, "maxCookieLife": max_cookie_life, "didEnabled": did_enabled, "webAuthnEnabled": web_authn_enabled, "desktopAppEnabled": desktop_app_enabled, "forceAuthnEnabled": force_authn_enabled, "usableBy": usable_by, "startUrl": start_url, "logo": logo, "provisioning": provisioning, "oidc": oidc, "saml": saml, "radius": radius, "ldap": ldap})

    def people(
        self,
        *,
        org: str | None = None,
        email: str | None = None,
        status: Literal["active", "inactive", "unregistered", "unverified", "invited"] | None = None,
        limit: int | None = None,
    ) -> Reply:
        """List the people of all organisations with their status (`GET /api/lab/people`).

        org: Organisation code. Default: all organisations.
        email: Primary email address. Default: all people.
        status: Account status. Default: any status.
        limit: Maximum number of people to list. Default: 1000.
        """
        return self._lab("GET", "/people", query={"org": org, "email": email, "status": status, "limit": limit})

    def devices(self, *, org_code: str | None = None) -> list[Reply]:
        """List the seeded demo devices with their private keys, so that a page, script or test can act as them (`GET
        /api/lab/virtual-devices`).

        org_code: Code of an organisation. Default: all organisations.
        """
        reply = self._lab("GET", "/virtual-devices", query={"orgCode": org_code})
        return reply["devices"]

    def session(self, *, email: str, org: str | None = None) -> Reply:
        """Sign a person in with their simulated phone, and also return the session as browser storage (`POST
        /api/lab/sessions`).

        email: Email address of the person.
        org: Organisation code. Required if the person has a simulated phone in several organisations.
        """
        return self._lab("POST", "/sessions", body={"email": email, "org": org})

    def policy(
        self,
        *,
        match: PolicyMatch,
        answer: Literal["approve", "deny", "ignore"],
        reason: Literal["not-me", "cancel"] | None = None,
        after_ms: int | None = None,
        number: Literal["right", "wrong"] | None = None,
        lie: Literal["wrong-key", "replay", "altered", "old", "future", "other-audience", "unknown-device", "lost-device"] | None = None,
        times: int | None = None,
        opens: Literal[True] | None = None,
    ) -> None:
        """Make simulated phones answer automatically; replaces the policy with the same match (`PUT
        /api/lab/policies`).

        match: Requests that the policy answers. An empty match applies to all requests.
        answer: The phone's answer. `ignore` leaves requests pending.
        reason: Reason for denying, with `deny`. Default: none.
        after_ms: Delay before the answer, in milliseconds by the portal's clock: advancing the clock triggers the
            answer, and while the clock is frozen the answer waits. Default: 0.
        number: Number to choose, with `approve`, if the browser displays one. Default: `right`.
        lie: Flaw of the phone's signed answer, with `approve` or `deny`. Default: none.
        times: Number of requests that the policy answers. Default: all requests.
        opens: Also immediately opens codes that no device has opened yet. The match must name a user or device. With
            `ignore`, the codes are only opened. An application's sign-in page then displays its code without a click,
            if the application expects this user (`login_hint`, or the subject of a SAML request), or if it expects no
            particular user and policies open codes for only one user of the organisation.
        """
        self._lab("PUT", "/policies", body={"match": match, "answer": answer, "reason": reason, "afterMs": after_ms, "number": number, "lie": lie, "times": times, "opens": opens})

    def policies(self) -> Reply:
        """List the policies of simulated phones, and their latest answers (`GET /api/lab/policies`)."""
        return self._lab("GET", "/policies")

    def clear_policies(
        self,
        *,
        email: str | None = None,
        zid: str | None = None,
        org: str | None = None,
        kind: Literal["login", "app-login", "verbal", "test", "approval"] | None = None,
        everybody: Literal["true"] | None = None,
    ) -> None:
        """Delete all phone policies; with a match, only the policy with exactly this match; with `everybody=true`, only
        the policy that matches everybody (`DELETE /api/lab/policies`).

        email: Email address of the user. Default: any user.
        zid: ID of the device. Default: any simulated phone.
        org: Organisation code. Default: any organisation.
        kind: Kind of request. Default: any kind.
        everybody: `True` to delete only the policy with an empty match.
        """
        self._lab("DELETE", "/policies", query={"email": email, "zid": zid, "org": org, "kind": kind, "everybody": everybody})

    def requests(self) -> list[Reply]:
        """List the requests that a phone could answer now, with their codes, QR payload and match number, newest first
        (`GET /api/lab/requests`).
        """
        reply = self._lab("GET", "/requests")
        return reply["requests"]

    def approve(
        self,
        login_id: str,
        *,
        as_: str,
        lie: Literal["wrong-key", "replay", "altered", "old", "future", "other-audience", "unknown-device", "lost-device"] | None = None,
        number: Literal["right", "wrong"] | None = None,
    ) -> Reply:
        """Approve a sign-in, application sign-in or caller authentication with a simulated phone (`POST
        /api/lab/logins/{loginId}/approve`).

        as_: A person's email, to answer with their first phone, or a device's zid.
        lie: Flaw of the phone's signed answer. Default: none.
        number: Number to choose, if the browser displays one. Default: `right`.
        """
        reply = self._lab("POST", f"/logins/{_segment(login_id)}/approve", body={"as": as_, "lie": lie, "number": number})
        return reply["result"]

    def deny(
        self,
        login_id: str,
        *,
        as_: str,
        lie: Literal["wrong-key", "replay", "altered", "old", "future", "other-audience", "unknown-device", "lost-device"] | None = None,
        reason: Literal["not-me", "cancel"] | None = None,
    ) -> Reply:
        """Deny a sign-in, application sign-in or caller authentication with a simulated phone (`POST
        /api/lab/logins/{loginId}/deny`).

        as_: A person's email, to answer with their first phone, or a device's zid.
        lie: Flaw of the phone's signed answer. Default: none.
        reason: Reason for denying. Default: none.
        """
        reply = self._lab("POST", f"/logins/{_segment(login_id)}/deny", body={"as": as_, "lie": lie, "reason": reason})
        return reply["result"]

    def fault(
        self,
        *,
        match: FaultMatch,
        answer: FaultAnswer,
        times: int | None = None,
        after: int | None = None,
    ) -> None:
        """Make the next requests to a path fail, hang, disconnect or respond slowly (`POST /api/lab/faults`).

        match: Requests that the fault applies to.
        answer: Response to these requests.
        times: Number of requests that the fault applies to. Default: 1.
        after: How many matching requests to skip first, whatever their responses. With 2, the fault applies to the
            third request. Default: 0.
        """
        self._lab("POST", "/faults", body={"match": match, "answer": answer, "times": times, "after": after})

    def faults(self) -> Reply:
        """List pending faults and the latest faults that have fired (`GET /api/lab/faults`)."""
        return self._lab("GET", "/faults")

    def clear_faults(
        self,
        *,
        method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] | None = None,
        path: str | None = None,
        email: str | None = None,
        org: str | None = None,
        client: str | None = None,
    ) -> None:
        """Delete all faults. With a match, delete only pending faults with exactly this match, whatever their `body`
        (`DELETE /api/lab/faults`).

        method: HTTP method. Default: any method.
        path: A path served by the portal, without a query, e.g. `/api/device/manage`, `/oidc/acme/token` or
            `/assets/*`. A segment such as `:appId` matches any single segment, and a final `*` matches everything
            below.
        email: Limits the fault to requests that this user sends or that name this user.
        org: Limits the fault to requests in or about this organisation.
        client: Limits the fault to requests of the OpenID Connect application with this client ID, in the body, in the
            query or in HTTP Basic authentication.
        """
        self._lab("DELETE", "/faults", query={"method": method, "path": path, "email": email, "org": org, "client": client})

    def magic(self) -> list[Reply]:
        """List the magic addresses, which force a result for the request that contains them (`GET /api/lab/magic`)."""
        reply = self._lab("GET", "/magic")
        return reply["values"]

    def socket_fault(
        self,
        *,
        channel: Literal["login", "add-device", "test-device", "bulk-invite", "verbal", "authenticator"],
        do: Literal["refuse", "cut", "close", "delay", "duplicate", "drop", "reorder"],
        code: int | None = None,
        ms: int | None = None,
        state: str | None = None,
        times: int | None = None,
    ) -> None:
        """Refuse, cut or close a connection; delay, duplicate, drop or reorder a message (`POST /api/lab/sockets`).

        channel: Channel whose connections the fault applies to.
        do: Effect on the next connection (`refuse`) or message (all others).
        code: Close code, with `close`. Must be a code that a server can send (RFC 6455 §7.4).
        ms: Delay, with `delay`, in milliseconds of real time.
        state: State of the message to match, e.g. `success`. Default: the next message on any connection.
        times: Number of connections or messages that the fault affects. Default: 1.
        """
        self._lab("POST", "/sockets", body={"channel": channel, "do": do, "code": code, "ms": ms, "state": state, "times": times})

    def socket_faults(self) -> Reply:
        """List the pending socket faults and the most recently fired ones (`GET /api/lab/sockets`)."""
        return self._lab("GET", "/sockets")

    def clear_socket_faults(self) -> None:
        """Remove all socket faults (`DELETE /api/lab/sockets`)."""
        self._lab("DELETE", "/sockets")

    def unused(self) -> Reply:
        """List the faults and policies that have not taken effect since they were set (`GET /api/lab/unused`)."""
        return self._lab("GET", "/unused")

    def clock(
        self,
        *,
        advance_seconds: float | None = None,
        advance: str | None = None,
        freeze_at: str | None = None,
        mode: Literal["real", "frozen"] | None = None,
        tokens: Literal["machine", "lab"] | None = None,
    ) -> Reply:
        """Advance, freeze or release the clock, or choose the clock for tokens; due expiries fire before the response
        (`POST /api/lab/clock`).

        advance_seconds: Seconds to advance the clock by.
        advance: Duration to advance the clock by, e.g. `90s`, `10m`, `24h`, `7d` or `1h 30m`.
        freeze_at: Time to freeze the clock at, in ISO 8601 and UTC.
        mode: `frozen` stops the clock now. `real` lets it run with the machine's clock.
        tokens: Clock for times in tokens: `machine`, or `lab` for clients with a fake clock. Default: unchanged.
        """
        if advance_seconds is None and advance is None and freeze_at is None and mode is None and tokens is None:
            return self._lab("GET", "/clock")
        return self._lab("POST", "/clock", body={"advanceSeconds": advance_seconds, "advance": advance, "freezeAt": freeze_at, "mode": mode, "tokens": tokens})

    def outbox(self, *, to: str | None = None, after: str | None = None, wait: int | None = None) -> list[Reply]:
        """List emails and text messages, newest first, at most 200; with `wait`, wait for the first message if there
        are none yet (`GET /api/lab/outbox`).

        to: Email address or phone number of the recipient. Default: all recipients.
        after: ID of a message. Only later messages are returned.
        wait: Seconds of real time to wait for a message. Returns HTTP 404 if no message arrives within that time.
        """
        reply = self._lab("GET", "/outbox", query={"to": to, "after": after, "wait": wait})
        return _complete(reply, "messages", after)

    def empty_outbox(self, *, to: str | None = None) -> None:
        """Empty the outbox; with `to`, delete only the messages to this recipient (`DELETE /api/lab/outbox`).

        to: Email address or phone number of the recipient. Default: all recipients.
        """
        self._lab("DELETE", "/outbox", query={"to": to})

    def outbox_fault(self, *, smtp: Literal[421, 451, 550], to: str | None = None, times: int | None = None) -> None:
        """Make the mail server refuse the next emails, temporarily (421, 451) or permanently (550) (`POST
        /api/lab/outbox/faults`).

        smtp: Reply code of the mail server (RFC 5321 §4.2.3). 421 (service not available) and 451 (this email) are
            temporary: the portal retries the email after 30 seconds by its clock. 550 is permanent: the portal gives
            up.
        to: Recipient of the email. Default: any recipient.
        times: Number of attempts that the fault affects. Default: 1.
        """
        self._lab("POST", "/outbox/faults", body={"smtp": smtp, "to": to, "times": times})

    def outbox_faults(self) -> Reply:
        """List the pending outbox faults and the most recently fired ones (`GET /api/lab/outbox/faults`)."""
        return self._lab("GET", "/outbox/faults")

    def clear_outbox_faults(self) -> None:
        """Remove all outbox faults (`DELETE /api/lab/outbox/faults`)."""
        self._lab("DELETE", "/outbox/faults")

    def webhook_fault(
        self,
        *,
        do: Literal["drop", "delay", "duplicate", "reorder", "mis-sign"],
        event: str | None = None,
        org: str | None = None,
        ms: int | None = None,
        signature: Literal["wrong-secret", "altered", "old", "future", "missing"] | None = None,
        times: int | None = None,
    ) -> None:
        """Drop, delay, duplicate, reorder or wrongly sign the next deliveries to webhooks (`POST
        /api/lab/webhooks/faults`).

        do: Effect on the delivery: `drop` never sends it, `delay` sends it later, `duplicate` sends it twice, `reorder`
            sends it after the next one, and `mis-sign` signs it wrongly.
        event: Event type, e.g. `member.paused`. Default: any event.
        org: Organisation of the webhook. Default: any organisation.
        ms: Delay in milliseconds, by the portal's clock. Required with `delay`.
        signature: Flaw of the signature, with `mis-sign`. Default: `wrong-secret`.
        times: Number of deliveries that the fault affects. Default: 1.
        """
        self._lab("POST", "/webhooks/faults", body={"do": do, "event": event, "org": org, "ms": ms, "signature": signature, "times": times})

    def webhook_faults(self) -> Reply:
        """List the pending webhook faults and the most recently fired ones (`GET /api/lab/webhooks/faults`)."""
        return self._lab("GET", "/webhooks/faults")

    def clear_webhook_faults(self) -> None:
        """Remove all webhook faults (`DELETE /api/lab/webhooks/faults`)."""
        self._lab("DELETE", "/webhooks/faults")

    def forge(
        self,
        webhook_id: str,
        *,
        type: str,
        data: Mapping[str, Any] | None = None,
        signature: Literal["wrong-secret", "altered", "old", "future", "missing"] | None = None,
    ) -> Reply:
        """Send an event that never happened to a webhook, signed correctly or wrongly, and return the response (`POST
        /api/lab/webhooks/{webhookId}/forge`).

        type: Event type, e.g. `member.paused`.
        data: Fields that replace those of the sample event's `data`. Default: the sample's fields.
        signature: Flaw of the signature. Default: none.
        """
        reply = self._lab("POST", f"/webhooks/{_segment(webhook_id)}/forge", body={"type": type, "data": data, "signature": signature})
        return reply["delivery"]

    def settled(self, *, wait: int | None = None) -> Reply:
        """Wait until no webhook delivery, email, outbound provisioning or logout notice is due or being sent (`GET
        /api/lab/settled`).

        wait: Maximum wait, in seconds of real time. If deliveries are still pending then, the response is HTTP 409.
            Default: 10.
        """
        return self._lab("GET", "/settled", query={"wait": wait})

    def journal(
        self,
        *,
        after: int | None = None,
        kind: Literal["http", "socket", "challenge", "message", "policy", "exchange", "webhook", "fault"] | None = None,
        path: str | None = None,
        email: str | None = None,
        org: str | None = None,
        limit: int | None = None,
    ) -> list[Reply]:
        """Read the journal, oldest first: requests, socket messages, sign-ins, emails, phones, RADIUS, LDAP, webhooks
        and faults (`GET /api/lab/journal`).

        after: Limits the result to entries after the entry with this number, which must exist or have existed. If
            omitted, the newest entries are returned.
        kind: Kind of entry. Default: all kinds.
        path: Path of the portal or, with `webhook`, of the webhook's URL. Default: any path.
        email: Email address of the user an entry is about. Default: any user.
        org: Code of the organisation an entry is about. Default: any organisation.
        limit: Maximum number of entries to return. Default: 100.
        """
        reply = self._lab("GET", "/journal", query={"after": after, "kind": kind, "path": path, "email": email, "org": org, "limit": limit})
        return _complete(reply, "entries", after)

    def empty_journal(self) -> None:
        """Clear the journal (`DELETE /api/lab/journal`)."""
        self._lab("DELETE", "/journal")

    def verify(
        self,
        *,
        kind: Literal["http", "socket", "challenge", "message", "policy", "exchange", "webhook", "fault"] | None = None,
        method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] | None = None,
        path: str | None = None,
        email: str | None = None,
        org: str | None = None,
        after: int | None = None,
        status: int | None = None,
        result_name: str | None = None,
        direction: Literal["opened", "sent", "received", "closed", "refused"] | None = None,
        event: str | None = None,
        protocol: Literal["radius", "ldap"] | None = None,
        outcome: str | None = None,
        application: str | None = None,
        body: Mapping[str, Any] | None = None,
        count: int | None = None,
        at_least: int | None = None,
        at_most: int | None = None,
    ) -> None:
        """Check how often an entry occurred. If the count is different, the response shows the closest entries and how
        they differ (`POST /api/lab/journal/verify`).

        kind: Kind of entry. Default: "http".
        method: HTTP method, for `http` only. Default: any method.
        path: Path of the portal or, with `webhook`, of the webhook's URL. Default: any path.
        email: Email address of the user an entry is about. Default: any user.
        org: Code of the organisation an entry is about. Default: any organisation.
        after: Number (`seq`) of an entry: only later entries count. Default: all entries count.
        status: Response status, for `http` and `webhook`; 0 if there was no response. Default: any status.
        result_name: Name of the result, for `http` only, e.g. `UNAUTHORIZED`. Default: any result.
        direction: Socket event, for `socket` only. `opened` counts connections.
        event: Event type, for `webhook` only, e.g. `member.paused`. Default: any event.
        protocol: Protocol, for `exchange` only. Default: both protocols.
        outcome: Reply type or LDAP result name, for `exchange` only. Default: any outcome.
        application: ID of the application, for `exchange` only. Default: any application.
        body: Fields that the request body, socket message or webhook payload must contain. Default: none.
        count: Exact number of entries to expect.
        at_least: Minimum number of entries. Default: 1, unless `count` or `at_most` is set.
        at_most: Maximum number of entries. Default: no limit.
        """
        reply = self._lab("POST", "/journal/verify", body={"kind": kind, "method": method, "path": path, "email": email, "org": org, "after": after, "status": status, "resultName": result_name, "direction": direction, "event": event, "protocol": protocol, "outcome": outcome, "application": application, "body": body, "count": count, "atLeast": at_least, "atMost": at_most})
        self._verified(reply)

    def wait_for(
        self,
        *,
        kind: Literal["http", "socket", "challenge", "message", "policy", "exchange", "webhook", "fault"] | None = None,
        method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] | None = None,
        path: str | None = None,
        email: str | None = None,
        org: str | None = None,
        after: int | None = None,
        status: int | None = None,
        result_name: str | None = None,
        direction: Literal["opened", "sent", "received", "closed", "refused"] | None = None,
        event: str | None = None,
        protocol: Literal["radius", "ldap"] | None = None,
        outcome: str | None = None,
        application: str | None = None,
        body: Mapping[str, Any] | None = None,
        wait: float | None = None,
    ) -> Reply:
        """Wait for a matching entry. If none occurs within `wait`, the response shows the closest entries (`POST
        /api/lab/journal/wait`).

        kind: Kind of entry. Default: "http".
        method: HTTP method, for `http` only. Default: any method.
        path: Path of the portal or, with `webhook`, of the webhook's URL. Default: any path.
        email: Email address of the user an entry is about. Default: any user.
        org: Code of the organisation an entry is about. Default: any organisation.
        after: Number (`seq`) of an entry: only later entries count. Default: all entries count.
        status: Response status, for `http` and `webhook`; 0 if there was no response. Default: any status.
        result_name: Name of the result, for `http` only, e.g. `UNAUTHORIZED`. Default: any result.
        direction: Socket event, for `socket` only. `opened` counts connections.
        event: Event type, for `webhook` only, e.g. `member.paused`. Default: any event.
        protocol: Protocol, for `exchange` only. Default: both protocols.
        outcome: Reply type or LDAP result name, for `exchange` only. Default: any outcome.
        application: ID of the application, for `exchange` only. Default: any application.
        body: Fields that the request body, socket message or webhook payload must contain. Default: none.
        wait: Maximum wait, in seconds of real time. Default: 5.
        """
        reply = self._lab("POST", "/journal/wait", body={"kind": kind, "method": method, "path": path, "email": email, "org": org, "after": after, "status": status, "resultName": result_name, "direction": direction, "event": event, "protocol": protocol, "outcome": outcome, "application": application, "body": body, "wait": wait})
        return self._found(reply)

    def tokens(
        self,
        *,
        client: str,
        org: str | None = None,
        as_: str | None = None,
        scope: str | None = None,
        resource: str | None = None,
        claims: Mapping[str, Any] | None = None,
        issuer: str | None = None,
        expires_in: int | None = None,
        tamper: Literal["expired", "not-yet", "wrong-audience", "wrong-issuer", "bad-signature", "unknown-key", "none-algorithm"] | MissingClaim | None = None,
    ) -> Reply:
        """Issue an access token, ID token and refresh token of an application, without a sign-in (`POST
        /api/lab/tokens/issue`).

        client: Client ID of an OpenID Connect application.
        org: Organisation code. Required if applications of several organisations have this client ID.
        as_: Email address of the user that the tokens are about. Required, except for service clients.
        scope: Scopes, separated by spaces. Default: `openid profile email offline_access` for users, and all scopes of
            `resource`.
        resource: Identifier of an API, for a JWT access token with this audience (RFC 8707, RFC 9068). Default: no API.
        claims: Additional claims of the ID token and of the access token or its introspection. Default: none.
        issuer: Issuer (`iss`) of the ID token and of a JWT access token, as if another provider had issued them. The
            organisation's key still signs them, and its endpoints accept the access token and report their own issuer.
            Default: the organisation.
        expires_in: Lifetime of the access token and ID token, in seconds. Default: the application's settings.
        tamper: Flaw for which verifiers must reject the access token and the ID token. An opaque access token is then
            inactive, unless the flaw is a missing claim. The refresh token stays valid. Default: none.
        """
        return self._lab("POST", "/tokens/issue", body={"client": client, "org": org, "as": as_, "scope": scope, "resource": resource, "claims": claims, "issuer": issuer, "expiresIn": expires_in, "tamper": tamper})

    def inspect(self, *, token: str, nonce: str | None = None) -> Reply:
        """Decode and verify a token of the portal or of an organisation, or a SAML response, and explain its problems
        (`POST /api/lab/tokens`).

        token: A JSON Web Token or a SAML response (XML, base64-encoded or deflated).
        nonce: The nonce that the client sent, to compare with the token's.
        """
        return self._lab("POST", "/tokens", body={"token": token, "nonce": nonce})

    def provision(
        self,
        *,
        dialect: Literal["okta", "entra"],
        url: str,
        token: str | None = None,
        username: str | None = None,
        password: str | None = None,
        email: str | None = None,
    ) -> Reply:
        """Replay a directory's requests against your SCIM service: create, filter, change, deactivate and reactivate a
        person (`POST /api/lab/provisioning`).

        dialect: Directory whose requests to send.
        url: Base URL that `/Users` is appended to, e.g. `http://localhost:4000/scim/v2`.
        token: Token sent in the `Authorization` header, as a bearer token.
        username: User name for basic authentication (RFC 7617 §2).
        password: Password for basic authentication.
        email: Email of the person to provision. Default: "isaac.brock@example.com".
        """
        return self._lab("POST", "/provisioning", body={"dialect": dialect, "url": url, "token": token, "username": username, "password": password, "email": email})

    def snapshot(self, *, name: str | None = None) -> Snapshot:
        """Take a snapshot of the data, including keys, clock, faults and policies (`POST /api/lab/snapshots`).

        name: Human-readable name. Default: the snapshot's ID.
        """
        reply = self._lab("POST", "/snapshots", body={"name": name})
        return Snapshot(self, reply["snapshotId"])

    def snapshots(self) -> list[Reply]:
        """List the snapshots, oldest first (`GET /api/lab/snapshots`)."""
        reply = self._lab("GET", "/snapshots")
        return reply["snapshots"]

    def space(
        self,
        *,
        seed: Mapping[str, Any] | Literal["demo", "none"] | None = None,
        from_: str | None = None,
        name: str | None = None,
        now: str | None = None,
    ) -> Portal:
        """Start a separate portal with its own data, keys, clock, faults, policies, outbox and cookies (`POST
        /api/lab/spaces`).

        seed: Initial state: `demo`, `none` or a world. Default: the seed of this portal.
        from_: ID of a snapshot of this portal, used instead of a seed: data, clock, faults and policies.
        name: Human-readable name. Default: the space's ID.
        now: Time at which the space's clock is frozen. By default, the clock runs.
        """
        reply = self._lab("POST", "/spaces", body={"seed": seed, "from": from_, "name": name, "now": now})
        return self._started(reply)

    def spaces(self) -> list[Reply]:
        """List the spaces, oldest first (`GET /api/lab/spaces`)."""
        reply = self._lab("GET", "/spaces")
        return reply["spaces"]

    def world(self) -> Reply:
        """Export this portal as a world, which can be used as a seed for a reset or a space (`GET /api/lab/world`)."""
        reply = self._lab("GET", "/world")
        return reply["world"]

    def world_file(self) -> str:
        """Export the world as a file, for `SEED` (`GET /api/lab/world.yaml`)."""
        return self._document("/world.yaml")

    def world_schema(self) -> str:
        """Get the JSON Schema of the world format, for editors (`GET /api/lab/world/schema`)."""
        return self._document("/world/schema")

    def reset(self, *, seed: Mapping[str, Any] | Literal["demo", "none"] | None = None) -> None:
        """Reset to the initial state or to another seed; all errors in a world are listed in `issues` (`POST
        /api/lab/reset`).

        seed: State to reset to: `demo`, `none` or a world. Default: the initial state.
        """
        self._lab("POST", "/reset", body={"seed": seed})

# End of the generated part.


class Snapshot:
    """A stored state of a portal."""

    def __init__(self, portal: Portal, snapshot_id: str) -> None:
        self._portal = portal
        self.snapshot_id = snapshot_id

    def restore(self) -> None:
        """Restores the portal to its state at the time of the snapshot."""
        self._portal._lab("POST", f"/snapshots/{_segment(self.snapshot_id)}/restore")

    def drop(self) -> None:
        """Deletes the snapshot, unless it is already deleted."""
        _unless_gone(lambda: self._portal._lab("DELETE", f"/snapshots/{_segment(self.snapshot_id)}"))


class Portal(_Lab):
    """A portal controlled by a test. Close it, or use it in a `with` statement."""

    def __init__(self, url: str, lab_token: str | None = None, ca: str | None = None, end: Any = None) -> None:
        super().__init__(url, lab_token, ca)
        self._end = end

    def __enter__(self) -> Portal:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Stops a portal started by this program, or ends a space. Leaves other portals running."""
        end, self._end = self._end, None
        if end is not None:
            end()

    def _verified(self, reply: Reply) -> None:
        if not reply["ok"]:
            raise NotVerified(reply["message"], reply["misses"], self.unused()["messages"])

    def _found(self, reply: Reply) -> Reply:
        if not reply.get("entry"):
            raise NotVerified(reply["message"], reply["misses"])
        return reply["entry"]

    def _started(self, space: Reply) -> Portal:
        url, other = space["url"], space.get("backchannelUrl")
        if other and urllib.parse.urlsplit(other).hostname == urllib.parse.urlsplit(self.url).hostname:
            url = other
        end = lambda: _unless_gone(lambda: self._lab("DELETE", f"/spaces/{_segment(space['spaceId'])}"))
        return Portal(url, self._lab_token, self.ca, end)


def _unless_gone(end: Any) -> None:
    try:
        end()
    except PortalUnreachable:
        pass
    except PortalRefusal as refusal:
        if refusal.result_name != "ID_DOESNOT_EXIST":
            raise


def connect(url: str | None = None, *, lab_token: str | None = None, ca: str | None = None) -> Portal:
    """Connects to a running portal. Closing the result leaves it running.

    url: Origin of the portal. Default: the environment variable ORCHESTRATE_URL.
    lab_token: Token of the portal's lab, if it requires one. Default: the environment variable LAB_TOKEN.
    ca: Path of the CA certificate, for a portal with its own certificate.
    """
    address = url or os.environ.get("ORCHESTRATE_URL")
    if not address:
        raise ValueError("connect requires a url or the environment variable ORCHESTRATE_URL.")
    return Portal(address, lab_token or os.environ.get("LAB_TOKEN"), ca)


def start(*, seed: str | Mapping[str, Any] | None = None, env: Mapping[str, str] | None = None) -> Portal:
    """Starts the installed npm package on a free port, in memory. The portal ends with this program.

    If the environment variable ORCHESTRATE_URL is set, connects to that portal instead.

    seed: `demo`, `none`, a world, or the path of a world file. Default: `demo`.
    env: Settings by name, e.g. `{"CORS_ORIGINS": "http://localhost:5173"}`. Settings in this program's environment
        have no effect.
    """
    if os.environ.get("ORCHESTRATE_URL"):
        if seed is not None or env is not None:
            raise ValueError("seed and env have no effect on the portal at ORCHESTRATE_URL. Use space(seed=…) instead.")
        return connect()
    settings = dict(env or {})
    for name in settings:
        _require_setting(name)
    if seed is not None and "SEED" in settings:
        raise ValueError("SEED and seed cannot be combined.")
    world: str | None = None
    if isinstance(seed, Mapping):
        with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
            json.dump(seed, file)
        world = seed = file.name
    try:
        return _run(settings if seed is None else {**settings, "SEED": seed})
    finally:
        if world is not None:
            os.unlink(world)


def _require_setting(name: str) -> None:
    if name in ("PORT", "DATABASE_FILE"):
        raise ValueError(f"{name} has no effect here: the portal runs on a free port, in memory.")
    if name not in _SETTINGS:
        near = difflib.get_close_matches(name, _SETTINGS, 1)
        raise ValueError(f"Unknown setting {name}." + (f" Did you mean {near[0]}?" if near else ""))


#: Ends the portal when this program has ended, for whatever reason: its standard input is then closed.
_MAIN = "process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).resume(); await import(process.argv[1]);"


def _run(settings: Mapping[str, str]) -> Portal:
    path = _program()
    # A project can have its own Node.js (`npm install --save-dev node@24`).
    node = shutil.which("node", path=str(path.parents[2] / ".bin")) or shutil.which("node")
    if node is None:
        raise RuntimeError("Node.js is not installed.")
    inherited = {name: value for name, value in os.environ.items() if name not in _SETTINGS}
    fixed = {"PORT": "0", "DATABASE_FILE": ":memory:"}
    defaults = {"NODE_ENV": "test", "LOG_LEVEL": "error", "RATE_LIMIT": "0"}
    program = subprocess.Popen(
        [node, "--input-type=module", "-e", _MAIN, path.as_uri(), "start", "--json"],
        env={**inherited, **defaults, **settings, **fixed},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(_stop, program)
    assert program.stdout is not None
    line = program.stdout.readline()
    if not line:
        _stop(program)
        raise RuntimeError("The portal did not start. The reason is printed above.")
    ready = json.loads(line)
    token = settings.get("LAB_TOKEN")
    return Portal(ready["url"], token, ready.get("ca"), lambda: _stop(program))


def _program() -> pathlib.Path:
    """Returns the program of the npm package: next to this file, or installed in this folder or one above."""
    inside = pathlib.Path("bin", "orchestrate.js")
    here = pathlib.Path(__file__).resolve().parent.parent / inside
    folder = pathlib.Path.cwd()
    installed = [one / "node_modules" / "orchestrate" / inside for one in (folder, *folder.parents)]
    for path in (here, *installed):
        if path.is_file():
            return path
    raise RuntimeError("orchestrate is not installed here. Run: npm install --save-dev orchestrate")


def _stop(program: subprocess.Popen[str]) -> None:
    for stream in (program.stdin, program.stdout):
        if stream is not None:
            stream.close()
    program.wait()


if "pytest" in sys.modules:
    import pytest

    @pytest.fixture(scope="session")
    def orchestrate_portal() -> Any:
        """The portal of this run: started, or the one at ORCHESTRATE_URL."""
        with start() as portal:
            yield portal

    @pytest.fixture
    def portal(orchestrate_portal: Portal) -> Any:
        """A portal for one test: a new space of the portal of this run."""
        with orchestrate_portal.space() as space:
            yield space

    def pytest_addoption(parser: Any) -> None:
        parser.addini("orchestrate_fail_on_unused", "Fail a test if one of its faults or policies has not fired", "bool", False)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(item: Any, call: Any) -> Any:
        outcome = yield
        space = getattr(item, "funcargs", {}).get("portal")
        if call.when != "call" or not isinstance(space, Portal):
            return
        report = outcome.get_result()
        unused = space.unused()["messages"]
        if report.passed and unused and item.config.getini("orchestrate_fail_on_unused"):
            report.outcome, report.longrepr = "failed", "\n".join(unused)
        elif report.failed:
            entries = [f"{entry['seq']}. {entry['summary']}" for entry in space.journal(limit=10)]
            report.sections.append(("The portal's last journal entries", "\n".join([*entries, *unused])))
