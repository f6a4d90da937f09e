import { and, eq } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { statusChanges } from '../../db/tables/status/changes.ts'
import { publishedLists } from '../../db/tables/status/published-lists.ts'
import { createSignerCache } from '../../workers/signing/certificates/signer-cache.ts'
import { createCredentialCounts } from '../../workers/signing/credential-counts.ts'
import type { SigningDeps } from '../../workers/signing/deps.ts'
import { createIssuanceCounts } from '../../workers/signing/issuance-counts.ts'
import { createKeyTerms } from '../../workers/signing/key-terms.ts'
import { createCurrentKeys } from '../../workers/signing/keys/current-keys.ts'
import { createListFormats } from '../../workers/signing/lists/list-series.ts'
import { createStatusIndexAllocator } from '../../workers/signing/lists/status-index-allocator.ts'
import { createListDrafter } from '../../workers/signing/trusted-lists/list-drafter.ts'
import { createWalletActivity } from '../../workers/signing/wallet-activity.ts'
import { type DidDocument, readBits, verifyCwtBytes } from '../verifiers/outside-verifiers.ts'
import type { Service } from './harness.ts'

/** Returns the dependencies of a handler of the signing worker, with changes. */
export function signingDeps({ deps, keyring }: Service, changes: Partial<SigningDeps> = {}): SigningDeps {
  const currentKeys = createCurrentKeys(keyring)
  const draftOnThread = createListDrafter(deps.config.databaseUrl)
  const counts = createCredentialCounts(deps.config.metricsTenants)
  const keyTerms = createKeyTerms(deps.db)
  const issuanceCounts = createIssuanceCounts(deps)
  const walletActivity = createWalletActivity()
  const signing = {
    currentKeys,
    keyTerms,
    counts,
    issuanceCounts,
    signerCache: createSignerCache(),
    draftOnThread,
    walletActivity,
  }
  const most = { ...deps, keyring, ...signing, publicScheme: deps.config.publicScheme, ...changes }
  return { ...most, statusIndexes: createStatusIndexAllocator(most), listFormats: createListFormats() }
}

export async function publishedRow(db: Database, tenantId: string, listId: string) {
  const [row] = await db.read
    .select()
    .from(publishedLists)
    .where(and(eq(publishedLists.tenantId, tenantId), eq(publishedLists.listId, listId)))
  return row!
}

/** Changes that no published list shows. */
export async function openChanges({ read }: Database, listId: string): Promise<number> {
  return read.$count(statusChanges, eq(statusChanges.listId, listId))
}

/** Verifies the signature of a CWT list. Returns its content, with times in seconds. */
export function readList(content: Uint8Array, did: DidDocument): { iat: number; exp: number; positions: number[] } {
  const { claims } = verifyCwtBytes(content, did)
  const { positions } = readBits(claims.get(-65538))
  return { iat: Number(claims.get(6)), exp: Number(claims.get(4)), positions }
}
