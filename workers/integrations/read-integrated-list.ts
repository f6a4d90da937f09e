import type { X509Certificate } from 'node:crypto'
import {
  type CborListFormat,
  type FailReason,
  integrationKinds,
  loteFormat,
} from '../../shared/domain/ecosystems/integrations.ts'
import { verifySign1 } from '../../shared/formats/cose.ts'
import { FormatError } from '../../shared/formats/format-error.ts'
import { openTrustedList, readPayload, verifyListChain } from '../../shared/formats/trusted-lists/read-list.ts'
import type { GoodList, ListToVerify } from './external-list.ts'
import { readListEntries } from './list-entries.ts'
import { invalidSignature, ListError } from './list-error.ts'
import { requireTrust } from './list-trust.ts'
import { readLote } from './read-lote.ts'
import { requireTimely } from './require-timely.ts'

/** Reads an external list. Signer, signature and dates must be valid. Invalid entries are skipped. */
export function readIntegratedList(input: ListToVerify): { list: GoodList } | { failed: FailReason } {
  const { format } = input
  try {
    const list = format === loteFormat ? readLote(input) : read(input, format)
    requireUsableEntries(list)
    return { list }
  } catch (error) {
    if (error instanceof ListError) return { failed: { type: error.type, message: error.message } }
    if (!(error instanceof FormatError)) throw error
    const type = error.code === 'invalid_certificate' ? 'ChainInvalid' : 'NotAList'
    return { failed: { type, message: `The file is not a valid ${format}: ${error.message}. Check the URL.` } }
  }
}

function requireUsableEntries({ entries, skipped }: GoodList): void {
  if (entries.length > 0 || skipped.count === 0) return
  const [first] = skipped.first
  throw new ListError(
    'NoUsableEntries',
    `None of the ${skipped.count} entries can be used. Reason of the first: ${first?.reason}. Ask the publisher.`,
  )
}

/**
 * Reads an external VICAL (ISO/IEC 18013-5, C.1.7) or RICAL (second edition, F.3). Reads the payload after it has verified signer and
 * signature.
 */
function read(input: ListToVerify, format: CborListFormat): GoodList {
  const { at } = input
  const kind = integrationKinds[format]
  const { chain, payload } = openTrustedList(input.bytes, kind)
  const verify = (certificates: readonly X509Certificate[], roots: readonly X509Certificate[]) =>
    verifyListChain(certificates, { kind, roots, at })
  const { leaf, root, hasRoot } = requireTrust(chain, { ...input, verify })
  if (kind === 'rical' && hasRoot) {
    throw new ListError(
      'ChainInvalid',
      'The certificate chain contains the root, which is not allowed in a RICAL. Ask the publisher.',
    )
  }
  requireSignature(input.bytes, leaf)
  const { date, nextUpdate, notAfter, items } = readPayload(payload, kind)
  requireTimely({ date, nextUpdate, notAfter }, input)
  const { entries, skipped } = readListEntries(items, kind)
  const ends = [...chain.map(({ validToDate }) => validToDate), root.validToDate, nextUpdate, notAfter]
  const until = new Date(Math.min(...ends.flatMap((each) => each?.getTime() || [])))
  return { date, ...(nextUpdate && { nextUpdate }), until, root: root.toString(), entries, skipped }
}

/** Requires a valid signature: ES256, ES384 or ES512, as the curve of the certificate's key requires (table C.1). */
function requireSignature(bytes: Uint8Array, { publicKey }: X509Certificate): void {
  const isVerified = publicKey.asymmetricKeyType === 'ec' && verifySign1(bytes, publicKey).verified
  if (!isVerified) throw invalidSignature()
}
