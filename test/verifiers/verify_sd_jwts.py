"""Verifies SD-JWTs with Debian's python3-jwcrypto and recomputes all digests (RFC 9901, section 7.1).

Reads a JSON list of SD-JWTs from the standard input. Prints a JSON list: for each SD-JWT its claims with all disclosures, and the number
of its digests without a disclosure (decoys). Ends with an error for an SD-JWT that is not valid.
"""

import base64
import hashlib
import json
import sys
import textwrap

from jwcrypto import jwk, jws

RESERVED = ("_sd", "...", "_sd_alg")


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def digest_of(disclosure):
    return base64.urlsafe_b64encode(hashlib.sha256(disclosure.encode("ascii")).digest()).decode().rstrip("=")


def verified_payload(jwt):
    """Verifies the signature with the first certificate of x5c."""
    token = jws.JWS()
    token.deserialize(jwt)
    header = json.loads(decode(jwt.split(".")[0]))
    assert header["typ"] == "dc+sd-jwt" and header["alg"] == "ES256", header
    lines = "\n".join(textwrap.wrap(header["x5c"][0], 64))
    pem = f"-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----\n"
    token.verify(jwk.JWK.from_pem(pem.encode("ascii")), "ES256")
    return json.loads(token.payload)


class Rebuilt:
    """The claims of a payload. Counts each digest and each disclosure."""

    def __init__(self, disclosures):
        self.unused = {digest_of(each): json.loads(decode(each)) for each in disclosures}
        assert len(self.unused) == len(disclosures), "two disclosures are equal"
        self.seen = set()
        self.decoys = 0

    def disclosure(self, digest, length):
        assert digest not in self.seen, "a digest occurs twice"
        self.seen.add(digest)
        found = self.unused.pop(digest, None)
        if found is None:
            self.decoys += 1
            return None
        assert len(found) == length, "a disclosure has the wrong form"
        return found

    def object(self, value):
        claims = {name: self.value(each) for name, each in value.items() if name not in ("_sd", "_sd_alg")}
        digests = value.get("_sd", [])
        assert digests == sorted(digests), "the order of the digests says something"
        for digest in digests:
            found = self.disclosure(digest, 3)
            if found is None:
                continue
            _salt, name, each = found
            assert name not in claims and name not in RESERVED, "a claim occurs twice or has a reserved name"
            claims[name] = self.value(each)
        return claims

    def array(self, value):
        items = []
        for each in value:
            if isinstance(each, dict) and list(each) == ["..."]:
                found = self.disclosure(each["..."], 2)
                if found is not None:
                    items.append(self.value(found[1]))
            else:
                items.append(self.value(each))
        return items

    def value(self, value):
        if isinstance(value, dict):
            return self.object(value)
        return self.array(value) if isinstance(value, list) else value


def verify(text):
    jwt, *disclosures, key_binding = text.split("~")
    assert key_binding == "", "a key binding JWT is not expected"
    payload = verified_payload(jwt)
    assert payload.get("_sd_alg", "sha-256") == "sha-256"
    rebuilt = Rebuilt(disclosures)
    claims = rebuilt.object(payload)
    assert not rebuilt.unused, "a disclosure has no digest"
    return {"claims": claims, "decoys": rebuilt.decoys}


print(json.dumps([verify(each) for each in json.load(sys.stdin)]))
