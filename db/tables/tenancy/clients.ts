import { index, integer, json, table, text, timestamp } from '../../columns.ts'

/** Management clients (decisions: management access). */
export const clients = table(
  'clients',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    name: text('name').notNull(),
    roles: json<string[]>('roles').notNull(),
    secretHash: text('secret_hash').notNull(),
    /** The hash of the previous secret, which is valid until `formerSecretUntil`. */
    formerSecretHash: text('former_secret_hash'),
    formerSecretUntil: timestamp('former_secret_until'),
    /**
     * The ids of clients and users of the tenant that know or knew a secret of this client: those that created it or replaced its secret, and
     * those that know their secrets. Null for a client that an older version created.
     */
    knownTo: json<string[]>('known_to'),
    /** Each access token has this number. An increase ends all tokens of the client. */
    tokenGeneration: integer('token_generation').notNull().default(0),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [index('clients_page').on(columns.tenantId, columns.createdAt, columns.id)],
)
