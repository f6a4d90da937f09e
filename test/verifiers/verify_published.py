"""Verifies published CRLs and COSE_Sign1 documents with cryptography and cbor2. Reads JSON from stdin, fails with the first fault.

Input: at (seconds), crls: [{url, crl, root}], signed: [{url, cose, root}]. Bytes are in base64, roots are PEM.
"""

import base64
import datetime
import json
import sys

import cbor2
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256

X5CHAIN = 33
ALG = 1
ES256 = -7
CLAIM_EXP = 4
SKEW = datetime.timedelta(minutes=5)


def require(condition, url, fault):
    if not condition:
        sys.exit(f"{url}: {fault}")


def aware(moment):
    return moment.replace(tzinfo=datetime.timezone.utc)


def check_crl(url, der, root, at):
    crl = x509.load_der_x509_crl(der)
    require(crl.is_signature_valid(root.public_key()), url, "the signature is wrong")
    require(crl.issuer == root.subject, url, "the issuer is not the authority")
    require(aware(crl.last_update) <= at + SKEW and at < aware(crl.next_update), url, "it is not valid now")


def check_signed(url, cose, root, at):
    content = cbor2.loads(cose)
    protected, unprotected, payload, signature = content.value if isinstance(content, cbor2.CBORTag) else content
    header = cbor2.loads(protected)
    require(header[ALG] == ES256, url, "the algorithm is not ES256")
    chain = header.get(X5CHAIN) or unprotected.get(X5CHAIN)
    leaf = x509.load_der_x509_certificate(chain[0] if isinstance(chain, list) else chain)
    require(aware(leaf.not_valid_before) <= at < aware(leaf.not_valid_after), url, "its signer is not valid now")
    root.public_key().verify(leaf.signature, leaf.tbs_certificate_bytes, ec.ECDSA(leaf.signature_hash_algorithm))
    half = len(signature) // 2
    numbers = (int.from_bytes(signature[:half], "big"), int.from_bytes(signature[half:], "big"))
    signed = cbor2.dumps(["Signature1", protected, b"", payload])
    leaf.public_key().verify(utils.encode_dss_signature(*numbers), signed, ec.ECDSA(SHA256()))
    claims = cbor2.loads(payload)
    end = claims.get("nextUpdate") or datetime.datetime.fromtimestamp(claims[CLAIM_EXP], datetime.timezone.utc)
    require(at < end, url, f"it ended at {end}")


def main():
    given = json.load(sys.stdin)
    at = datetime.datetime.fromtimestamp(given["at"], datetime.timezone.utc)
    for check, kind, name in ((check_crl, "crls", "crl"), (check_signed, "signed", "cose")):
        for each in given[kind]:
            root = x509.load_pem_x509_certificate(each["root"].encode())
            try:
                check(each["url"], base64.b64decode(each[name]), root, at)
            except Exception as error:
                sys.exit(f"{each['url']}: {error!r}")


main()
