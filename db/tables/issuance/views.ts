import type { CredentialProfile } from '../../../shared/domain/issuance/profiles.ts'
import type { WalletFamily } from '../../../shared/domain/issuance/wallet-families.ts'
import type { ProtocolProfile } from '../../../shared/domain/tenancy/protocol-profiles.ts'
import { index, json, primaryKey, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** The configurations that a view publishes: some, or all of some profiles. */
export type ViewConfigurations = { ids: string[] } | { profiles: CredentialProfile[] }

/** Further credential issuers of a tenant for wallets, each with its own issuer identifier, configurations and protocol profile. */
export const views = table(
  'views',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** The name for operators. */
    name: text('name').notNull(),
    /** The last name of the issuer identifier: `https://host/views/{path}`. It never changes. */
    path: text('path').notNull(),
    /** An alias of the tenant whose base URL is the issuer identifier instead. Null: none. It never changes. */
    host: text('host'),
    profile: text('profile').$type<ProtocolProfile>().notNull(),
    configurations: json<ViewConfigurations>('configurations').notNull(),
    /** The name of the issuer in wallets. Null: the name of the tenant. */
    displayName: text('display_name'),
    /** The wallet families of the people who collect through the view. Null: those of the tenant. */
    walletFamilies: json<WalletFamily[]>('wallet_families'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('views_path').on(columns.tenantId, columns.path),
    uniqueIndex('views_host').on(columns.host),
    index('views_page').on(columns.tenantId, columns.createdAt, columns.id),
  ],
)

/** The paths and hosts of deleted views, at which wallets learn that the issuer is gone. */
export const goneViews = table(
  'gone_views',
  {
    tenantId: text('tenant_id').notNull(),
    path: text('path').notNull(),
    host: text('host'),
    goneAt: timestamp('gone_at').notNull(),
  },
  (columns) => [
    primaryKey({ name: 'gone_views_key', columns: [columns.tenantId, columns.path] }),
    index('gone_views_age').on(columns.goneAt),
    index('gone_views_host').on(columns.tenantId, columns.host),
  ],
)
