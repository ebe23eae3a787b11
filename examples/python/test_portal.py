"""python3 -m unittest starts a portal; with PORTAL=http://localhost:3000 it uses that one."""

import os
import unittest

from portal import Portal, Refused, start

MAIN = Portal(os.environ["PORTAL"]) if "PORTAL" in os.environ else start()


class SignIn(unittest.TestCase):
    def setUp(self):
        self.portal = MAIN.space()
        self.addCleanup(self.portal.end)
        self.email = self.portal.call("POST", "/lab/people", {"org": "acme"})["email"]

    def begin(self):
        return self.portal.call("POST", "/user/login", {"orgCode": "acme", "mode": "QID"})["loginId"]

    def state(self, login):
        return self.portal.call("GET", f"/user/login/{login}")["state"]

    def test_approved(self):
        login = self.begin()
        self.portal.call("POST", f"/lab/logins/{login}/approve", {"as": self.email})
        self.assertEqual(self.state(login), "success")

    def test_denied(self):
        login = self.begin()
        self.portal.call("POST", f"/lab/logins/{login}/deny", {"as": self.email})
        self.assertEqual(self.state(login), "rejected")

    def test_expired(self):
        login = self.begin()
        self.portal.call("POST", "/lab/clock", {"advance": "10m"})
        self.assertEqual(self.state(login), "expired")

    def test_session_in_one_call(self):
        session = self.portal.call("POST", "/lab/sessions", {"email": self.email})
        profile = self.portal.call("GET", "/profile", token=session["token"])["profile"]
        self.assertEqual(profile["email"], self.email)

    def test_refused(self):
        session = self.portal.call("POST", "/lab/sessions", {"email": self.email})
        self.portal.call("POST", "/lab/faults", {"match": {"path": "/api/profile"}, "answer": {"resultName": "FORBIDDEN"}})
        with self.assertRaisesRegex(Refused, "not allowed"):
            self.portal.call("GET", "/profile", token=session["token"])

    def test_broken_off(self):
        self.portal.call("POST", "/lab/faults", {"match": {"path": "/api/health"}, "answer": {"cut": True}})
        with self.assertRaises(OSError):
            self.portal.call("GET", "/health")

    def test_mail(self):
        admin = self.portal.call("POST", "/lab/sessions", {"email": "super.admin@acme.test"})["token"]
        self.portal.call("POST", "/user/regenerateinvcode", {"email": "mara.lindholm@acme.test", "primaryAttr": "E-11020", "type": "mobile", "sendEmail": True}, admin)
        mail, *_ = self.portal.call("GET", "/lab/outbox?to=mara.lindholm@acme.test&wait=5")["messages"]
        self.assertRegex(mail["code"], r"^\d+$")


if __name__ == "__main__":
    unittest.main()
