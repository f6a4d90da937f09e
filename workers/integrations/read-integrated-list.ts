import type { X509Certificate } from 'node:crypto'
import {
  type FailReason,
  type FailReasonType,
  type IntegrationFormat,
  integrationKinds,
  type SkippedEntry,
} from '../../shared/domain/ecosystems/integrations.ts'
import { certificateFromPem } from '../../shared/formats/certificate.ts'
import { verifySign1 } from '../../shared/formats/cose.ts'
import { FormatError } from '../../shared/formats/format-error.ts'
import { clocksApartMs, type TrustedListKind } from '../../shared/formats/trusted-lists/kinds.ts'
import {
  openTrustedList,
  readPayload,
  type TrustedListQuestion,
  verifyListChain,
} from '../../shared/formats/trusted-lists/read-list.ts'
import { faultOfAnchor, type TrustedChain } from '../../shared/formats/x509-chain.ts'
import { type ListEntry, readListEntries } from './list-entries.ts'

/** A fetched list and the parameters of its verification. */
export interface ListToVerify {
  bytes: Uint8Array
  format: IntegrationFormat
  /** The trust anchors of the operator, in PEM. One of them must have certified the signer. */
  anchors: readonly string[]
  /** The root of the last valid list, in PEM. Without anchors, the next list must have the same root. */
  pinnedRoot?: string
  /** The date of the last valid list. */
  lastDate?: Date
  at: Date
}

export interface GoodList {
  date: Date
  nextUpdate?: Date
  /** The same bytes are valid until then. */
  until: Date
  /** The root certificate, in PEM. */
  root: string
  entries: ListEntry[]
  skipped: { count: number; first: SkippedEntry[] }
}

/**
 * Reads an external VICAL (ISO/IEC 18013-5, C.1.7) or RICAL (second edition, F.3). Reads the payload after it has verified signer and
 * signature. Signer and dates must be valid. Invalid entries are skipped.
 */
export function readIntegratedList(input: ListToVerify): { list: GoodList } | { failed: FailReason } {
  try {
    return { list: read(input) }
  } catch (error) {
    if (error instanceof ListError) return { failed: { type: error.type, message: error.message } }
    if (!(error instanceof FormatError)) throw error
    const type = error.code === 'invalid_certificate' ? 'ChainInvalid' : 'NotAList'
    return { failed: { type, message: `The file is not a valid ${input.format}: ${error.message}. Check the URL.` } }
  }
}

function read(input: ListToVerify): GoodList {
  const kind = integrationKinds[input.format]
  const { chain, payload } = openTrustedList(input.bytes, kind)
  const { leaf, root, hasRoot } = trustedChain(chain, input)
  if (kind === 'rical' && hasRoot) {
    throw new ListError(
      'ChainInvalid',
      'The certificate chain contains the root, which is not allowed in a RICAL. Ask the publisher.',
    )
  }
  requireSignature(input.bytes, leaf)
  const { date, nextUpdate, notAfter, items } = readPayload(payload, kind)
  requireTimely({ date, nextUpdate, notAfter }, input)
  const { entries, skipped } = readListEntries(items, kind, (message) => new ListError('TooLarge', message))
  if (entries.length === 0 && skipped.count > 0) {
    const [first] = skipped.first
    throw new ListError(
      'NoUsableEntries',
      `None of the ${skipped.count} entries can be used. Reason of the first: ${first?.reason}. Ask the publisher.`,
    )
  }
  const ends = [...chain.map(({ validToDate }) => validToDate), root.validToDate, nextUpdate, notAfter]
  const until = new Date(Math.min(...ends.flatMap((each) => each?.getTime() || [])))
  return { date, ...(nextUpdate && { nextUpdate }), until, root: root.toString(), entries, skipped }
}

/** Verifies the chain: with the trust anchors, or else the root of the last list, or else the root in the first list. */
function trustedChain(chain: readonly X509Certificate[], input: ListToVerify): TrustedChain {
  const { anchors, pinnedRoot, at } = input
  const kind = integrationKinds[input.format]
  if (anchors.length > 0) {
    const verdict = chainUnder(chain, { kind, roots: anchors.map(certificateFromPem), at })
    if (verdict.isTrusted) return verdict
    throw new ListError(
      'ChainInvalid',
      `No trust anchor certifies the signer: ${verdict.message}. Compare trustAnchors with those of the publisher.`,
    )
  }
  const own = chain.at(-1)
  const ownRoot = own && chain.length > 1 && own.checkIssued(own) ? own : undefined
  if (pinnedRoot !== undefined) return pinnedChain(chain, certificateFromPem(pinnedRoot), { kind, ownRoot, at })
  if (!ownRoot) {
    throw new ListError(
      'RootMissing',
      'The list does not contain the root of its signer, so it cannot be verified. Add the root of the publisher to trustAnchors.',
    )
  }
  const verdict = chainUnder(chain, { kind, roots: [ownRoot], at })
  const fault = verdict.isTrusted ? faultOfAnchor(ownRoot) : verdict.message
  if (verdict.isTrusted && fault === undefined) return verdict
  throw new ListError('ChainInvalid', `The root of the list does not certify the signer: ${fault}. Ask the publisher.`)
}

function pinnedChain(
  chain: readonly X509Certificate[],
  pinned: X509Certificate,
  { kind, ownRoot, at }: { kind: TrustedListKind; ownRoot: X509Certificate | undefined; at: Date },
): TrustedChain {
  const verdict = chainUnder(chain, { kind, roots: [pinned], at })
  if (verdict.isTrusted) return verdict
  const isOther = ownRoot ? ownRoot.fingerprint256 !== pinned.fingerprint256 : verdict.fault === 'no_root'
  if (!isOther) {
    throw new ListError(
      'ChainInvalid',
      `The root of the earlier lists does not certify the signer: ${verdict.message}. Ask the publisher.`,
    )
  }
  throw new ListError(
    'RootChanged',
    'The list has another root than the earlier lists. Ask the publisher, and add the new root to trustAnchors if it is correct.',
  )
}

/** Verifies the chain up to the first trusted certificate. Certificates above it are ignored. */
function chainUnder(chain: readonly X509Certificate[], question: TrustedListQuestion) {
  const trusted = new Set(question.roots.map(({ fingerprint256 }) => fingerprint256))
  const end = chain.findIndex(({ fingerprint256 }) => trusted.has(fingerprint256))
  return verifyListChain(end === -1 ? chain : chain.slice(0, end + 1), question)
}

/** Requires a valid signature: ES256, ES384 or ES512, as the curve of the certificate's key requires (table C.1). */
function requireSignature(bytes: Uint8Array, { publicKey }: X509Certificate): void {
  const isVerified = publicKey.asymmetricKeyType === 'ec' && verifySign1(bytes, publicKey).verified
  if (isVerified) return
  throw new ListError(
    'SignatureInvalid',
    'The signature does not verify with the key of the signer. Ask the publisher.',
  )
}

function requireTimely(
  { date, nextUpdate, notAfter }: { date: Date; nextUpdate: Date | undefined; notAfter: Date | undefined },
  { at, lastDate }: ListToVerify,
): void {
  if (date.getTime() > at.getTime() + clocksApartMs) {
    throw new ListError(
      'DateInFuture',
      `The date of the list, ${date.toISOString()}, is in the future. Ask the publisher, or check the clock of this service.`,
    )
  }
  // Only this check detects that an old list is replayed.
  const end = [nextUpdate, notAfter].find((each) => each && each <= at)
  if (end) throw new ListError('Expired', expiredAt(end))
  if (lastDate && date < lastDate) {
    throw new ListError(
      'Outdated',
      `The date of the list, ${date.toISOString()}, is before the date of the last valid list, ${lastDate.toISOString()}. Ask the publisher. To accept the list, remove the integration and add it again.`,
    )
  }
}

function expiredAt(end: Date): string {
  return `The list expired, or its next update was due, at ${end.toISOString()}. The publisher has no newer list. Ask the publisher.`
}

class ListError extends Error {
  override readonly name = 'ListError'
  readonly type: FailReasonType

  constructor(type: FailReasonType, message: string) {
    super(message)
    this.type = type
  }
}
