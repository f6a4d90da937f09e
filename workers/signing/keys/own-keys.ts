import type { KeyRow } from '../../../db/repos/identifiers/keys.ts'
import { tenantOwner } from '../../../db/repos/identifiers/keys.ts'
import type { TenantRow } from '../../../db/repos/tenancy/tenants.ts'
import type { KeyAlgorithm } from '../../../db/tables/identifiers/keys.ts'
import type { TenantSettings } from '../../../db/tables/tenancy/tenants.ts'
import { hourMs, plusMs } from '../../../shared/clock.ts'
import { partOfKey } from '../../../shared/domain/identifiers/key-policy.ts'
import { type KeyUseName, keyPurposes } from '../../../shared/domain/identifiers/key-purposes.ts'
import type { Keyring } from './keyring.ts'
import { canCreate, type NewKey } from './new-keys.ts'

interface OwnKeys {
  /** The keys with these algorithms are created and rotated together. */
  algorithms: readonly [KeyAlgorithm, ...KeyAlgorithm[]]
  /**
   * The minimum time of publication after the keys are retired. It includes an hour or more for running work and for processes that see the
   * rotation later. Null means without end.
   */
  publishedForMs: number | null
  /** A new tenant has none. The first use creates them. */
  isOnDemand?: true
}

/** The keys of a tenant by use. */
export const ownKeys: Readonly<Record<KeyUseName, OwnKeys>> = {
  // Messages stay in inboxes for 30 days by default. Status lists end after two days, and are signed again when their key is retired.
  // The terms of credentials and signed messages are stored (key-terms.ts).
  credentials: { algorithms: ['ES256', 'Ed25519', 'Bls12381G2', 'X25519'], publishedForMs: 31 * 24 * hourMs },
  // Receivers can verify a signature for a day.
  webhooks: { algorithms: ['Ed25519'], publishedForMs: 25 * hourMs },
  // Management tokens are valid for a day.
  tokens: { algorithms: ['Ed25519'], publishedForMs: 25 * hourMs },
  // Wallets can have older metadata.
  encryption: { algorithms: ['ECDH-ES'], publishedForMs: 24 * hourMs },
  // Checkpoints and receipts have no end.
  audit: { algorithms: ['Ed25519'], publishedForMs: null },
  // The old key signs for an hour more, because providers cache the key set.
  clientAssertions: { algorithms: ['ES256'], publishedForMs: 24 * hourMs, isOnDemand: true },
}

/** Returns until when retired keys are published, or null. Messages to them can be in the tenant's inboxes. */
export function publishedUntil(use: KeyUseName, { limits }: TenantSettings, at: Date): Date | null {
  const { publishedForMs } = ownKeys[use]
  if (publishedForMs === null) return null
  const inboxMs = use === 'credentials' ? ((limits.inboxDays ?? 0) + 1) * 24 * hourMs : 0
  return plusMs(at, Math.max(publishedForMs, inboxMs))
}

/**
 * Creates the keys of a tenant for a use and returns their rows. `id` is that of the first key. A tenant whose keys must be in hardware has no
 * keys of the algorithms that its provider does not have.
 */
export function newOwnKeys(
  { keyring, newKey }: { keyring: Keyring; newKey: NewKey },
  { id: tenantId, settings }: Pick<TenantRow, 'id' | 'settings'>,
  { use, at, id }: { use: KeyUseName; at: Date; id?: string | undefined },
): KeyRow[] {
  const purpose = keyPurposes[use]
  return ownKeys[use].algorithms.flatMap((algorithm, index) => {
    const place = { policy: settings.keys, part: partOfKey({ purpose, algorithm }), purpose, algorithm }
    const isFirst = index === 0
    if (!isFirst && !canCreate(keyring, place)) return []
    const key = { tenantId, owner: tenantOwner, ...place, ...(id !== undefined && isFirst && { id }) }
    return [newKey(key, at)]
  })
}
