import { readBulkEndId } from '../shared/domain/issuance/bulk-issuances.ts'
import { findChangeMembers, readChangeSubject } from '../shared/domain/operations/change-events.ts'
import type { SubjectKind } from '../shared/domain/operations/webhook-events.ts'
import type { Reader } from './client.ts'
import { findBulkIssuance } from './repos/issuance/bulk/bulk-issuances.ts'
import { findIssuedCredential } from './repos/issuance/credentials.ts'
import { findCheckpoint, sizeOfSubject } from './repos/operations/audit/audit-checkpoints.ts'
import type { DeliveryRow } from './repos/operations/webhooks/deliveries.ts'
import type { IssuedCredential } from './tables/issuance/issuances.ts'

/** The payload of an event. Its shape depends on the kind of the event. */
export type EventPayload = Record<string, unknown>

/** Opens the stored credentials of an issuance. */
export type OpenIssued = (issuanceId: string, stored: string | IssuedCredential[]) => IssuedCredential[]

/** The database and the decryption that read payloads. */
export interface EventReader {
  db: Reader
  openIssued: OpenIssued
}

/** The parts of a delivery that determine its payload. */
export type PayloadRef = Pick<DeliveryRow, 'tenantId' | 'kind' | 'objectId'>

/** Returns the payload of a delivery, or undefined if its subject was erased. */
export type ReadPayload = (from: EventReader, delivery: PayloadRef) => Promise<EventPayload | undefined>

const nilId = '00000000-0000-0000-0000-000000000000'

/** The payloads of events, by the kind of their subject. */
export const eventPayloads: Record<SubjectKind, ReadPayload> = {
  async issuance({ db, openIssued }, { tenantId, kind, objectId }) {
    const credential = objectId === null ? undefined : await findIssuedCredential(db, tenantId, objectId)
    if (!credential?.issued) return undefined
    const content = openIssued(credential.issuanceId, credential.issued).find(({ id }) => id === objectId)
    return content && ofCredential(credential, content, kind === 'OpenIdCredentialIssued')
  },
  async checkpoint({ db }, { tenantId, objectId }) {
    const row = objectId === null ? undefined : await findCheckpoint(db, tenantId, sizeOfSubject(objectId))
    return row && { size: row.size, checkpoint: row.note }
  },
  async bulk({ db }, { tenantId, objectId }) {
    if (objectId === null) return undefined
    const { bulkId, done, failed } = readBulkEndId(objectId)
    const row = await findBulkIssuance(db, tenantId, bulkId)
    if (!row) return undefined
    const { id, total, valid, invalid } = row
    return { id, total, valid, invalid, done, failed }
  },
  async change(_from, { objectId }) {
    return objectId === null ? undefined : readChangeSubject(objectId)?.payload
  },
  async test(_from, { kind }) {
    return testPayload(kind)
  },
}

type Found = NonNullable<Awaited<ReturnType<typeof findIssuedCredential>>>

function ofCredential(
  { userId, profile, configurationId, offerId, sessionId, viewId }: Found,
  { id, format, credential }: IssuedCredential,
  withCredential: boolean,
): EventPayload {
  return {
    format,
    userId,
    credentialProfile: profile,
    credentialConfigurationId: configurationId,
    credentialId: id,
    credentialOfferId: offerId,
    sessionId,
    ...(viewId !== null && { view: viewId }),
    ...(withCredential ? { credential } : {}),
  }
}

/** A test event has the shape of its kind, nil ids, and the member `test`. */
function testPayload(kind: string): EventPayload {
  if (kind === 'AuditCheckpointSigned') return { test: true, size: 0, checkpoint: 'test' }
  if (kind === 'BulkIssuanceCompleted')
    return { test: true, id: nilId, total: 0, valid: 0, invalid: 0, done: 0, failed: 0 }
  const members = findChangeMembers(kind)
  if (members)
    return { test: true, ...Object.fromEntries(members.map((name) => [name, name.endsWith('Id') ? nilId : 'test'])) }
  return {
    test: true,
    format: 'test',
    userId: nilId,
    credentialProfile: 'test',
    credentialConfigurationId: nilId,
    credentialId: nilId,
    credentialOfferId: nilId,
    sessionId: nilId,
    ...(kind === 'OpenIdCredentialIssued' ? { credential: 'test' } : {}),
  }
}
