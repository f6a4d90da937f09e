import 'reflect-metadata'
import { execFileSync } from 'node:child_process'
import { verify, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { getListFromStatusListJWT, StatusList } from '@owf/token-status-list'
import { decode, encode, type Tag } from 'cbor2'
import { compactVerify, importX509 } from 'jose'
import { request } from 'undici'

/** Readers of token status lists that share no code with the signer. */

export interface ReadToken {
  /** Times in seconds. */
  uri: string
  iat: number
  exp: number
  ttl: number
  bits: number
  aggregationUri: string | undefined
  /** The value of each entry, read by the library @owf/token-status-list. */
  statuses: number[]
  /** The entries with a value other than 0. */
  set: Record<number, number>
  /** The certificate in the token, PEM. Its key signed the token. */
  signer: string
  claims: Map<unknown, unknown>
  header: Map<number, unknown>
}

const claimKeys = { draft14: { list: 65533, ttl: 65534 }, legacy: { list: -65538, ttl: -65539 } }

/** Throws if the signature is wrong, the tag is missing, or the unprotected header is not empty. */
export function readCwtToken(bytes: Uint8Array, format: 'draft14' | 'legacy'): ReadToken {
  const { tag, contents } = decode<Tag>(new Uint8Array(bytes), { preferMap: true })
  const [protectedBytes, unprotected, payload, signature] = contents as [
    Uint8Array,
    Map<never, never>,
    Uint8Array,
    Uint8Array,
  ]
  const header = decode<Map<number, unknown>>(protectedBytes, { preferMap: true })
  if (Number(tag) !== 18 || unprotected.size > 0 || header.get(1) !== -7) throw new Error('not an ES256 COSE_Sign1')
  const certificate = new X509Certificate(header.get(33) as Uint8Array)
  const signed = encode(['Signature1', protectedBytes, new Uint8Array(), payload])
  if (!verify('sha256', signed, { key: certificate.publicKey, dsaEncoding: 'ieee-p1363' }, signature))
    throw new Error('a wrong signature')
  const claims = decode<Map<unknown, unknown>>(payload, { preferMap: true })
  const list = claims.get(claimKeys[format].list) as Map<string, unknown>
  const bits = list.get('bits') as 1 | 2
  const { statusList } = StatusList.decompressStatusListFromBytes(list.get('lst') as Uint8Array, bits)
  // The library knows only the draft.
  if (format === 'draft14') {
    const content = readByLibrary(bytes)
    if (content.subject !== claims.get(2) || content.statuses.join() !== statusList.join())
      throw new Error('@owf/token-status-list reads something else')
  }
  return {
    uri: claims.get(2) as string,
    iat: claims.get(6) as number,
    exp: claims.get(4) as number,
    ttl: claims.get(claimKeys[format].ttl) as number,
    ...{ bits, statuses: statusList, set: setOf(statusList), signer: certificate.toString(), claims, header },
    aggregationUri: list.get('aggregation_uri') as string | undefined,
  }
}

function readByLibrary(bytes: Uint8Array): { subject: string; statuses: number[] } {
  const script = join(import.meta.dirname, 'read-status-list-cwt.ts')
  return JSON.parse(String(execFileSync(process.execPath, [script], { input: bytes, maxBuffer: 10_000_000 })))
}

/** Reads the same from a JWT. */
export async function readJwtToken(jwt: string): Promise<Omit<ReadToken, 'claims' | 'header'>> {
  const [, der] = /"x5c":\["([^"]+)"\]/.exec(Buffer.from(jwt.split('.')[0]!, 'base64url').toString())!
  const signer = new X509Certificate(Buffer.from(der!, 'base64')).toString()
  const { payload, protectedHeader } = await compactVerify(jwt, await importX509(signer, 'ES256'))
  if (protectedHeader.typ !== 'statuslist+jwt') throw new Error(`a JWT of type ${protectedHeader.typ}`)
  const { sub: uri, iat, exp, ttl, status_list: list } = JSON.parse(Buffer.from(payload).toString())
  const { statusList: statuses } = getListFromStatusListJWT(jwt)
  return {
    ...{ uri, iat, exp, ttl, bits: list.bits, aggregationUri: list.aggregation_uri },
    ...{ statuses, set: setOf(statuses), signer },
  }
}

function setOf(statuses: number[]): Record<number, number> {
  return Object.fromEntries(statuses.flatMap((status, position) => (status === 0 ? [] : [[position, status]])))
}

/** Requests a list as readers do. It does not use fetch, because fetch adds headers. */
export async function fetchToken(
  origin: string,
  { host }: { host: string },
  uri: string,
  headers: Record<string, string> = {},
) {
  const { pathname, search } = new URL(uri)
  const {
    statusCode: status,
    headers: answered,
    body,
  } = await request(origin + pathname + search, {
    headers: { host, ...headers },
  })
  return { status, headers: answered, bytes: Buffer.from(await body.arrayBuffer()) }
}
