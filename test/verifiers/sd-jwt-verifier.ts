import { createPublicKey, hash, type JsonWebKey, type KeyObject, verify, X509Certificate } from 'node:crypto'
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc'
import type { Api } from '../harness/api-client.ts'
import { readJwtToken } from './token-list-reader.ts'

interface Verifier {
  /** The public API of the tenant, which serves status lists. */
  anonymous: Api
  /** The expected nonce of the key binding. Without it, there is none. */
  nonce?: string
  /** Default: now. */
  at?: Date
}

type Header = { alg: string; typ: string; x5c: string[] }
type Claims = Record<string, unknown> & {
  vct: string
  iat: number
  exp: number
  cnf: { jwk: JsonWebKey }
  status?: { status_list: { idx: number; uri: string } }
}

/** The issuer-signed JWT, without a check. */
export function readSdJwt(text: string): { header: Header; payload: Claims; disclosures: unknown[][] } {
  const [jwt = '', ...rest] = text.split('~')
  const [header = '', payload = ''] = jwt.split('.')
  return {
    header: jsonOf(header) as Header,
    payload: jsonOf(payload) as Claims,
    disclosures: rest.slice(0, -1).map((each) => jsonOf(each) as unknown[]),
  }
}

/**
 * Verifies an SD-JWT VC with `@sd-jwt/sd-jwt-vc`: its signature by the first certificate of `x5c`, its times, its status and, with a
 * nonce, its key binding. Loads its type metadata if it names their hash. Returns its claims. Throws for a status other than 0.
 */
export async function verifySdJwt(text: string, { anonymous, nonce, at = new Date() }: Verifier): Promise<Claims> {
  const { header, payload } = readSdJwt(text)
  const leaf = new X509Certificate(Buffer.from(header.x5c[0] ?? '', 'base64'))
  const es256 = (key: KeyObject) => (input: string, signature: string) =>
    verify('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))
  const library = new SDJwtVcInstance({
    verifier: es256(leaf.publicKey),
    kbVerifier: (input, signature) => es256(createPublicKey({ key: payload.cnf.jwk, format: 'jwk' }))(input, signature),
    hasher: (data, algorithm) => hash(algorithm.replace('-', ''), Buffer.from(data as string), 'buffer'),
    hashAlg: 'sha-256',
    statusListFetcher: (uri) => fetchList(anonymous, uri),
    // `fetchList` verifies the signature by the certificate of the list.
    statusVerifier: () => true,
    loadTypeMetadataFormat: payload['vct#integrity'] !== undefined,
    // The library compares the hash in hex. The draft requires base64 (W3C Subresource Integrity).
    vctFetcher: (vct, integrity) => fetchType(anonymous, vct, integrity),
  })
  const verified = await library.verify(text, {
    currentDate: Math.floor(at.getTime() / 1000),
    ...(nonce !== undefined && { keyBindingNonce: nonce }),
  })
  return verified.payload as Claims
}

async function fetchList(anonymous: Api, uri: string): Promise<string> {
  const type = 'application/statuslist+jwt'
  const { status, headers, body } = await anonymous.get(new URL(uri).pathname, { accept: type })
  if (status !== 200 || headers['content-type'] !== type) throw new Error(`list: ${status} ${body}`)
  await readJwtToken(body)
  return body
}

async function fetchType(anonymous: Api, vct: string, integrity?: string) {
  const { status, body } = await anonymous.get(new URL(vct).pathname)
  if (status !== 200 || integrity !== `sha256-${hash('sha256', JSON.stringify(body), 'base64')}`) {
    throw new Error(`type metadata: ${status}, ${integrity}`)
  }
  return body
}

function jsonOf(text: string): unknown {
  return JSON.parse(Buffer.from(text, 'base64url').toString())
}
