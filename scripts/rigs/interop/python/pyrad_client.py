"""Signs a user in with pyrad."""

import io
import os

from pyrad.client import Client
from pyrad.dictionary import Dictionary
from pyrad.packet import AccessAccept, AccessRequest

NAMES = io.StringIO(
    "ATTRIBUTE User-Name 1 string\nATTRIBUTE User-Password 2 string\nATTRIBUTE Reply-Message 18 string\n"
    "ATTRIBUTE Filter-Id 11 string\n"
)
port, secret = int(os.environ["PORT"]), os.environ["SECRET"].encode()
client = Client("127.0.0.1", authport=port, secret=secret, dict=Dictionary(NAMES))
client.timeout, client.retries = 10, 1
request = client.CreateAuthPacket(code=AccessRequest, User_Name=os.environ["EMAIL"])
request["User-Password"] = request.PwCrypt("x")
answer = client.SendPacket(request)
print(f"Welcome, {answer['User-Name'][0]}" if answer.code == AccessAccept else f"Refused: {answer['Reply-Message'][0]}")
