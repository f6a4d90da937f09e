/** The attributes of a token that PKCS11_TOKEN can name (RFC 7512, section 2.3), as C_GetTokenInfo returns them. */
export interface TokenUri {
  token?: string
  serial?: string
  manufacturer?: string
  model?: string
}

/** The attributes by which a key is searched in a token. */
export interface KeyNameInToken {
  /** CKA_ID. */
  id: Uint8Array
  /** CKA_LABEL. */
  label: string
}

const tokenAttributes = ['token', 'serial', 'manufacturer', 'model'] as const
const scheme = 'pkcs11:'
/** RFC 7512, section 2.3: `pk11-pchar`, without "/" and ";". */
const pathValue = /^(?:[\w\-.~:[\]@!$'()*+,=&]|%[\da-f]{2})*$/i

/** A URI that the service does not accept. The message says why, and never contains the value of an attribute. */
export class TokenUriError extends Error {}

/** Parses the URI of a token. Refuses PINs, attributes of slots and libraries, unknown attributes and duplicates. */
export function parseTokenUri(text: string): TokenUri {
  const values = parsePath(text)
  const attributes: TokenUri = {}
  for (const [name, value] of values) {
    const attribute = tokenAttributes.find((each) => each === name)
    if (name.startsWith('slot-'))
      throw new TokenUriError(`has \`${name}\`. Slots change their numbers. Name the token.`)
    if (!attribute) throw new TokenUriError(`has the attribute \`${name}\`. It can have ${tokenAttributes.join(', ')}.`)
    attributes[attribute] = utf8(value, attribute)
  }
  if (values.size === 0) throw new TokenUriError('names no token. Write pkcs11:token=NAME.')
  return attributes
}

/** The kind of a key (RFC 7512, section 2.3, `type`). A secret key wraps other keys. */
export type KeyKind = 'private' | 'secret-key'

/** Returns the RFC 7512 URI of a key. `parseKeyUri` reads it. */
export function keyUri(token: string, { id, label }: KeyNameInToken, kind: KeyKind = 'private'): string {
  const idText = [...id].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  return `${scheme}token=${encoded(token)};id=${idText};object=${encoded(label)};type=${kind}`
}

/** Parses the URI of a key of one kind. The name of the token is not compared: a copy of the token can have another one. */
export function parseKeyUri(text: string, kind: KeyKind = 'private'): KeyNameInToken {
  const values = parsePath(text)
  const [id, label] = [values.get('id'), values.get('object')]
  const names = [...values.keys()].filter((name) => !['token', 'id', 'object', 'type'].includes(name))
  if (!id || !label || names.length > 0 || values.get('type')?.toString() !== kind)
    throw new TokenUriError(`is not the URI of a key with token, id, object and type=${kind}.`)
  return { id, label: utf8(label, 'object') }
}

function parsePath(text: string): Map<string, Buffer> {
  if (!text.startsWith(scheme)) throw new TokenUriError('must start with pkcs11:.')
  const [path = '', ...queries] = text.slice(scheme.length).split('?')
  if (queries.length > 0) throw new TokenUriError(faultOfQuery(queries.join('?')))
  const values = new Map<string, Buffer>()
  for (const attribute of path === '' ? [] : path.split(';')) {
    const [, name, value] = /^([\w-]+)=(.*)$/s.exec(attribute) ?? []
    if (name === undefined || value === undefined)
      throw new TokenUriError('has a part that is not NAME=VALUE. Separate attributes with semicolons.')
    if (!pathValue.test(value))
      throw new TokenUriError(`has a character in \`${name}\` that must be percent-encoded, such as %20 for a space.`)
    if (values.has(name)) throw new TokenUriError(`has the attribute \`${name}\` twice.`)
    values.set(name, decoded(value))
  }
  return values
}

function faultOfQuery(query: string): string {
  if (/(^|&)pin-(value|source)=/.test(query))
    return 'has a PIN. Remove it, and set PKCS11_PIN_FILE to a file with the PIN.'
  return 'has a part after "?". Remove it. PKCS11_MODULE is the path of the library.'
}

function decoded(value: string): Buffer {
  const bytes = value.split(/%(..)/).map((part, at) => Buffer.from(part, at % 2 === 1 ? 'hex' : 'latin1'))
  return Buffer.concat(bytes)
}

function utf8(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new TokenUriError(`has bytes in \`${name}\` that are not UTF-8.`)
  }
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
}
