import { and, eq, getTableColumns, ne, sql } from 'drizzle-orm'
import { hashSecret, newOrderedId, newSecret } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets/secrets.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { constant, param, prepared } from '../../engine/prepared.ts'
import type { PageRequest } from '../../page.ts'
import { keys } from '../../tables/identifiers/keys.ts'
import { clients } from '../../tables/tenancy/clients.ts'
import { listPage } from '../list-page.ts'

export type ClientRow = typeof clients.$inferSelect

/** Creates a client and returns its secret. Only a hash of the secret is stored. `knownTo` receives the secret. */
export async function insertClient(
  tx: Writer,
  tenantId: string,
  { name, roles, knownTo = [] }: { name: string; roles: string[]; knownTo?: string[] },
  at: Date,
): Promise<{ client: ClientRow; clientSecret: string }> {
  const clientSecret = newSecret()
  const secretHash = hashSecret(clientSecret)
  const neverReplaced = { formerSecretHash: null, formerSecretUntil: null }
  const id = newOrderedId(at)
  const start = { ...neverReplaced, tokenGeneration: 0, createdAt: at }
  const client = { id, tenantId, name, roles, secretHash, knownTo, ...start }
  await tx.insert(clients).values(client)
  return { client, clientSecret }
}

/**
 * Replaces the secret of a client and returns the new one. The previous secret is valid until `formerUntil`. `knownTo` knows one of its secrets.
 * `endsTokens` ends the access tokens of the client. Returns undefined if the client does not exist.
 */
export async function replaceClientSecret(
  tx: Writer,
  tenantId: string,
  { id, formerUntil, knownTo, endsTokens }: { id: string; formerUntil: Date; knownTo: string[]; endsTokens: boolean },
): Promise<string | undefined> {
  const clientSecret = newSecret()
  const rows = await tx
    .update(clients)
    .set({
      secretHash: hashSecret(clientSecret),
      formerSecretHash: sql`${clients.secretHash}`,
      formerSecretUntil: formerUntil,
      knownTo,
      ...(endsTokens && nextGeneration),
    })
    .where(and(inRow(clients.tenantId, tenantId), eq(clients.id, id)))
    .returning({ id: clients.id })
  return rows.length === 1 ? clientSecret : undefined
}

const nextGeneration = { tokenGeneration: sql`${clients.tokenGeneration} + 1` }

/** Ends all access tokens of a client. Returns false if the client does not exist. */
export async function endClientTokens(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx
    .update(clients)
    .set(nextGeneration)
    .where(and(inRow(clients.tenantId, tenantId), eq(clients.id, id)))
    .returning({ id: clients.id })
  return rows.length === 1
}

const noHash = hashSecret('no client has this secret')

/**
 * Returns whether the client has this secret, or had it and it is still valid. Takes the same time in all cases, also
 * without a client.
 */
export function hasSecret(client: ClientRow | undefined, clientSecret: string, at: Date): boolean {
  const hash = hashSecret(clientSecret)
  const isPresent = equalInConstantTime(hash, client?.secretHash ?? noHash)
  const isFormer = equalInConstantTime(hash, client?.formerSecretHash ?? noHash)
  const isFormerGood = (client?.formerSecretUntil?.getTime() ?? 0) > at.getTime()
  return client !== undefined && (isPresent || (isFormer && isFormerGood))
}

/** Returns whether the current or a valid former secret of the client has this hash. */
export function isSecretHash(
  { secretHash, formerSecretHash, formerSecretUntil }: ClientRow,
  hash: string,
  at: Date,
): boolean {
  return hash === secretHash || (hash === formerSecretHash && formerSecretUntil !== null && formerSecretUntil > at)
}

const byId = prepared('client_by_id', (db) =>
  db
    .select()
    .from(clients)
    .where(and(inRow(clients.tenantId, param('tenantId')), eq(clients.id, param('id')))),
)

export async function findClient(db: Reader, tenantId: string, id: string): Promise<ClientRow | undefined> {
  const [row] = await byId(db, { tenantId, id })
  return row
}

const underKey = prepared('client_under_key', (db) =>
  db
    .select(getTableColumns(clients))
    .from(clients)
    .innerJoin(
      keys,
      and(inRow(keys.tenantId, clients.tenantId), eq(keys.id, param('keyId')), eq(keys.purpose, constant('token'))),
    )
    .where(and(inRow(clients.tenantId, param('tenantId')), eq(clients.id, param('id')))),
)

/**
 * Returns a client whose token was signed with this key. Returns undefined if the client or the key no longer exists.
 */
export async function findClientUnderKey(
  db: Reader,
  tenantId: string,
  { id, keyId }: { id: string; keyId: string },
): Promise<ClientRow | undefined> {
  const [row] = await underKey(db, { tenantId, id, keyId })
  return row
}

export function listClients(db: Reader, tenantId: string, page: PageRequest): Promise<ClientRow[]> {
  return listPage(db, clients, tenantId, page)
}

/** Returns the roles of all clients of a tenant, of which there are few (quota `clients`). */
export async function listRolesOfClients(
  db: Reader,
  tenantId: string,
): Promise<Pick<ClientRow, 'id' | 'name' | 'roles'>[]> {
  return db
    .select({ id: clients.id, name: clients.name, roles: clients.roles })
    .from(clients)
    .where(eq(clients.tenantId, tenantId))
}

/** Deletes all clients of a tenant except one. Returns their ids. */
export async function deleteOtherClients(tx: Writer, tenantId: string, keptId: string): Promise<string[]> {
  const rows = await tx
    .delete(clients)
    .where(and(eq(clients.tenantId, tenantId), ne(clients.id, keptId)))
    .returning({ id: clients.id })
  return rows.map(({ id }) => id)
}

export async function updateClient(
  tx: Writer,
  tenantId: string,
  id: string,
  changes: Pick<ClientRow, 'name' | 'roles'>,
): Promise<ClientRow | undefined> {
  const [row] = await tx
    .update(clients)
    .set(changes)
    .where(and(inRow(clients.tenantId, tenantId), eq(clients.id, id)))
    .returning()
  return row
}

export async function deleteClient(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx
    .delete(clients)
    .where(and(inRow(clients.tenantId, tenantId), eq(clients.id, id)))
    .returning({ id: clients.id })
  return rows.length === 1
}
