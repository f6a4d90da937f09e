import {
  deleteWalletProvider,
  findWalletProvider,
  insertWalletProvider,
  listWalletProviders,
  type WalletProviderRow,
} from '../../../db/repos/issuance/wallet-providers.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import { trustAnchorView } from '../../certificates/trust-anchors/schemas.ts'
import { newTrustAnchor, presentTrustAnchor } from '../../certificates/trust-anchors/trust-anchor.ts'
import type { Collection } from '../../http/collection.ts'
import { operators } from '../../http/route.ts'
import { NewWalletProvider } from './schemas.ts'

const providers: Collection<WalletProviderRow> = {
  tag: 'Wallet providers',
  access: operators('admin', 'issuer', 'managed-issuer'),
  path: '/v1/openid/wallet-providers',
  id: 'id',
  events: 'OPENID_WALLET_PROVIDER',
  view: trustAnchorView('wallet provider'),
  present: presentTrustAnchor,
}

export const walletProviderRoutes = auditedCrudOf(providers, {
  name: 'WalletProvider',
  create: {
    summary: 'Admit all wallets that a provider attests, without registration',
    body: NewWalletProvider,
    problems: ['conflict'],
    async handle({ tenantId, body: { certificatePem }, deps, change }) {
      const row = newTrustAnchor(tenantId, certificatePem, deps.clock.now())
      const created = await change(async (tx, record) => {
        await enforceQuota(tx, tenantId, 'walletProviders')
        if (!(await insertWalletProvider(tx, row))) {
          throw new Problem('conflict', { message: 'This certificate is already registered' })
        }
        record(tenantId, { id: row.id, fingerprint: row.fingerprint })
        return row
      })
      deps.caches.forgetTenant(tenantId)
      return created
    },
  },
  list: { summary: 'List the trusted wallet providers', rows: listWalletProviders },
  retrieve: { summary: 'Retrieve a wallet provider', find: findWalletProvider },
  delete: {
    summary: 'Remove a wallet provider. Tokens of its wallets stay valid until they expire',
    remove: (tx, { tenantId, id }) => deleteWalletProvider(tx, tenantId, id),
    removed: ({ tenantId, deps }) => deps.caches.forgetTenant(tenantId),
  },
})
