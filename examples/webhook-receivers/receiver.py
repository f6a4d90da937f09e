"""Prints the webhooks that Trustwright signed, and refuses all others: python3 receiver.py BASE_URL PORT

Needs Python 3.9 or newer and `pip install cryptography`.
"""
import base64
import hashlib
import json
import re
import sys
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MUST_BE_COVERED = {"@request-target", "@method", "@authority", "content-digest"}
FRESH_SECONDS = 300
KEYS_READ_EVERY_SECONDS = 10
MAX_BODY_BYTES = 10_000_000


class Refused(Exception):
    """The request is not a webhook of the service."""


class Verifier:
    def __init__(self, base_url):
        self.jwks_url = base_url.rstrip("/") + "/v1/webhooks/jwks"
        self.keys = {}
        self.read_at = float("-inf")

    def verify(self, method, target, headers, body):
        """Returns the event. `headers` have names in lower case. Raises Refused."""
        match = re.fullmatch(r"sig1=(\(([^)]*)\).*)", headers.get("signature-input", ""))
        if not match:
            raise Refused("the request has no signature")
        params, names = match[1], [name[1:-1] for name in match[2].split(" ")]
        if not MUST_BE_COVERED.issubset(names):
            raise Refused("the signature does not cover all parts")
        created = re.search(r";created=(\d+)", params)
        if not created or abs(time.time() - int(created[1])) > FRESH_SECONDS:
            raise Refused("the signature is too old")
        digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
        if headers.get("content-digest") != f"sha-256=:{digest}:":
            raise Refused("the body was changed")

        derived = {"@request-target": target, "@method": method, "@authority": headers.get("host", "")}
        values = {**headers, **derived}
        lines = [f'"{name}": {values.get(name, "")}\n' for name in names]
        base = "".join(lines) + f'"@signature-params": {params}'
        key_id = re.search(r';keyid="([^"]+)"', params)
        signature = re.fullmatch(r"sig1=:([^:]*):", headers.get("signature", ""))
        key = self.find_key(key_id[1] if key_id else "")
        try:
            key.verify(base64.b64decode(signature[1] if signature else ""), base.encode())
        except (InvalidSignature, ValueError):
            raise Refused("the signature is wrong")
        return json.loads(body)

    def find_key(self, key_id):
        """Keys rotate. They are read again for an unknown key, but not for each wrong request."""
        if key_id not in self.keys and time.monotonic() - self.read_at > KEYS_READ_EVERY_SECONDS:
            self.read_at = time.monotonic()
            with urllib.request.urlopen(self.jwks_url, timeout=5) as response:
                self.keys = {jwk["kid"]: jwk["x"] for jwk in json.load(response)["keys"]}
        if key_id not in self.keys:
            raise Refused("the key of the signature is unknown")
        x = self.keys[key_id]
        return Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(x + "=" * (-len(x) % 4)))


class Receiver(BaseHTTPRequestHandler):
    verifier = None
    timeout = 10

    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            if length > MAX_BODY_BYTES:
                raise Refused("the body is too large")
            event = self.verifier.verify(self.command, self.path, headers, self.rfile.read(length))
            print(json.dumps(event), flush=True)
            status = 204
        except Refused as reason:
            print(f"refused: {reason}", flush=True)
            status = 401
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_args):
        pass


if __name__ == "__main__":
    base_url, port = (sys.argv[1:] + ["http://localhost:3000", "4000"][len(sys.argv) - 1:])[:2]
    Receiver.verifier = Verifier(base_url)
    server = ThreadingHTTPServer(("127.0.0.1", int(port)), Receiver)
    print(f"Listening on port {port}", flush=True)
    server.serve_forever()
