"""Tests with pytest: the fixture `portal` is a new space for each test."""


def test_a_denial(portal):
    email = portal.person(org="acme").email
    login = portal.call("POST", "/api/user/login", {"orgCode": "acme", "mode": "QID"}).login_id
    portal.deny(login, as_=email)
    assert portal.call("GET", f"/api/user/login/{login}").state == "rejected"


def test_a_space_of_its_own(portal):
    assert portal.journal() == []
