import { hash } from 'node:crypto'
import { unixSeconds } from '../clock.ts'

export interface SignableRequest {
  method: string
  /** An absolute URL. Path and query are signed and sent as the URL parser writes them. */
  url: string
  /** All headers that the signature covers, in any letter case. `content-digest` is required. */
  headers: Readonly<Record<string, string | readonly string[]>>
  keyId: string
  createdAt: Date
}

/**
 * Returns the bytes to sign for an outgoing request and its `Signature-Input` (RFC 9421, section 2.5). The label is `sig1`. It covers
 * request target, method, authority, content digest, and then all other headers in order. The parameters are `created`, `keyid` and
 * `alg="ed25519"`. Throws an Error for a request that cannot be signed, which is a bug of the caller.
 */
export function signatureBase({ method, url, headers, keyId, createdAt }: SignableRequest) {
  const fields = canonicalFields(headers)
  const digest = fields.get('content-digest')
  if (digest === undefined) throw new Error('A signed request needs a content-digest header')
  fields.delete('content-digest')

  const { pathname, search, host } = new URL(url)
  const components: [name: string, value: string][] = [
    ['@request-target', pathname + search],
    ['@method', method],
    // RFC 9421, section 2.2.3: lower case, without the default port. The URL parser returns it like this.
    ['@authority', host],
    ['content-digest', digest],
    ...[...fields].sort(([a], [b]) => (a < b ? -1 : 1)),
  ]
  const covered = components.map(([name]) => `"${name}"`).join(' ')
  const created = unixSeconds(createdAt)
  const params = `(${covered});created=${created};keyid=${quoted(keyId)};alg="ed25519"`
  const lines = components.map(([name, value]) => `"${name}": ${value}\n`)
  return { base: `${lines.join('')}"@signature-params": ${params}`, signatureInput: `${LABEL}=${params}` }
}

/** Returns the two headers with a signature over the base (RFC 9421, section 4). */
export function signatureHeaders(signatureInput: string, signature: Buffer) {
  return { 'signature-input': signatureInput, signature: `${LABEL}=:${signature.toString('base64')}:` }
}

/** Returns the `Content-Digest` header of a body (RFC 9530, section 2). */
export function contentDigest(body: string | Buffer): string {
  return `sha-256=:${hash('sha256', body, 'base64')}:`
}

const LABEL = 'sig1'
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
const FIELD_VALUE = /^[\t\x20-\x7e]*$/
const KEY_ID = /^[\x20-\x7e]+$/

function canonicalFields(headers: SignableRequest['headers']): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [givenName, values] of Object.entries(headers)) {
    const name = givenName.toLowerCase()
    if (!FIELD_NAME.test(name) || name === 'signature' || name === 'signature-input') {
      throw new Error(`The header ${JSON.stringify(name)} cannot be signed`)
    }
    const value = canonicalValue(values)
    // A value with a line break could imitate another line of the base.
    if (!FIELD_VALUE.test(value)) throw new Error(`The header ${name} holds characters that cannot be signed`)
    const earlier = fields.get(name)
    fields.set(name, earlier === undefined ? value : `${earlier}, ${value}`)
  }
  return fields
}

/** RFC 9421, section 2.1, steps 1 to 4: trims values, replaces obsolete line folding by one space, and joins them. */
function canonicalValue(values: string | readonly string[]): string {
  return [values]
    .flat()
    .map((value) => value.replace(/[ \t]*\r\n[ \t]+/g, ' ').replace(/^[ \t]+|[ \t]+$/g, ''))
    .join(', ')
}

/** RFC 8941, section 3.3.3: a string of printable ASCII. */
function quoted(text: string): string {
  if (!KEY_ID.test(text)) throw new Error('A key id is printable ASCII')
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
