import { constants, createHash, type KeyObject, verify, type X509Certificate } from 'node:crypto'
import { bytesOfBase64url } from '../../base64url.ts'
import { certificateFromBase64 } from '../../certificate.ts'
import { isJwsAlgorithm, isSignatureOf } from '../../compact-jws.ts'
import { FormatError } from '../../format-error.ts'
import { isJsonObject } from '../../json-object.ts'
import { publicJwk } from '../../jwk.ts'
import { isTexts } from '../../sd-jwt/read-jwt.ts'
import { parseStrictJson } from '../../strict-json.ts'
import { maxChainLength } from '../../x509-chain.ts'

/** A signed list. Its signature is not verified. */
export interface LoteJws {
  alg: string
  /** The chain as received, with the signer first. */
  chain: readonly X509Certificate[]
  payload: Buffer
  /** The text that the signature covers. */
  signingInput: string
  signature: Buffer
}

const maxHeaderBytes = 100_000
const maxHeaderDepth = 4

/** The `typ` of lists of the EU, of `@owf/eudi-lote` and of JWS in general, in lower case. */
const types = ['jose', 'jwt', 'trustlist+jwt']

/**
 * Reads the parts of a list: a compact JWS with the members of a JAdES baseline B signature (ETSI TS 119 182-1, clauses 5 and 6). The chain
 * is in `x5c`. Throws `invalid_jws` and `invalid_certificate`.
 */
export function openLote(bytes: Uint8Array): LoteJws {
  const parts = Buffer.from(bytes).toString('latin1').trim().split('.', 4)
  const [head = '', body = '', end = ''] = parts
  const [headerBytes, payload, signature] = [head, body, end].map(bytesOfBase64url)
  if (parts.length !== 3 || !headerBytes || !payload || !signature) throw invalid('it is not a compact JWS')
  const header = headerBytes.length <= maxHeaderBytes ? readHeader(headerBytes) : undefined
  if (!header) throw invalid('its header is not a JSON object with distinct members')
  const { alg, typ, crit, b64, sigD, x5c } = header
  if (typeof alg !== 'string') throw invalid('its header has no alg')
  if (typ !== undefined && !(typeof typ === 'string' && types.includes(typ.toLowerCase())))
    throw invalid('its typ is the type of another document')
  if (crit !== undefined || b64 !== undefined || sigD !== undefined)
    throw invalid('it has extensions (crit, b64, sigD), which are not supported')
  if (!isTexts(x5c)) throw invalid('its header has no x5c')
  // Keeps one certificate too many, so that a long chain is refused without parsing all of it.
  const chain = x5c.slice(0, maxChainLength + 1).map(certificateFromBase64)
  requireReference(header, chain[0])
  return { alg, chain, payload, signingInput: `${head}.${body}`, signature }
}

function readHeader(bytes: Buffer): Record<string, unknown> | undefined {
  const read = parseStrictJson(bytes, maxHeaderDepth)
  return 'value' in read && isJsonObject(read.value) ? read.value : undefined
}

const digests = { S256: 'sha256', S384: 'sha384', S512: 'sha512' } as const

/** ETSI TS 119 182-1, clauses 5.1.7 and 5.2.2: a reference to the signer must have the digest of its certificate. */
function requireReference(header: Record<string, unknown>, leaf: X509Certificate | undefined): void {
  const sha256 = header['x5t#S256']
  const other = header['x5t#o']
  const references: unknown[] = [
    ...(sha256 === undefined ? [] : [{ digAlg: 'S256', digVal: sha256 }]),
    ...(other === undefined ? [] : [other]),
  ]
  for (const reference of references) {
    const { digAlg, digVal } = isJsonObject(reference) ? reference : {}
    const digest = typeof digAlg === 'string' && Object.hasOwn(digests, digAlg) ? digests[digAlg as 'S256'] : undefined
    const isOfLeaf = digest && leaf && createHash(digest).update(leaf.raw).digest('base64url') === digVal
    if (!isOfLeaf) throw invalid('its reference to the signer (x5t#S256, x5t#o) is not the digest of the certificate')
  }
}

const rsaHashes: Record<string, string> = { '256': 'sha256', '384': 'sha384', '512': 'sha512' }

/** Whether the algorithm is one of ECDSA, EdDSA, RSASSA-PKCS1-v1_5 and RSASSA-PSS. The lists of the EU use RS512. */
export function isLoteAlgorithm(alg: string): boolean {
  return isJwsAlgorithm(alg) || /^[RP]S(256|384|512)$/.test(alg)
}

/** Verifies the signature. Returns false for a key that does not match the algorithm. */
export function isLoteSignedWith({ alg, signingInput, signature }: LoteJws, publicKey: KeyObject): boolean {
  if (publicKey.asymmetricKeyType !== 'rsa')
    return isJwsAlgorithm(alg) && isSignatureOf(publicJwk(publicKey), alg, signingInput, signature)
  const hash = isLoteAlgorithm(alg) ? rsaHashes[alg.slice(2)] : undefined
  if (!hash || isJwsAlgorithm(alg)) return false
  const isPss = alg.startsWith('PS')
  const padding = isPss ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING
  const key = { key: publicKey, padding, ...(isPss && { saltLength: constants.RSA_PSS_SALTLEN_DIGEST }) }
  return verify(hash, Buffer.from(signingInput), key, signature)
}

function invalid(reason: string): FormatError {
  return new FormatError('invalid_jws', reason)
}
