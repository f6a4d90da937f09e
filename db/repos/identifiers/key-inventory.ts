import { and, eq } from 'drizzle-orm'
import type { Reader } from '../../client.ts'
import { param, prepared } from '../../engine/prepared.ts'
import { afterCursor, type PageRequest } from '../../page.ts'
import { certificates } from '../../tables/certificates/certificates.ts'
import { type KeyPurpose, keys } from '../../tables/identifiers/keys.ts'
import type { KeyOwner } from './keys.ts'

const { id, ownerKind, ownerId, purpose, algorithm, provider, handle, createdAt, retiredAt } = keys

export type InventoryRow = Awaited<ReturnType<typeof listKeyInventory>>[number]

/**
 * Returns a page of all keys of a tenant, oldest first, and one more row if there are more. `certificateKind` is null for a key without a
 * certificate.
 */
export async function listKeyInventory(db: Reader, tenantId: string, { limit, cursor }: PageRequest) {
  return db
    .select({
      ...{ id, ownerKind, ownerId, purpose, algorithm, provider, createdAt, retiredAt },
      certificateKind: certificates.kind,
    })
    .from(keys)
    .leftJoin(certificates, and(eq(certificates.tenantId, keys.tenantId), eq(certificates.id, ownerId)))
    .where(and(eq(keys.tenantId, tenantId), afterCursor(createdAt, id, cursor)))
    .orderBy(createdAt, id)
    .limit(limit + 1)
}

const providersOfOwner = prepared('key_providers_of_owner', (db) =>
  db
    .select({ id, provider, handle, retiredAt })
    .from(keys)
    .where(
      and(
        eq(keys.tenantId, param('tenantId')),
        eq(ownerKind, param('kind')),
        eq(ownerId, param('ownerId')),
        eq(purpose, param('purpose')),
      ),
    )
    .orderBy(createdAt, id),
)

/** Returns the providers of the keys of an owner for a purpose, by the ids of the keys. */
export async function findKeyProviders(
  db: Reader,
  tenantId: string,
  { kind, id: owner }: KeyOwner,
  use: KeyPurpose,
): Promise<Map<string, string>> {
  const rows = await providersOfOwner(db, { tenantId, kind, ownerId: owner, purpose: use })
  return new Map(rows.map((row) => [row.id, row.provider]))
}

/** The place of a private key. `destroyedAt` is null while the service can use it. */
export interface KeyPlace {
  provider: string
  destroyedAt: Date | null
}

/** Returns the place of the key of a certificate or access certificate. Returns undefined if this service does not have the key. */
export async function findCertificateKeyPlace(
  db: Reader,
  tenantId: string,
  certificateId: string,
  kind: 'certificate' | 'access-certificate' = 'certificate',
): Promise<KeyPlace | undefined> {
  const key = (await providersOfOwner(db, { tenantId, kind, ownerId: certificateId, purpose: 'certificate' })).at(-1)
  return key && { provider: key.provider, destroyedAt: key.handle === null ? key.retiredAt : null }
}
