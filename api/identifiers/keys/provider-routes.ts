import { z } from 'zod'
import { listKeyComparisons } from '../../../db/repos/identifiers/key-comparisons.ts'
import { softwareProvider } from '../../../shared/domain/identifiers/key-policy.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { defineRoute, operators, type Route } from '../../http/route.ts'
import { KeyProviderName } from '../../tenancy/tenants/key-provider.ts'
import { presentComparison } from './comparison.ts'
import { DestroyedKeys, KeyComparisons, KeyProviders } from './provider-schemas.ts'

const ofPlatform = { tag: 'Keys', host: 'platform', access: operators('platform') } as const

const comparisons = {
  ...ofPlatform,
  path: '/v1/keys/comparisons',
  status: 200,
  response: KeyComparisons,
} as const

export const keyProviderRoutes: Route[] = [
  defineRoute({
    operation: 'retrieveKeyProviders',
    summary: 'List the providers of private keys of the signing processes, and what the platform decides about keys',
    tag: 'Keys',
    method: 'GET',
    path: '/v1/keys/providers',
    host: 'either',
    access: operators('admin', 'platform'),
    event: 'KEY_PROVIDER_RETRIEVE_LIST',
    status: 200,
    response: KeyProviders,
    problems: ['service_unavailable'],
    async handle({ deps }) {
      const { keyProviders } = await deps.bus.signingStatus()
      const others = keyProviders.map(({ name, isUp, algorithms }) => ({ name, isAvailable: isUp, algorithms }))
      const { provider, requireHardware } = deps.config.keyPolicy
      return { data: [software, ...others], default: provider, requireHardware }
    },
  }),
  defineRoute({
    ...comparisons,
    operation: 'retrieveKeyComparisons',
    summary: 'Retrieve the last comparison of the keys of all tenants with the private keys that each provider has',
    method: 'GET',
    event: 'KEY_COMPARISON_RETRIEVE_LIST',
    handle: async ({ deps }) => ({ data: (await listKeyComparisons(deps.db.read)).map(presentComparison) }),
  }),
  defineRoute({
    ...comparisons,
    operation: 'compareKeys',
    summary: 'Compare the keys of all tenants with the private keys that each provider has, at most once a minute',
    method: 'POST',
    event: 'KEY_COMPARISON_CREATE',
    problems: ['service_unavailable'],
    async handle({ tenantId, deps, deadlineAt }) {
      await deps.keys.call('checkKeys', { tenantId }, { deadlineAt })
      return { data: (await listKeyComparisons(deps.db.read)).map(presentComparison) }
    },
  }),
  defineAuditedRoute({
    ...ofPlatform,
    operation: 'destroyUnusedKeys',
    summary: 'Destroy private keys of a provider that no key of a tenant names, at most 50 for each request',
    method: 'POST',
    path: '/v1/keys/unused/destroy',
    event: 'KEY_UNUSED_DESTROY',
    body: z.object({ provider: KeyProviderName }),
    status: 200,
    response: DestroyedKeys,
    problems: ['bad_request', 'conflict', 'service_unavailable'],
    handle: async ({ tenantId, body: { provider }, deps, repeated, changeInSharedTransaction, deadlineAt }) =>
      provider === softwareProvider
        ? repeated({ destroyed: 0, refused: 0, left: 0 })
        : changeInSharedTransaction((by) =>
            deps.keys.call('destroyUnusedKeys', { tenantId, provider, by }, { deadlineAt }),
          ),
  }),
]

/** Each signing process has it. */
const software = {
  name: softwareProvider,
  isAvailable: true,
  algorithms: ['ES256', 'Ed25519', 'X25519', 'Bls12381G2', 'ECDH-ES'],
}
