import { and, eq, getTableColumns } from 'drizzle-orm'
import { hashSecret, newOrderedId, newSecret } from '../../../shared/ids.ts'
import type { Role } from '../../../shared/roles.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { listPage } from '../../list-page.ts'
import type { Cursor } from '../../page.ts'
import { constant, param, prepared } from '../../prepared.ts'
import { keys } from '../../tables/identifiers/keys.ts'
import { clients } from '../../tables/tenancy/clients.ts'

export type ClientRow = typeof clients.$inferSelect

/** Makes a client; its secret is returned this once and kept as a hash. */
export async function insertClient(
  tx: Writer,
  tenantId: string,
  { name, roles }: { name: string; roles: Role[] },
  at: Date,
): Promise<{ client: ClientRow; clientSecret: string }> {
  const clientSecret = newSecret()
  const client = { id: newOrderedId(at), tenantId, name, roles, secretHash: hashSecret(clientSecret), createdAt: at }
  await tx.insert(clients).values(client)
  return { client, clientSecret }
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

/** A client whose token was signed with a key, as long as both are there. */
export async function findClientUnderKey(
  db: Reader,
  tenantId: string,
  { id, keyId }: { id: string; keyId: string },
): Promise<ClientRow | undefined> {
  const [row] = await underKey(db, { tenantId, id, keyId })
  return row
}

export async function listClients(db: Reader, tenantId: string, limit: number, cursor?: Cursor): Promise<ClientRow[]> {
  return listPage(db, clients, tenantId, { limit, cursor })
}

export async function deleteClient(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx
    .delete(clients)
    .where(and(inRow(clients.tenantId, tenantId), eq(clients.id, id)))
    .returning({ id: clients.id })
  return rows.length === 1
}
