"""Drives a portal with only Python's standard library."""

import atexit
import json
import os
import shutil
import signal
import subprocess
import urllib.error
import urllib.request


class Refused(Exception):
    """An error of the portal: `name` is its result, e.g. EXPIRED."""

    def __init__(self, status, answer):
        super().__init__(answer.get("message"))
        self.status = status
        self.name = answer.get("resultName")


class Portal:
    """A portal; `call(method, path, body)` calls any endpoint, including the lab's."""

    def __init__(self, url):
        self.url = url

    def call(self, method, path, body=None, token=None):
        """Returns the response's fields. Raises Refused for an error of the portal, OSError without a response."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        if body is not None:
            headers["content-type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/api{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                status, answer = response.status, json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                status, answer = error.code, json.load(error)
        if "resultName" in answer:
            raise Refused(status, answer)
        return answer

    def space(self):
        """Returns a separate portal for one test; call `end` afterwards."""
        made = self.call("POST", "/lab/spaces", {})
        space = Portal(made["url"])
        space.end = lambda: self.call("DELETE", f"/lab/spaces/{made['spaceId']}")
        return space


def start():
    """Starts a portal in memory on a free port. It stops with this program."""
    program = subprocess.Popen(
        [shutil.which("npx"), "orchestrate", "start", "--json"],
        env={**os.environ, "PORT": "0", "DATABASE_FILE": ":memory:", "LOG_LEVEL": "error"},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    atexit.register(end, program)
    line = program.stdout.readline()
    if not line:
        raise RuntimeError("The portal did not start. Is orchestrate installed here?")
    return Portal(json.loads(line)["url"])


def end(program):
    # npx doesn't forward signals, so the whole process group gets it.
    if hasattr(os, "killpg"):
        os.killpg(program.pid, signal.SIGTERM)
    else:
        program.terminate()
    program.wait()
    program.stdout.close()
