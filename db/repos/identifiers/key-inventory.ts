import { and, eq } from 'drizzle-orm'
import type { Reader } from '../../client.ts'
import { param, prepared } from '../../engine/prepared.ts'
import { afterCursor, type PageRequest } from '../../page.ts'
import { certificates } from '../../tables/certificates/certificates.ts'
import { type KeyPurpose, keys } from '../../tables/identifiers/keys.ts'
import type { KeyOwner } from './keys.ts'

const { id, ownerKind, ownerId, purpose, algorithm, provider, createdAt, retiredAt } = keys

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
    .select({ id, provider })
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

/** Returns the provider of the key of a certificate. Returns undefined if this service does not have the key. */
export async function findCertificateProvider(
  db: Reader,
  tenantId: string,
  certificateId: string,
): Promise<string | undefined> {
  const providers = await findKeyProviders(db, tenantId, { kind: 'certificate', id: certificateId }, 'certificate')
  return [...providers.values()].at(-1)
}
