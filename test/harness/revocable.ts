import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../api/deps.ts'
import { chunksOf } from '../../db/repos/chunks.ts'
import { credentials } from '../../db/tables/issuance/credentials.ts'
import { statusEntries } from '../../db/tables/status/entries.ts'
import { type StatusListKind, statusLists } from '../../db/tables/status/lists.ts'
import { publishedLists } from '../../db/tables/status/published-lists.ts'
import { plusMs } from '../../shared/clock.ts'
import type { CredentialProfile } from '../../shared/domain/issuance/profiles.ts'

type DatabaseService = { deps: Pick<Deps, 'db' | 'clock'> }

export interface Revocable {
  credentialId: string
  userId: string
  position: number
}

const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const
/** The content of a list before its first publication by a job. */
export const firstContent = Buffer.from('the empty list')

/** Returns a version that no certificate has signed and that has no end. */
export function versionOf(content: Buffer, issuedAt: Date) {
  return { content, issuedAt, expiresAt: null, renewAt: null, jwt: null, signerId: null, keyId: null, ttlSeconds: null }
}

/** Inserts an empty list that is published as version 1. Returns its id. */
export async function newList(
  { deps }: DatabaseService,
  tenantId: string,
  kind: StatusListKind = 'compact',
): Promise<string> {
  const listId = randomUUID()
  const at = deps.clock.now()
  await deps.db.tx(async (tx) => {
    const number = (await tx.$count(statusLists, eq(statusLists.tenantId, tenantId))) + 1
    const row = { id: listId, tenantId, kind, number, size: 1_000_000, taken: 0, createdAt: at }
    await tx.insert(statusLists).values({ ...row, permutationKey: Buffer.alloc(32).toString('base64url') })
    const expiresAt = kind === 'web-semantic' ? null : plusMs(at, 2 * 24 * 3_600_000)
    await tx.insert(publishedLists).values({
      listId,
      tenantId,
      version: 1,
      content: firstContent,
      issuedAt: at,
      expiresAt,
      renewAt: expiresAt && plusMs(at, 24 * 3_600_000),
    })
  })
  return listId
}

/** Inserts the rows of issued credentials. Without a list they are not revocable. Their positions begin at `from`. */
export async function newCredentials(
  { deps }: DatabaseService,
  tenantId: string,
  { profile = 'compact', listId, count = 1, from = 0, userId, configurationId, issuedAt }: NewCredentials = {},
): Promise<Revocable[]> {
  const at = issuedAt ?? deps.clock.now()
  const made = Array.from({ length: count }, (_, index) => {
    return { credentialId: randomUUID(), userId: userId ?? randomUUID(), position: from + index }
  })
  await deps.db.tx(async (tx) => {
    for (const chunk of chunksOf(made)) {
      const records = chunk.map(({ credentialId: id, userId: ofUser }) => {
        const ids = {
          issuanceId: randomUUID(),
          sessionId: randomUUID(),
          configurationId: configurationId ?? randomUUID(),
        }
        const what = { profile, type: 'Certificate', devicePublicKey: key, status: 'valid' as const, position: 0 }
        return { ...ids, ...what, id, tenantId, userId: ofUser, issuedAt: at, validFrom: at }
      })
      await tx.insert(credentials).values(records)
      if (!listId) continue
      const entries = chunk.map(({ credentialId, position }) => {
        return { tenantId, listId, position, credentialId, status: 'valid' as const }
      })
      await tx.insert(statusEntries).values(entries)
    }
  })
  return made
}

interface NewCredentials {
  profile?: CredentialProfile
  listId?: string
  count?: number
  from?: number
  userId?: string
  configurationId?: string
  issuedAt?: Date
}

/** Inserts one revocable credential in its own list. */
export async function newRevocable(
  service: DatabaseService,
  tenantId: string,
  profile: StatusListKind = 'compact',
): Promise<Revocable & { listId: string }> {
  const listId = await newList(service, tenantId, profile)
  const [made] = await newCredentials(service, tenantId, { profile, listId })
  return { ...made!, listId }
}
