import type { X509Certificate } from 'node:crypto'
import { KeyUsageFlags } from '@peculiar/asn1-x509'
import type { CborValue } from '../cbor.ts'
import { decodeCbor } from '../cbor-decode.ts'
import { certificateFromDer } from '../certificate.ts'
import { coseHeader, parseSign1, type Sign1 } from '../cose.ts'
import { FormatError } from '../format-error.ts'
import { maxChainLength, verifyChain } from '../x509-chain.ts'
import { type TrustedListKind, trustedListKinds } from './kinds.ts'
import { readTdate } from './tdate.ts'

/** The members of a list beside its entries. */
interface TrustedListContent {
  kind: TrustedListKind
  provider: string
  /** `vicalIssueID` of a VICAL, `id` of a RICAL. It does not always increase in external lists. */
  number: number | undefined
  date: Date
  nextUpdate: Date | undefined
  notAfter: Date | undefined
  url: string | undefined
  /** The entries as received. */
  items: readonly CborValue[]
}

export interface TrustedListQuestion {
  kind: TrustedListKind
  /** The trusted authorities that certify signers. */
  roots: readonly X509Certificate[]
  at: Date
}

/** Maximum CBOR items of a list. 20,000 entries of published lists have fewer. They take at most about 150 MB. */
const maxItems = 800_000

/** Reads the signer and the payload, without verification. The chain is as received, with the signer first. */
export function openTrustedList(
  bytes: Uint8Array,
  kind: TrustedListKind,
): { chain: readonly X509Certificate[]; payload: Buffer } {
  const sign1 = parseSign1(bytes, maxItems)
  return { chain: chainIn(sign1, kind), payload: sign1.payload }
}

/** Verifies that one of the roots has certified the signer for lists of this kind (ISO/IEC 18013-5, table C.1; second edition, table F.1). */
export function verifyListChain(
  chain: readonly X509Certificate[],
  { kind, roots, at }: TrustedListQuestion,
): ReturnType<typeof verifyChain> {
  const { purposes } = trustedListKinds[kind]
  return verifyChain({ chain, roots, at, leafUsage: KeyUsageFlags.nonRepudiation, ...(purposes && { purposes }) })
}

/**
 * Reads the members of a list (ISO/IEC 18013-5, C.1.7; second edition, F.3). Throws `invalid_trusted_list` with the fault, and the codes
 * of CBOR.
 */
export function readPayload(bytes: Uint8Array, kind: TrustedListKind): TrustedListContent {
  const payload = decodeCbor(bytes, maxItems)
  if (!(payload instanceof Map)) throw invalid('its payload is not a map')
  const { keys } = trustedListKinds[kind]
  const version = payload.get('version')
  const provider = payload.get(keys.provider)
  const date = readTdate(payload.get('date'))
  if (typeof version !== 'string' || !/^1(\.|$)/.test(version)) throw invalid('it is not of version 1')
  if (typeof provider !== 'string') throw invalid(`it has no ${keys.provider}`)
  if (!date) throw invalid('it has no date')
  const items = payload.get('certificateInfos')
  if (!Array.isArray(items)) throw invalid('it has no certificateInfos')
  const number = payload.get(keys.number)
  const url = payload.get(keys.url)
  return {
    kind,
    provider,
    number: typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined,
    date,
    nextUpdate: readTdate(payload.get('nextUpdate')),
    notAfter: readTdate(payload.get('notAfter')),
    url: typeof url === 'string' ? url : undefined,
    items,
  }
}

/** Reads the chain from the header of this kind only. RFC 9360, section 2: one certificate stands alone, several are in an array. */
function chainIn({ protectedHeader, unprotectedHeader }: Sign1, kind: TrustedListKind): X509Certificate[] {
  if (!protectedHeader.has(coseHeader.alg)) throw invalid('its algorithm is not protected')
  const { isChainProtected } = trustedListKinds[kind]
  const [header, other] = isChainProtected ? [protectedHeader, unprotectedHeader] : [unprotectedHeader, protectedHeader]
  const x5chain = header.get(coseHeader.x5chain)
  if (x5chain === undefined || other.has(coseHeader.x5chain)) {
    throw invalid(`its x5chain is not in the ${isChainProtected ? 'protected' : 'unprotected'} header alone`)
  }
  const certificates: readonly CborValue[] = Array.isArray(x5chain) ? x5chain : [x5chain]
  // Keeps one certificate too many, so that a long chain is refused without parsing all of it.
  return certificates.slice(0, maxChainLength + 1).map((each) => {
    if (!Buffer.isBuffer(each)) throw invalid('a certificate of its x5chain is not a byte string')
    return certificateFromDer(each)
  })
}

function invalid(reason: string): FormatError {
  return new FormatError('invalid_trusted_list', reason)
}
