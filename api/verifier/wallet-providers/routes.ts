import type { z } from 'zod'
import { hold } from '../../../db/hold.ts'
import {
  deleteVerifierWalletProvider,
  findVerifierWalletProvider,
  insertVerifierWalletProvider,
  listVerifierWalletProviders,
  updateVerifierWalletProvider,
  type VerifierWalletProviderContent,
  type VerifierWalletProviderRow,
} from '../../../db/repos/verifier/wallet-providers.ts'
import { verifierWalletProviders } from '../../../db/tables/verifier/wallet-providers.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import type { Versioned } from '../../http/collection.ts'
import { operators } from '../../http/route.ts'
import { VerifierWalletProvider, VerifierWalletProviderView } from './schemas.ts'

const providers: Versioned<VerifierWalletProviderRow> = {
  tag: 'Verifier',
  access: operators('admin', 'verifier'),
  path: '/v2/presentations/wallet-providers',
  id: 'id',
  events: 'PRESENTATION_WALLET_PROVIDER',
  view: VerifierWalletProviderView,
  hasVersions: true,
  present,
}

export const verifierWalletProviderRoutes = auditedCrudOf(providers, {
  name: 'VerifierWalletProvider',
  create: {
    summary: 'Create a wallet provider: a wallet that receives requests at an address of its own',
    body: VerifierWalletProvider,
    problems: ['conflict'],
    handle: ({ tenantId, body, deps, change }) => {
      const createdAt = deps.clock.now()
      const row = { id: newOrderedId(createdAt), tenantId, ...contentOf(body), createdAt }
      return change(async (tx, record) => {
        await enforceQuota(tx, tenantId, 'verifierWalletProviders')
        await insertVerifierWalletProvider(tx, row)
        record(tenantId, { id: row.id })
        return row
      })
    },
  },
  list: { summary: 'List the wallets with an address of their own', rows: listVerifierWalletProviders },
  retrieve: { summary: 'Retrieve a wallet with an address of its own', find: findVerifierWalletProvider },
  update: {
    summary: 'Update a wallet with an address of its own',
    body: VerifierWalletProvider,
    handle: ({ tenantId, id, body, change, requireMatch }) =>
      change(async (tx, record) => {
        const before = await hold(tx, verifierWalletProviders, tenantId, id)
        if (!before) throw notFound('id', id)
        await requireMatch(before)
        const after = await updateVerifierWalletProvider(tx, tenantId, id, contentOf(body))
        if (!after) throw notFound('id', id)
        record(tenantId, { id, changed: changedFieldNames(present(before), present(after)) })
        return after
      }),
  },
  delete: {
    summary: 'Delete a wallet with an address of its own',
    remove: (tx, { tenantId, id }) => deleteVerifierWalletProvider(tx, tenantId, id),
  },
})

function present({ id, name, authorizationEndpoint }: VerifierWalletProviderRow) {
  return { id, name, openid4vpConfiguration: { authorizationEndpoint } }
}

function contentOf({
  name,
  openid4vpConfiguration: { authorizationEndpoint },
}: z.output<typeof VerifierWalletProvider>): VerifierWalletProviderContent {
  return { name, authorizationEndpoint }
}
