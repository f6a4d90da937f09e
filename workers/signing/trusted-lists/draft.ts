import { X509Certificate } from 'node:crypto'
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
import { verifySign1 } from '../../../shared/formats/cose.ts'
import { nextUpdateOf, signTrustedList, trustedListPayload } from '../../../shared/formats/trusted-lists/build-list.ts'
import { clocksApartMs, type TrustedListKind, trustedListKinds } from '../../../shared/formats/trusted-lists/kinds.ts'
import type { Signer } from '../certificates/signer-cache.ts'
import { entriesOf } from './entries.ts'

/** The next list of an ecosystem, signed, and what it was made of. */
export interface Draft {
  content: StoredTrustedListContent
  of: DraftSource
}

export interface DraftSource {
  ecosystem: EcosystemRow
  configuration: TrustedListConfiguration
}

interface Asked {
  tenantId: string
  ecosystemId: string
  kind: TrustedListKind
}

/** What the next list would be made of now; undefined where the ecosystem or its configuration is gone. */
export async function findDraftSource(
  db: Reader,
  { tenantId, ecosystemId, kind }: Asked,
): Promise<DraftSource | undefined> {
  // The revision first: what changes behind it shows.
  const ecosystem = await findEcosystem(db, tenantId, ecosystemId)
  const configuration = await findTrustedListConfiguration(db, tenantId, ecosystemId, kind)
  return ecosystem && configuration && { ecosystem, configuration }
}

/** Whether a list that was made of the one would be the same of the other. */
export function isSame(one: DraftSource, other: DraftSource): boolean {
  return (
    one.ecosystem.revision === other.ecosystem.revision &&
    // All that processes of versions before the revision say of a change, as while a new version is rolled out.
    one.ecosystem.policyModifiedAt.getTime() === other.ecosystem.policyModifiedAt.getTime() &&
    isNext(one, other)
  )
}

/** Whether a list that was made of the one is still the next of the other: none was published since, and its provider has the same name. */
export function isNext(one: DraftSource, other: DraftSource): boolean {
  return (
    one.configuration.provider === other.configuration.provider &&
    one.configuration.lastNumber === other.configuration.lastNumber
  )
}

/**
 * The date of the next list: later than that of the one before, whatever this process's clock says, since readers who have that one
 * would take an earlier one for one that is replayed; lists themselves say whole seconds, which may be the same. A date that is further
 * ahead than clocks are apart is none to follow.
 */
export async function dateOfNext(db: Reader, { tenantId, ecosystemId, kind }: Asked, now: Date): Promise<Date> {
  const last = await findPublishedTrustedList(db, tenantId, ecosystemId, kind, 'latest')
  const isAhead = last && last.date >= now && last.date <= plusMs(now, clocksApartMs)
  return isAhead ? plusMs(last.date, 1) : now
}

/** By whom the next list is signed, and of when it is. */
export interface DraftSigning {
  signer: Signer
  date: Date
}

/** Numbers and signs the next list. Throws `bad_request` and `conflict` for what cannot be listed. */
export async function draftList(db: Reader, of: DraftSource, signing: DraftSigning): Promise<Draft> {
  return draftOf(of, signing, await signedList(db, of.configuration, signing))
}

/** Of a list that was signed. */
export function draftOf(of: DraftSource, { signer, date }: DraftSigning, content: Buffer): Draft {
  const number = numberOfNext(of.configuration)
  return { content: { number, date, nextUpdate: nextUpdateOf(date), content, signerId: signer.certificateId }, of }
}

function numberOfNext({ lastNumber }: TrustedListConfiguration): number {
  return lastNumber + 1
}

/** The next list, signed, and nothing around it. Throws as `draftList`. */
export async function signedList(
  db: Reader,
  configuration: TrustedListConfiguration,
  { signer, date }: DraftSigning,
): Promise<Buffer> {
  const { tenantId, ecosystemId, kind, provider } = configuration
  const { lists: role } = trustedListKinds[kind]
  const participants = await findListedParticipants(db, { tenantId, ecosystemId, role, at: date })
  const number = numberOfNext(configuration)
  const payload = trustedListPayload({ kind, provider, number, date, entries: entriesOf(kind, participants) })
  // Other signatures have their turn: a list may have 10,000 entries.
  await setImmediate()
  const chain = chainOf(signer).map((der) => new X509Certificate(der))
  const content = signTrustedList(kind, payload, { chain, privateKey: signer.privateKey })
  await setImmediate()
  if (!verifySign1(content, signer.publicKey).verified) throw new Error('a list that was signed does not verify')
  return content
}

/** Up to the root, which is published by itself. */
function chainOf({ certificateDer, intermediateDer }: Signer): Buffer[] {
  return intermediateDer ? [certificateDer, intermediateDer] : [certificateDer]
}
