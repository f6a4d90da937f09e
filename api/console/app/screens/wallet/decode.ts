import type { Received } from '../../../../../shared/wallet/collect.ts'
import { objectIn } from '../../../../../shared/wallet/exchange.ts'
import { fromBase64Url, toBase64Url } from '../../../../../shared/wallet/keys.ts'
import { readCbor } from '../../kit/cbor.ts'
import type { Profile } from '../../kit/configurations.ts'
import { isRecord } from '../../kit/form-values.ts'

/** A credential in parts that people can read. The signature is not checked here. */
export interface Decoded {
  profile: Profile
  header?: unknown
  content: unknown
  disclosures?: unknown[]
  status?: { url: string; index: number }
}

/** Decodes a credential. Returns undefined for a format that this page does not know. */
export function decodeCredential(received: Received): Decoded | undefined {
  try {
    if (typeof received !== 'string') return decodeWeb(received)
    if (received.startsWith('CSC:/')) return decodeCwt('compact', received)
    if (received.startsWith('CSS:/')) return decodeCwt('compact-semantic', received)
    return received.includes('.') ? decodeSdJwt(received) : decodeMobile(received)
  } catch {
    return undefined
  }
}

function decodeWeb(credential: Record<string, unknown>): Decoded {
  const { revocationListCredential: url, revocationListIndex: index } = objectIn(credential.credentialStatus)
  return { profile: 'web-semantic', content: credential, ...statusOf(url, Number(index)) }
}

function decodeSdJwt(text: string): Decoded {
  const [jwt = '', ...disclosures] = text.split('~')
  const [header, content] = jwt.split('.').slice(0, 2).map(parsedPart)
  const { uri, idx } = objectIn(objectIn(objectIn(content).status).status_list)
  return {
    ...{ profile: 'sd-jwt', header, content },
    disclosures: disclosures.filter(Boolean).map(parsedPart),
    ...statusOf(uri, Number(idx)),
  }
}

const parsedPart = (part: string): unknown => JSON.parse(new TextDecoder().decode(fromBase64Url(part)))

/** The names of the registered claims of a CWT (RFC 8392, section 4), and the status of the compact formats. */
const claimNames = ['', 'iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'cti', 'cnf']
const statusClaim = -65537
const statusNames = ['', '', 'index', 'url']

/** COSE_Sign1 (RFC 9052, section 4.2) after the prefix, in base32. */
function decodeCwt(profile: Profile, text: string): Decoded {
  const sign1 = readCbor(fromBase32(text.slice(text.lastIndexOf('/') + 1)))
  const payload = Array.isArray(sign1) ? readCbor(sign1[2]) : undefined
  if (!(payload instanceof Map)) throw new Error('not a CWT')
  const entries = [...payload].map(([key, value]) =>
    key === statusClaim && value instanceof Map
      ? ['status', jsonOf(value, statusNames)]
      : [claimNames[Number(key)] || key, jsonOf(value)],
  )
  const content: Record<string, unknown> = Object.fromEntries(entries)
  const { url, index } = objectIn(content.status)
  return { profile, content, ...statusOf(url, Number(index)) }
}

function fromBase32(text: string): Uint8Array {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text].map((each) => alphabet.indexOf(each).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

/** IssuerSigned (ISO/IEC 18013-5, section 8.3.2.1.2.2): the elements by namespace, and the mobile security object. */
function decodeMobile(text: string): Decoded {
  const signed = readCbor(fromBase64Url(text))
  if (!(signed instanceof Map)) throw new Error('not an IssuerSigned')
  const [, , payload] = signed.get('issuerAuth')
  const mso = readCbor(bytesIn(readCbor(payload)))
  const elements = [...signed.get('nameSpaces')].map(([namespace, items]) => [
    namespace,
    Object.fromEntries(items.map(elementOf)),
  ])
  const header = jsonOf(mso)
  const { uri, idx } = objectIn(objectIn(objectIn(header).status).status_list)
  const content = jsonOf(Object.fromEntries(elements))
  return { profile: 'mobile', header, content, ...statusOf(uri, Number(idx)) }
}

function elementOf(item: unknown): [string, unknown] {
  const element = readCbor(bytesIn(item))
  if (!(element instanceof Map)) throw new Error('not an element')
  return [String(element.get('elementIdentifier')), element.get('elementValue')]
}

function bytesIn(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw new Error('not bytes')
}

/** Returns CBOR in the form of JSON. `names` are the names of numbered keys. */
function jsonOf(value: unknown, names: readonly string[] = []): unknown {
  if (value instanceof Uint8Array) return toBase64Url(value)
  if (Array.isArray(value)) return value.map((each) => jsonOf(each))
  const entries = value instanceof Map ? [...value] : isRecord(value) ? Object.entries(value) : undefined
  return entries
    ? Object.fromEntries(entries.map(([key, each]) => [names[Number(key)] || String(key), jsonOf(each)]))
    : value
}

function statusOf(url: unknown, index: number): Pick<Decoded, 'status'> {
  return typeof url === 'string' && Number.isInteger(index) ? { status: { url, index } } : {}
}
