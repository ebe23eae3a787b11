"""A site with its own session; the clients in this folder provide its pages."""

import http.cookies
import http.server
import os
import secrets
import urllib.parse

URL = os.environ["URL"]
PORT = int(os.environ["PORT"])

_pages = {}
_sessions = {}


class Redirect(Exception):
    """Sends the browser to another address."""


class Unknown(Exception):
    """The browser has no session."""


def page(path):
    """Registers a handler for a path, which receives the session and the query or form and returns a text."""

    def register(function):
        _pages[path] = function
        return function

    return register


@page("/signed-out")
def goodbye(session, query):
    return "Goodbye."


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self._answer(self.path.partition("?")[2])

    def do_POST(self):
        self._answer(self.rfile.read(int(self.headers["content-length"])).decode())

    def _answer(self, form):
        cookie = http.cookies.SimpleCookie(self.headers.get("cookie", "")).get(f"site-{PORT}")
        name = cookie.value if cookie and cookie.value in _sessions else secrets.token_urlsafe()
        session = _sessions.setdefault(name, {"address": None})
        session["address"] = URL + self.path
        status, headers = 200, {"content-type": "text/html", "set-cookie": f"site-{PORT}={name}; Path=/"}
        try:
            answer = _pages[urllib.parse.urlsplit(self.path).path](session, dict(urllib.parse.parse_qsl(form)))
        except Redirect as there:
            status, headers["location"], answer = 302, str(there), ""
        except Unknown:
            status, answer = 401, "Not signed in."
        except Exception as reason:  # What the client refuses is a page that says so.
            status, answer = 401, f"You are not signed in. {type(reason).__name__}: {reason}"
        self.send_response(status)
        for header, value in headers.items():
            self.send_header(header, value)
        self.end_headers()
        self.wfile.write(answer.encode())


def person_at(path, field):
    """Registers a page that returns the signed-in user from a field of the session."""

    @page(path)
    def me(session, query):
        if not session.get(field):
            raise Unknown()
        return session[field]


def serve():
    http.server.ThreadingHTTPServer(("localhost", PORT), _Handler).serve_forever()
