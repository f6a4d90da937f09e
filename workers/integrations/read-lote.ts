import { isLoteAlgorithm, isLoteSignedWith, openLote } from '../../shared/formats/trusted-lists/lote/lote-jws.ts'
import type { Lote } from '../../shared/formats/trusted-lists/lote/lote-schema.ts'
import { type LoteProfile, loteProfiles } from '../../shared/formats/trusted-lists/lote/lote-types.ts'
import { certificatesOf, findLoteFault, readLotePayload } from '../../shared/formats/trusted-lists/lote/read-lote.ts'
import { verifyLoteChain } from '../../shared/formats/trusted-lists/lote/verify-chain.ts'
import type { GoodList, ListToVerify } from './external-list.ts'
import { collectEntries, readLoteEntry } from './list-entries.ts'
import { invalidSignature, ListError } from './list-error.ts'
import { requireTrust } from './list-trust.ts'
import { acceptAnyway, requireTimely } from './require-timely.ts'

/**
 * Reads an external list of trusted entities (ETSI TS 119 602). Reads the payload after it has verified signer and signature. A trust anchor
 * is an authority, or the certificate of the signer itself.
 */
export function readLote(input: ListToVerify): GoodList {
  const { loteType, at } = input
  if (!loteType) throw new Error('an integration of this format has a type of list')
  const profile = loteProfiles[loteType]
  const jws = openLote(input.bytes)
  if (!isLoteAlgorithm(jws.alg)) throw refusedAlgorithm()
  const { leaf, root } = requireTrust(jws.chain, {
    ...input,
    verify: (chain, roots) => verifyLoteChain(chain, roots, at),
  })
  if (!isLoteSignedWith(jws, leaf.publicKey)) throw invalidSignature()
  const lote = readLotePayload(jws.payload)
  requireRules(lote, profile)
  const { LoTESequenceNumber: number, ListIssueDateTime, NextUpdate } = lote.ListAndSchemeInformation
  const [date, nextUpdate] = [new Date(ListIssueDateTime), new Date(NextUpdate)]
  requireTimely({ date, nextUpdate }, input)
  requireNotRolledBack(number, input)
  const types = input.types ?? []
  const items = certificatesOf(lote, profile)
  const { entries, skipped } = collectEntries({ items, read: (item) => readLoteEntry(item, types) })
  const ends = [...jws.chain.map(({ validToDate }) => validToDate), root.validToDate, nextUpdate]
  const until = new Date(Math.min(...ends.map((each) => each.getTime())))
  return { date, number, nextUpdate, until, root: root.toString(), entries, skipped }
}

function refusedAlgorithm(): ListError {
  return new ListError(
    'AlgorithmRefused',
    'The signature algorithm of the list must be one of ES256, ES384, ES512, EdDSA, RS256, RS384, RS512, PS256, PS384 and PS512. Ask the publisher.',
  )
}

function requireRules(lote: Lote, profile: LoteProfile): void {
  const { LoTEType } = lote.ListAndSchemeInformation
  if (LoTEType !== profile.loteType) {
    throw new ListError(
      'WrongType',
      `The LoTEType of the list must be ${profile.loteType}. Compare loteType of the integration with the list.`,
    )
  }
  const fault = findLoteFault(lote, profile)
  if (fault)
    throw new ListError(
      'ProfileInvalid',
      `The list does not follow the rules of its type: ${fault}. Ask the publisher.`,
    )
}

/** ETSI TS 119 602, clause 6.3.2: the sequence number increases with each list. */
function requireNotRolledBack(number: number, { lastNumber }: ListToVerify): void {
  if (lastNumber === undefined || number >= lastNumber) return
  throw new ListError(
    'Outdated',
    `The sequence number of the list, ${number}, is lower than that of the last valid list, ${lastNumber}. ${acceptAnyway}`,
  )
}
