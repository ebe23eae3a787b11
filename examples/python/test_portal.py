"""python3 -m unittest starts a portal; with ORCHESTRATE_URL=http://localhost:3000 it uses that one."""

import base64
import json
import unittest

from orchestrate import NotVerified, PortalRefusal, PortalUnreachable, start

MAIN = start()
WORLD = {
    "organisations": [
        {
            "code": "acme",
            "people": [{"email": "grace@acme.test", "firstName": "Grace"}],
            "applications": [{"id": "wiki", "type": "oidc", "oidc": {"redirectUris": ["http://localhost:8080/back"]}}],
        }
    ]
}


def tearDownModule():
    MAIN.close()


def claims_of(jwt):
    """Returns the claims of a token. A resource server also verifies them."""
    return json.loads(base64.urlsafe_b64decode(jwt.split(".")[1] + "=="))


class PortalTest(unittest.TestCase):
    """Each test has its own space and a person with a phone."""

    def setUp(self):
        self.portal = self.enter(MAIN.space())
        self.email = self.portal.person(org="acme").email

    def enter(self, portal):
        self.addCleanup(portal.close)
        return portal

    def begin(self, mode="QID"):
        """Starts a sign-in, as the client under test does."""
        body = {"orgCode": "acme", "mode": mode, "primaryAttr": self.email}
        return self.portal.call("POST", "/api/user/login", body).login_id

    def state(self, login):
        return self.portal.call("GET", f"/api/user/login/{login}").state

    def token(self, email=None):
        return self.portal.session(email=email or self.email).token

    def profile(self, token):
        return self.portal.call("GET", "/api/profile", token=token).profile


class SignIn(PortalTest):
    def test_a_phone_that_approves(self):
        self.portal.policy(match={"email": self.email}, answer="approve", opens=True)
        login = self.begin()
        self.portal.wait_for(kind="policy", email=self.email)
        self.assertEqual(self.state(login), "success")

    def test_an_approval_at_a_chosen_moment(self):
        login = self.begin()
        self.portal.approve(login, as_=self.email)
        self.assertEqual(self.state(login), "success")

    def test_a_denial(self):
        login = self.begin()
        self.portal.deny(login, as_=self.email, reason="not-me")
        self.assertEqual(self.state(login), "rejected")

    def test_a_forged_answer(self):
        result = self.portal.approve(self.begin(), as_=self.email, lie="wrong-key")
        self.assertEqual(result.result_name, "SIGNATURE_MISMATCH")

    def test_a_code_that_expires(self):
        login = self.begin()
        self.portal.clock(advance="10m")
        self.assertEqual(self.state(login), "expired")


class Faults(PortalTest):
    def test_a_refusal(self):
        token = self.token()
        self.portal.fault(match={"path": "/api/profile", "email": self.email}, answer={"result_name": "FORBIDDEN"})
        with self.assertRaises(PortalRefusal) as refused:
            self.profile(token)
        self.assertEqual((refused.exception.status, refused.exception.result_name), (403, "FORBIDDEN"))
        self.assertRegex(str(refused.exception), r"^GET /api/profile → 403 FORBIDDEN \(\d+\): ")
        self.assertEqual(self.profile(token).email, self.email)

    def test_a_closed_connection(self):
        self.portal.fault(match={"path": "/api/health"}, answer={"cut": True})
        with self.assertRaises(PortalUnreachable):
            self.portal.call("GET", "/api/health")

    def test_a_misspelt_fault(self):
        with self.assertRaisesRegex(PortalRefusal, "Did you mean /api/profile?"):
            self.portal.fault(match={"path": "/api/profil"}, answer={"status": 500})

    def test_an_unused_fault(self):
        self.portal.fault(match={"path": "/api/profile"}, answer={"delay_ms": 5})
        self.assertIn("/api/profile", self.portal.unused().messages[0])
        self.portal.clear_faults(path="/api/profile")
        self.assertEqual(self.portal.unused().messages, [])


class State(PortalTest):
    def test_an_expired_session(self):
        token = self.token()
        self.portal.clock(advance="11m")
        with self.assertRaisesRegex(PortalRefusal, "UNAUTHORIZED"):
            self.profile(token)

    def test_a_frozen_clock(self):
        self.assertEqual(self.portal.clock(freeze_at="2030-01-01T00:00:00Z").now, "2030-01-01T00:00:00.000Z")

    def test_a_snapshot_and_a_reset(self):
        before = self.portal.snapshot()
        self.portal.person(org="acme", email="ada@acme.test")
        before.restore()
        self.assertEqual(self.portal.people(email="ada@acme.test").total, 0)
        before.drop()
        self.portal.reset()
        self.assertEqual(self.portal.people(email=self.email).total, 0)


    def test_a_space_from_a_snapshot(self):
        MAIN.person(org="acme", email="ada@acme.test")
        before = MAIN.snapshot()
        MAIN.reset()
        with MAIN.space(from_=before.snapshot_id, name="worker 1") as space:
            self.assertEqual(space.people(email="ada@acme.test").total, 1)


class Activity(PortalTest):
    def test_an_email(self):
        body = {"orgCode": "acme", "firstName": "Ada", "lastName": "L", "email": "ada@acme.test"}
        self.portal.call("POST", "/api/user/signup", body)
        [mail] = self.portal.outbox(to="ada@acme.test", wait=5)
        self.assertRegex(mail.code, r"^\d{6}$")
        self.portal.empty_outbox(to="ada@acme.test")
        self.assertEqual(self.portal.outbox(to="ada@acme.test"), [])

    def test_the_number_of_calls(self):
        self.begin("PUSH")
        self.portal.verify(path="/api/user/login", body={"mode": "PUSH"}, count=1)
        with self.assertRaisesRegex(NotVerified, "found it once"):
            self.portal.verify(path="/api/user/login", count=2)
        self.assertEqual([entry.path for entry in self.portal.journal(path="/api/user/login")], ["/api/user/login"])


class Tokens(PortalTest):
    def test_claims_of_your_own(self):
        with MAIN.space(seed=WORLD) as portal:
            tokens = portal.tokens(client="wiki", as_="grace@acme.test", claims={"tenant_id": "north"}, expires_in=5)
        claims = claims_of(tokens.id_token)
        self.assertEqual((claims["aud"], claims["tenant_id"], claims["exp"] - claims["iat"]), ("wiki", "north", 5))

    def test_an_expired_token(self):
        tokens = self.portal.tokens(client="team-wiki", as_="user@acme.test", tamper="expired")
        self.assertIn("must not be accepted: Expiry", self.portal.inspect(token=tokens.id_token).verdict)


if __name__ == "__main__":
    unittest.main()
