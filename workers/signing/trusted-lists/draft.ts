import { type KeyObject, X509Certificate } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Reader } from '../../../db/client.ts'
import { type EcosystemRow, findEcosystem } from '../../../db/repos/ecosystems/ecosystems.ts'
import { findListedParticipants } from '../../../db/repos/ecosystems/listed-participants.ts'
import {
  findTrustedListConfiguration,
  type TrustedListConfiguration,
} from '../../../db/repos/ecosystems/trusted-list-configurations.ts'
import { findPublishedTrustedList, type StoredTrustedListContent } from '../../../db/repos/ecosystems/trusted-lists.ts'
import { plusMs } from '../../../shared/clock.ts'
import { isLote, type ListKind } from '../../../shared/domain/ecosystems/list-kinds.ts'
import { verifySign1 } from '../../../shared/formats/cose.ts'
import { nextUpdateOf, signTrustedList, trustedListPayload } from '../../../shared/formats/trusted-lists/build-list.ts'
import { clocksApartMs, trustedListKinds } from '../../../shared/formats/trusted-lists/kinds.ts'
import { lotePayload, signLote } from '../../../shared/formats/trusted-lists/lote/build-lote.ts'
import { isLoteSignedWith, openLote } from '../../../shared/formats/trusted-lists/lote/lote-jws.ts'
import type { CertificateSigner } from '../certificates/signer-cache.ts'
import { entriesOf } from './entries.ts'

/** The signed next list of an ecosystem and its source. */
export interface Draft {
  content: StoredTrustedListContent
  of: DraftSource
}

export interface DraftSource {
  ecosystem: EcosystemRow
  configuration: TrustedListConfiguration
}

interface TrustedListRef {
  tenantId: string
  ecosystemId: string
  kind: ListKind
}

/** Finds the current source of the next list. Returns undefined if the ecosystem or its configuration was deleted. */
export async function findDraftSource(
  db: Reader,
  { tenantId, ecosystemId, kind }: TrustedListRef,
): Promise<DraftSource | undefined> {
  // The revision is read first, so that later changes are detected.
  const ecosystem = await findEcosystem(db, tenantId, ecosystemId)
  const configuration = await findTrustedListConfiguration(db, tenantId, ecosystemId, kind)
  return ecosystem && configuration && { ecosystem, configuration }
}

/** Returns whether both sources give the same list. */
export function isSame(one: DraftSource, other: DraftSource): boolean {
  return (
    one.ecosystem.revision === other.ecosystem.revision &&
    // Earlier versions set only this time, as during a rollout.
    one.ecosystem.policyModifiedAt.getTime() === other.ecosystem.policyModifiedAt.getTime() &&
    isNext(one, other)
  )
}

/** Returns whether a draft of one source is the next list of the other: no list was published since, and the provider and entities are the same. */
export function isNext(one: DraftSource, other: DraftSource): boolean {
  return (
    one.configuration.provider === other.configuration.provider &&
    one.configuration.lastNumber === other.configuration.lastNumber &&
    JSON.stringify(one.configuration.lote) === JSON.stringify(other.configuration.lote)
  )
}

/**
 * Returns the date of the next list. It is later than the date of the last list, also if the clock of this process is behind, because readers
 * reject an earlier date as a replay. Lists contain whole seconds, which can be equal. A last date that is too far ahead is ignored.
 */
export async function dateOfNext(
  db: Reader,
  { tenantId, ecosystemId, kind }: TrustedListRef,
  now: Date,
): Promise<Date> {
  const last = await findPublishedTrustedList(db, tenantId, ecosystemId, kind, 'latest')
  const isAhead = last && last.date >= now && last.date <= plusMs(now, clocksApartMs)
  return isAhead ? plusMs(last.date, 1) : now
}

/** The signer and the date of the next list. */
export interface DraftSigning {
  signer: CertificateSigner
  date: Date
}

/** Numbers and signs the next list. Throws `bad_request` or `conflict` if an entry cannot be listed. */
export async function draftList(db: Reader, of: DraftSource, signing: DraftSigning): Promise<Draft> {
  const payload = await nextPayload(db, of.configuration, signing.date)
  // Other signatures can run here, because a list can have 10,000 entries.
  await setImmediate()
  return signDraft(of, signing, payload)
}

/** Signs the payload of the next list, and verifies the signature. */
export async function signDraft(of: DraftSource, { signer, date }: DraftSigning, payload: Buffer): Promise<Draft> {
  const chain = chainOf(signer).map((der) => new X509Certificate(der))
  const content = await sign(of.configuration.kind, payload, { chain, key: signer.key, date })
  await setImmediate()
  if (!isSignedWith(of.configuration.kind, content, signer.key.publicKey))
    throw new Error('the signed list does not verify')
  const number = numberOfNext(of.configuration)
  return { content: { number, date, nextUpdate: nextUpdateOf(date), content, signerId: signer.certificateId }, of }
}

function sign(kind: ListKind, payload: Buffer, signing: Parameters<typeof signLote>[1]): Promise<Buffer> {
  return isLote(kind) ? signLote(payload, signing) : signTrustedList(kind, payload, signing)
}

function isSignedWith(kind: ListKind, list: Buffer, publicKey: KeyObject): boolean {
  return isLote(kind) ? isLoteSignedWith(openLote(list), publicKey) : verifySign1(list, publicKey).verified
}

function numberOfNext({ lastNumber }: TrustedListConfiguration): number {
  return lastNumber + 1
}

/** Returns the payload of the next list. Throws like `draftList`. */
export async function nextPayload(db: Reader, configuration: TrustedListConfiguration, date: Date): Promise<Buffer> {
  const { tenantId, ecosystemId, kind, provider, lote } = configuration
  if (isLote(kind)) {
    if (!lote) throw new Error('a configuration of this kind has entities')
    const times = { date, nextUpdate: nextUpdateOf(date) }
    return lotePayload({
      type: kind,
      operatorName: provider,
      content: lote,
      number: numberOfNext(configuration),
      ...times,
    })
  }
  const { lists: role } = trustedListKinds[kind]
  const participants = await findListedParticipants(db, { tenantId, ecosystemId, role, at: date })
  const number = numberOfNext(configuration)
  return trustedListPayload({ kind, provider, number, date, entries: entriesOf(kind, participants) })
}

/** Returns the chain without the root, which is published separately. */
function chainOf({ certificateDer, intermediateDer }: CertificateSigner): Buffer[] {
  return intermediateDer ? [certificateDer, intermediateDer] : [certificateDer]
}
