import { expect } from 'vitest'
import { newOpensslAuthority } from '../../certificates/openssl-authority.ts'
import type { Api, ApiResponse } from '../../harness/api-client.ts'
import { view } from '../../harness/audited-samples.ts'
import { newConsoleSession } from '../../harness/console-session.ts'
import type { Service } from '../../harness/harness.ts'
import { newRevocable } from '../../harness/revocable.ts'
import { newWaitingApproval } from '../../harness/waiting-approval.ts'
import { accessCalls, newRegistered } from './access-calls.ts'
import { bulkCalls } from './bulk-calls.ts'

type Call = [operation: string, call: (api: Api, made: Record<string, string>) => Promise<ApiResponse>, data: object]

const signInProvider = '/v1/sign-in-provider'
const consoleProvider = (clientSecret: string) => ({
  ...{ name: 'Login', issuer: 'https://login.example', clientId: 'trustwright', clientSecret, claim: 'groups' },
  roles: [{ value: clientSecret, roles: ['issuer'] }],
})
const inboxes = '/v1/messaging/inboxes'
const contexts = '/v2/credentials/web-semantic/contexts'

/** The calls of the platform, for a service with the provider `pkcs11`. */
export function platformCalls(secret: string): Call[] {
  return [
    ['createTenant', (api) => api.post('/v1/tenants', { name: secret, subdomain: 'audited' }), {}],
    [
      'updateTenant',
      (api, { createTenant }) => api.put(`/v1/tenants/${createTenant}`, { name: secret, profile: 'haip' }),
      { changed: ['profile'] },
    ],
    ['startTenantMove', (api, { createTenant }) => api.post(`/v1/tenants/${createTenant}/move`), {}],
    ['endTenantMove', (api, { createTenant }) => api.delete(`/v1/tenants/${createTenant}/move`), {}],
    ['destroyUnusedKeys', (api) => api.post('/v1/keys/unused/destroy', { provider: 'pkcs11' }), { provider: 'pkcs11' }],
    ['deleteTenant', (api, { createTenant }) => api.delete(`/v1/tenants/${createTenant}`), {}],
  ]
}

/** The calls of management clients, bulk issuances, views and authorization servers for `audit.test.ts`. */
export function clientCalls(secret: string): Call[] {
  return [
    [
      'createClient',
      (api, { tenant }) => api.post(`/v1/tenants/${tenant}/clients`, { name: secret, roles: ['auditor'] }),
      { roles: ['auditor'] },
    ],
    [
      'updateClient',
      (api, { tenant, createClient }) =>
        api.put(`/v1/tenants/${tenant}/clients/${createClient}`, { name: `${secret}2`, roles: ['auditor', 'holder'] }),
      { changed: ['name', 'roles'], roles: ['auditor', 'holder'] },
    ],
    [
      'replaceClientSecret',
      (api, { tenant, createClient }) => api.post(`/v1/tenants/${tenant}/clients/${createClient}/secret`, {}),
      { formerUntil: expect.any(String) },
    ],
    [
      'endConsoleSession',
      (api, { consoleSession }) => api.delete(`/v1/console-sessions/${consoleSession}`),
      { id: expect.any(String), ofClientId: expect.any(String) },
    ],
    [
      'endConsoleSessions',
      (api, { createClient: clientId }) => api.post('/v1/console-sessions/end', { clientId }),
      { ofClientId: expect.any(String), ended: 0 },
    ],
    [
      'deleteClient',
      (api, { tenant, createClient }) => api.delete(`/v1/tenants/${tenant}/clients/${createClient}`),
      {},
    ],
    [
      'updateSettings',
      (api) => api.put('/v1/settings', { name: secret, branding: { accentColor: '#1f4e79' } }),
      { changed: ['branding', 'name'] },
    ],
    [
      'approveRequest',
      (api, { approval }) => api.post(`/v1/approvals/${approval}/approve`, {}),
      { operation: 'setRevocationStatuses', askedByManagementUserId: 'ada' },
    ],
    [
      'rejectRequest',
      (api, { otherApproval }) => api.post(`/v1/approvals/${otherApproval}/reject`, {}),
      { operation: 'setRevocationStatuses', askedByManagementUserId: 'ada' },
    ],
    ['uploadLogo', (api) => api.post('/v1/settings/logos', { content: 'iVBORw0KGgo=' }), {}],
    [
      'replaceSignInProvider',
      (api) => api.put(signInProvider, consoleProvider(secret)),
      {
        changed: [
          ...['assertionAudience', 'claim', 'clientId', 'clientSecret', 'issuer', 'name', 'roles', 'scope'],
          ...['tokenEndpointAuthMethod', 'userClaim'],
        ],
      },
    ],
    ['deleteSignInProvider', (api) => api.delete(signInProvider), {}],
    ...bulkCalls(secret),
    ...viewCalls(secret),
    ...authorizationServerCalls(secret),
    ...accessCalls(secret),
  ]
}

/** The calls of views. */
function viewCalls(secret: string): Call[] {
  return [
    ['createView', (api) => api.post('/v1/views', { ...view('One'), path: 'ios' }), { path: 'ios' }],
    ['updateView', (api, { createView }) => api.put(`/v1/views/${createView}`, view(secret)), { changed: ['name'] }],
    ['deleteView', (api, { createView }) => api.delete(`/v1/views/${createView}`), {}],
  ]
}

/** The calls of other authorization servers. */
function authorizationServerCalls(secret: string): Call[] {
  const list = '/v1/openid/authorization-servers'
  const at = ({ createAuthorizationServer }: Record<string, string>) => `${list}/${createAuthorizationServer}`
  const server = (name: string, clientSecret: string) => ({
    ...{ name, issuer: 'https://city.example', audience: 'https://issuer.example' },
    introspection: { clientId: 'trustwright', clientSecret },
  })
  return [
    ['createAuthorizationServer', (api) => api.post(list, server('City', secret)), {}],
    [
      'updateAuthorizationServer',
      (api, made) => api.put(at(made), server('Town', `${secret}2`)),
      { changed: ['clientSecret', 'name'] },
    ],
    ['deleteAuthorizationServer', (api, made) => api.delete(at(made)), {}],
  ]
}

/** The calls of contexts and inboxes for `audit.test.ts`. */
export function inboxCalls(didOf: (tenantId: string) => string, secret: string): Call[] {
  return [
    [
      'createContext',
      (api) =>
        api.post(contexts, {
          url: `https://terms.example/${secret}`,
          document: { '@context': { level: 'https://terms.example/level' } },
        }),
      {},
    ],
    [
      'createWebhookListener',
      (api) =>
        api.post('/v1/webhooks/listeners', { events: ['OpenIdCredentialIssued'], forwardTo: 'http://localhost' }),
      {},
    ],
    [
      'applyConfiguration',
      (api) => {
        const path = 'status-list-configurations/card'
        const objects = { [path]: { docType: 'Card', expiryDuration: { days: 9 } } }
        return api.post('/v1/configuration/apply', { format: 1, objects, basedOn: { [path]: null } })
      },
      { operation: 'create', path: 'status-list-configurations/card' },
    ],
    ['deleteContext', (api, { createContext }) => api.delete(`${contexts}/${createContext}`), {}],
    ['createInbox', (api) => api.post(inboxes, { name: 'One' }), {}],
    [
      'registerInboxDid',
      (api, { createInbox, tenant }) => api.post(`${inboxes}/${createInbox}/dids`, { did: didOf(tenant!) }),
      { did: expect.any(String) },
    ],
    [
      'unregisterInboxDid',
      (api, { createInbox, tenant }) =>
        api.delete(`${inboxes}/${createInbox}/dids/${encodeURIComponent(didOf(tenant!))}`),
      { did: expect.any(String) },
    ],
    [
      'updateInbox',
      (api, { createInbox }) => api.put(`${inboxes}/${createInbox}`, { name: secret }),
      { changed: ['name'] },
    ],
    ['deleteInbox', (api, { createInbox }) => api.delete(`${inboxes}/${createInbox}`), {}],
  ]
}

const ecosystemCas = '/v1/ecosystems/certificates/ca'

/**
 * The calls of certificates of ecosystems for `audit.test.ts`, under an unmanaged CA. A RICAL signer of a managed CA
 * cannot be deleted alone.
 */
export function ecosystemCertificateCalls(secret: string): Call[] {
  return [
    [
      'createEcosystemCa',
      async (api) => {
        const { pem } = await newOpensslAuthority({ subject: `/C=NZ/CN=${secret}` })
        return api.post(ecosystemCas, { certificatePem: pem })
      },
      { isManaged: false },
    ],
    ...signerCalls('VicalSigner', '/v1/ecosystems/certificates/vical-signers'),
    ...signerCalls('RicalSigner', '/v1/ecosystems/certificates/rical-signers'),
    [
      'updateEcosystemCa',
      (api, { createEcosystemCa }) => api.put(`${ecosystemCas}/${createEcosystemCa}`, { active: false }),
      { active: false },
    ],
    ['deleteEcosystemCa', (api, { createEcosystemCa }) => api.delete(`${ecosystemCas}/${createEcosystemCa}`), {}],
  ]
}

function signerCalls(word: string, path: string): Call[] {
  const at = (made: Record<string, string>) => `${path}/${made[`create${word}`]}`
  return [
    [
      `create${word}`,
      (api, { createEcosystemCa: caId }) => api.post(path, { caId }),
      { caId: expect.any(String), madeBy: 'operator' },
    ],
    [`update${word}`, (api, made) => api.put(at(made), { active: false }), { active: false }],
    [`delete${word}`, (api, made) => api.delete(at(made)), {}],
  ]
}

/** Whether a worker wrote the row, about credentials that a bulk change has changed. */
export const isOfBulk = ({ data }: { data: Record<string, unknown> }) => 'credentialIds' in data

/** Inserts the objects of the calls that no operation creates. Returns their ids: a credential of each profile, two approvals and a session. */
export async function newAuditedObjects(service: Service, tenantId: string): Promise<Record<string, string>> {
  const made: Record<string, string> = {}
  for (const profile of ['compact', 'compact-semantic', 'web-semantic', 'mobile', 'sd-jwt'] as const)
    made[profile] = (await newRevocable(service, tenantId, profile)).credentialId
  for (const name of ['approval', 'otherApproval']) made[name] = await newWaitingApproval(service, tenantId)
  made.consoleSession = await newConsoleSession(service, tenantId)
  made.registered = await newRegistered(service, tenantId)
  return made
}

/** The audited operations of a verifier. */
export function verifierObjectCalls(): Call[] {
  const dcqlQuery = { credentials: [{ id: 'a', format: 'dc+sd-jwt', meta: { vct_values: ['urn:a'] } }] }
  const openid4vpConfiguration = { authorizationEndpoint: 'haip-vp://' }
  const kinds: [name: string, path: string, body: object][] = [
    ['VerifierApplication', 'applications', { type: 'web', domain: 'shop.example.org' }],
    ['VerifierWalletProvider', 'wallet-providers', { openid4vpConfiguration }],
    ['VerifierTemplate', 'templates', { dcqlQuery }],
  ]
  return kinds.flatMap(([name, path, body]): Call[] => {
    const list = `/v2/presentations/${path}`
    const at = (made: Record<string, string>) => `${list}/${made[`create${name}`]}`
    return [
      [`create${name}`, (api) => api.post(list, { ...body, name: 'One' }), {}],
      [`update${name}`, (api, made) => api.put(at(made), { ...body, name: 'Two' }), { changed: ['name'] }],
      [`delete${name}`, (api, made) => api.delete(at(made)), {}],
    ]
  })
}
