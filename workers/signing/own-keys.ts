import type { KeyRow } from '../../db/repos/identifiers/keys.ts'
import { tenantItself } from '../../db/repos/identifiers/keys.ts'
import type { KeyAlgorithm } from '../../db/tables/identifiers/keys.ts'
import type { TenantSettings } from '../../db/tables/tenancy/tenants.ts'
import { hourMs, plusMs } from '../../shared/clock.ts'
import { type KeyUseName, keyPurposes } from '../../shared/domain/identifiers/key-purposes.ts'
import type { Keyring } from './keyring.ts'

interface OwnKeys {
  /** Made and rotated together. */
  algorithms: readonly [KeyAlgorithm, ...KeyAlgorithm[]]
  /**
   * How long they stay published after they were retired, at least. It has an hour and more in it for processes that see the
   * rotation a little later, and for what was under way.
   */
  publishedForMs: number
}

/** The keys that a tenant has for itself. */
export const ownKeys: Readonly<Record<KeyUseName, OwnKeys>> = {
  // Messages for them lie in inboxes for 30 days, where nothing else is said. Status lists, which are signed anew as soon as their
  // key is retired, end after two; credentials and signed messages say for themselves (key-terms.ts).
  credentials: { algorithms: ['ES256', 'Ed25519', 'Bls12381G2', 'X25519'], publishedForMs: 31 * 24 * hourMs },
  // Receivers may check a signature for a day after it was made.
  webhooks: { algorithms: ['Ed25519'], publishedForMs: 25 * hourMs },
  // Management tokens live for a day.
  tokens: { algorithms: ['Ed25519'], publishedForMs: 25 * hourMs },
  // They open what comes from wallets that read the metadata a while ago.
  encryption: { algorithms: ['ECDH-ES'], publishedForMs: 24 * hourMs },
}

/** Until when keys are published that are retired at a time: messages for them may lie in the tenant's inboxes. */
export function publishedUntil(use: KeyUseName, { limits }: TenantSettings, at: Date): Date {
  const inboxMs = use === 'credentials' ? ((limits.inboxDays ?? 0) + 1) * 24 * hourMs : 0
  return plusMs(at, Math.max(ownKeys[use].publishedForMs, inboxMs))
}

/** New keys of a tenant for a use, as rows that are ready to be stored. `id` is that of the first. */
export function newOwnKeys(keyring: Keyring, tenantId: string, use: KeyUseName, at: Date, id?: string): KeyRow[] {
  const purpose = keyPurposes[use]
  return ownKeys[use].algorithms.map((algorithm, place) =>
    keyring.newKey(
      { tenantId, owner: tenantItself, purpose, algorithm, ...(id !== undefined && place === 0 ? { id } : {}) },
      at,
    ),
  )
}
