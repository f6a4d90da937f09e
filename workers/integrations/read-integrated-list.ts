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

/** A list of others as it was fetched, and whom it has to be of. */
export interface ListToVerify {
  bytes: Uint8Array
  format: IntegrationFormat
  /** In PEM; those of the operator, one of which has to have certified the signer. */
  anchors: readonly string[]
  /** In PEM; of the last good list, to which one is kept where there are no anchors. */
  pinnedRoot?: string
  /** Of the last good list. */
  lastDate?: Date
  at: Date
}

export interface GoodList {
  date: Date
  nextUpdate?: Date
  /** Until then the same bytes are good again. */
  until: Date
  /** In PEM. */
  root: string
  entries: ListEntry[]
  skipped: { count: number; first: SkippedEntry[] }
}

/**
 * Reads a VICAL (ISO/IEC 18013-5, C.1.7) or a RICAL (second edition, F.3) of others: strict on who signed it and when, lenient on what single entries say. Nothing in
 * it is read before its signer is known and its signature is good.
 */
export function readIntegratedList(asked: ListToVerify): { list: GoodList } | { failed: FailReason } {
  try {
    return { list: read(asked) }
  } catch (error) {
    if (error instanceof Refusal) return { failed: { type: error.type, message: error.message } }
    if (!(error instanceof FormatError)) throw error
    const type = error.code === 'invalid_certificate' ? 'ChainInvalid' : 'NotAList'
    return { failed: { type, message: `It is no ${asked.format} that can be read: ${error.message}. Check the URL` } }
  }
}

function read(asked: ListToVerify): GoodList {
  const kind = integrationKinds[asked.format]
  const { chain, payload } = openTrustedList(asked.bytes, kind)
  const { leaf, root, hasRoot } = trustedChain(chain, asked)
  if (kind === 'rical' && hasRoot) {
    throw new Refusal(
      'ChainInvalid',
      'Its chain holds the root, which the chain of a RICAL does not. Ask its publisher',
    )
  }
  requireSignature(asked.bytes, leaf)
  const { date, nextUpdate, notAfter, items } = readPayload(payload, kind)
  requireTimely({ date, nextUpdate, notAfter }, asked)
  const { entries, skipped } = readListEntries(items, kind, (message) => new Refusal('TooLarge', message))
  if (entries.length === 0 && skipped.count > 0) {
    const [first] = skipped.first
    throw new Refusal(
      'NoUsableEntries',
      `None of its ${skipped.count} entries can be used; of the first, ${first?.reason}`,
    )
  }
  const ends = [...chain.map(({ validToDate }) => validToDate), root.validToDate, nextUpdate, notAfter]
  const until = new Date(Math.min(...ends.flatMap((each) => each?.getTime() || [])))
  return { date, ...(nextUpdate && { nextUpdate }), until, root: root.toString(), entries, skipped }
}

/** Under an anchor of the operator's, or else under the root of the list before, or else under the root that the first list holds. */
function trustedChain(chain: readonly X509Certificate[], asked: ListToVerify): TrustedChain {
  const { anchors, pinnedRoot, at } = asked
  const kind = integrationKinds[asked.format]
  if (anchors.length > 0) {
    const verdict = chainUnder(chain, { kind, roots: anchors.map(certificateFromPem), at })
    if (verdict.isTrusted) return verdict
    throw new Refusal(
      'ChainInvalid',
      `Its signer is not certified by a trust anchor: ${verdict.message}. Check trustAnchors against what its publisher says`,
    )
  }
  const own = chain.at(-1)
  const ownRoot = own && chain.length > 1 && own.checkIssued(own) ? own : undefined
  if (pinnedRoot !== undefined) return pinnedChain(chain, certificateFromPem(pinnedRoot), { kind, ownRoot, at })
  if (!ownRoot) {
    throw new Refusal(
      'RootMissing',
      'It does not hold the root of its signer, so that nobody can vouch for it. Put the root, as its publisher gives it, into trustAnchors',
    )
  }
  const verdict = chainUnder(chain, { kind, roots: [ownRoot], at })
  const fault = verdict.isTrusted ? faultOfAnchor(ownRoot) : verdict.message
  if (verdict.isTrusted && fault === undefined) return verdict
  throw new Refusal('ChainInvalid', `Its signer is not certified by its root: ${fault}. Ask its publisher`)
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
    throw new Refusal(
      'ChainInvalid',
      `Its signer is not certified by the root of the lists before: ${verdict.message}. Ask its publisher`,
    )
  }
  throw new Refusal(
    'RootChanged',
    'It is under another root than the lists before. Ask its publisher, and put the new root into trustAnchors if it is theirs',
  )
}

/** What stands in the chain above a certificate that is trusted does not matter. */
function chainUnder(chain: readonly X509Certificate[], question: TrustedListQuestion) {
  const trusted = new Set(question.roots.map(({ fingerprint256 }) => fingerprint256))
  const end = chain.findIndex(({ fingerprint256 }) => trusted.has(fingerprint256))
  return verifyListChain(end === -1 ? chain : chain.slice(0, end + 1), question)
}

/** ES256, ES384 or ES512, as the key of the certificate has it (table C.1). */
function requireSignature(bytes: Uint8Array, { publicKey }: X509Certificate): void {
  const isVerified = publicKey.asymmetricKeyType === 'ec' && verifySign1(bytes, publicKey).verified
  if (isVerified) return
  throw new Refusal('SignatureInvalid', 'Its signature is not good under the key of its signer. Ask its publisher')
}

function requireTimely(
  { date, nextUpdate, notAfter }: { date: Date; nextUpdate: Date | undefined; notAfter: Date | undefined },
  { at, lastDate }: ListToVerify,
): void {
  if (date.getTime() > at.getTime() + clocksApartMs) {
    throw new Refusal('DateInFuture', `Its date is ${date.toISOString()}. Ask its publisher, or look at the clock here`)
  }
  // A list that is replayed for ever is kept from us by its end alone.
  const end = [nextUpdate, notAfter].find((each) => each && each <= at)
  if (end) throw new Refusal('Expired', expiredAt(end))
  if (lastDate && date < lastDate) {
    throw new Refusal(
      'Outdated',
      `Its date, ${date.toISOString()}, is before that of the last good one, ${lastDate.toISOString()}. Ask its publisher; to begin anew, remove the integration and add it again`,
    )
  }
}

export function expiredAt(end: Date): string {
  return `The next one was due, or it ended, at ${end.toISOString()}, and nothing newer is published. Ask its publisher`
}

class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly type: FailReasonType

  constructor(type: FailReasonType, message: string) {
    super(message)
    this.type = type
  }
}
