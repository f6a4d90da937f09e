import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { exampleSdJwt } from '../../api/credentials/stored/present-sd-jwt.ts'
import type { Route } from '../../api/http/route.ts'
import { routes } from '../../api/routes.ts'
import { insertStored } from '../../db/repos/credentials/stored.ts'
import { putMessage } from '../../db/repos/messaging/inbox-messages.ts'
import { insertListenerRequest } from '../../db/repos/operations/webhooks/listeners.ts'
import { listenerRequestContext } from '../../shared/secrets/stored-contexts.ts'
import { sdJwtRow } from '../../workers/signing/stored-rows.ts'
import { loteBody } from '../api/ecosystems/lote-bodies.ts'
import { newCertificate, pemOf } from '../certificates/certificates.ts'
import { androidApplication, newHolderInstance } from '../wallets/android-device.ts'
import { newMessage } from '../wallets/messages.ts'
import type { Api } from './api-client.ts'
import { newConsoleSession } from './console-session.ts'
import { eventually, type Service, type TestTenant } from './harness.ts'
import { newList, newRevocable } from './revocable.ts'
import { bulkFields, csvFile, pdf, uploadTo } from './uploads.ts'
import { newWaitingApproval } from './waiting-approval.ts'

/** The operations that operators call. */
export const operations = routes.filter(({ access }) => access.kind === 'operators')

/** Whether the operation is served on the platform's host. */
export function isPlatform({ host }: Route): boolean {
  return host === 'platform'
}

/** The path of an operation with these values, by the names of parameters. The other ids are those of `things`. */
export function pathTo({ path }: Route, things: Things, values: Record<string, string> = {}): string {
  return path.replaceAll(/:(\w+)/g, (_match, name, at) => values[name] ?? things.get(placeOf(path, at)))
}

/** The path up to a parameter, without the names of parameters: `/v1/users/:` of `/v1/users/:userId/credentials`. */
export function placeOf(path: string, at: number): string {
  return path.slice(0, at + 1).replaceAll(/:\w+/g, ':')
}

/** The ids of what a tenant has, by place. `get` throws for a place without an id. */
export interface Things {
  get(place: string): string
}

const iacaPlace = '/v2/credentials/mobile/iacas/:'
const ecosystemCertificates = '/v1/ecosystems/certificates'
const caPlace = `${ecosystemCertificates}/ca/:`

/** Makes an id where no POST of the collection returns one. */
const factories: Record<string, (tenant: TestTenant, things: Things, service: Service) => Promise<string>> = {
  '/v1/bulk-issuances/:': async ({ operator }, things) => {
    const configuration = things.get('/v2/credentials/compact/configurations/:')
    return (await uploadTo(operator, '/v1/bulk-issuances', ['file', csvFile()], ...bulkFields(configuration))).body.id
  },
  '/v1/views/:': async ({ operator }, things) => {
    const configurations = { ids: [things.get('/v2/credentials/compact/configurations/:')] }
    const view = { name: 'One', path: 'one', profile: 'standard', configurations }
    return (await operator.post('/v1/views', view)).body.id
  },
  '/v2/presentations/templates/:': async ({ operator }) => {
    const dcqlQuery = { credentials: [{ id: 'card', format: 'dc+sd-jwt', meta: { vct_values: ['urn:card'] } }] }
    return (await operator.post('/v2/presentations/templates', { name: 'Card', dcqlQuery })).body.id
  },
  '/v1/approvals/:': ({ id }, _things, service) => newWaitingApproval(service, id),
  '/v1/console-sessions/:': ({ id }, _things, service) => newConsoleSession(service, id),
  // The number of a row of another tenant is that of no own row.
  '/v1/bulk-issuances/:/rows/:': async ({ id }, _things, service) => (id === service.id ? '1' : '2'),
  '/v1/users/authentication-providers/:': async ({ operator }) => {
    const client = { clientId: 'trustwright', clientSecret: 'of the sample' }
    return (await operator.post('/v1/users/authentication-providers', { url: 'https://login.example', ...client })).body
      .id
  },
  '/v1/dids/:': async ({ operator }) => (await operator.post('/v1/dids', { method: 'key' })).body.did,
  ...assignment('issuer'),
  ...assignment('verifier'),
  '/v1/ecosystems/:/participants/:/evidence/:': async ({ operator }, things) => {
    const ecosystem = `/v1/ecosystems/${things.get('/v1/ecosystems/:')}`
    const participant = `${ecosystem}/participants/${things.get('/v1/ecosystems/:/participants/:')}`
    return (await uploadTo(operator, `${participant}/evidence`, ['file', pdf()])).body.id
  },
  '/v1/ecosystems/:/issuer-policies/public/:': async (_tenant, things) =>
    things.get('/v1/ecosystems/:/issuer-policies/:'),
  '/v1/ecosystems/:/verifier-policies/public/:': async (_tenant, things) =>
    things.get('/v1/ecosystems/:/verifier-policies/:'),
  ...issues('vical'),
  ...issues('rical'),
  '/v1/ecosystems/:/lotes/:': async ({ operator }, things) => {
    const path = `/v1/ecosystems/${things.get('/v1/ecosystems/:')}/lotes/pid-providers/configuration`
    await operator.put(path, loteBody())
    return 'pid-providers'
  },
  '/v1/ecosystems/:/lotes/:/:': async () => '4242',
  '/v1/ecosystems/:/lotes/:/public/:': async () => '4242',
  '/v1/holder/applications/:': async ({ operator }) =>
    (await operator.post('/v1/holder/applications', androidApplication([], false))).body.id,
  '/v1/holder/applications/:/instances/:': (tenant, things) =>
    newHolderInstance(tenant, things.get('/v1/holder/applications/:')),
  '/v1/erasures/:': async ({ operator }) => {
    const { body } = await operator.post('/v1/users', {})
    return String((await operator.delete(`/v1/users/${body.id}`)).headers['erasure-id'])
  },
  // Each tenant has the same fixed words here, so a random one belongs to no tenant.
  '/v1/keys/:': async () => randomUUID(),
  '/v1/messaging/inboxes/:/dids/:': async ({ operator, did }, things) =>
    (await operator.post(`/v1/messaging/inboxes/${things.get('/v1/messaging/inboxes/:')}/dids`, { did })).body.did,
  '/v1/messaging/inboxes/:/messages/:': async ({ id, operator }, things, service) => {
    const inboxId = things.get('/v1/messaging/inboxes/:')
    await service.deps.db.tx((tx) => putMessage(tx, id, inboxId, newMessage(service.did)))
    return (await operator.get(`/v1/messaging/inboxes/${inboxId}/messages`)).body.data[0].id
  },
  '/v1/openid/offers/:': async (_tenant, things) => things.get('/v1/openid/offers/pre-authorized/:'),
  '/v1/webhooks/:/deliveries/:': async ({ operator }, things) =>
    (await operator.post(`/v1/webhooks/${things.get('/v1/webhooks/:')}/test`)).body.id,
  '/v1/webhooks/:/deliveries/:/attempts/:': async ({ operator }, things) => {
    const path = `/v1/webhooks/${things.get('/v1/webhooks/:')}/deliveries`
    const attempt = await eventually(async () => {
      const { body } = await operator.get(path)
      return body.data.find(({ id }: { id: string }) => id === things.get('/v1/webhooks/:/deliveries/:'))?.attempts[0]
    })
    return attempt.id
  },
  '/v1/webhooks/listeners/:/requests/:': async ({ id: tenantId }, things, { deps }) => {
    const id = randomUUID()
    const webhookId = things.get('/v1/webhooks/listeners/:')
    const sealedRequest = deps.secrets.seal('{}', listenerRequestContext(id))
    const row = { id, tenantId, webhookId, sealedRequest, createdAt: deps.clock.now() }
    await deps.db.tx((tx) => insertListenerRequest(tx, row))
    return id
  },
  '/v2/credentials/compact/:': async ({ id }, _things, service) =>
    (await newRevocable(service, id, 'compact')).credentialId,
  '/v2/credentials/compact-semantic/:': async ({ id }, _things, service) =>
    (await newRevocable(service, id, 'compact-semantic')).credentialId,
  '/v2/credentials/mobile/document-signers/:': async ({ operator }, things) =>
    (await operator.post('/v2/credentials/mobile/document-signers', { iacaId: things.get(iacaPlace) })).body.id,
  '/v2/credentials/mobile/status-list-signers/:': async ({ operator }, things) =>
    (await operator.post('/v2/credentials/mobile/status-list-signers', { iacaId: things.get(iacaPlace) })).body.id,
  '/v2/credentials/sd-jwt/signers/:': async ({ operator }, things) =>
    (await operator.post('/v2/credentials/sd-jwt/signers', { iacaId: things.get(iacaPlace) })).body.id,
  [`${ecosystemCertificates}/vical-signers/:`]: async ({ operator }, things) =>
    (await operator.post(`${ecosystemCertificates}/vical-signers`, { caId: things.get(caPlace) })).body.id,
  [`${ecosystemCertificates}/rical-signers/:`]: async ({ operator }, things) =>
    (await operator.post(`${ecosystemCertificates}/rical-signers`, { caId: things.get(caPlace) })).body.id,
  [caPlace]: async ({ operator }) =>
    (await operator.post(`${ecosystemCertificates}/ca`, { commonName: 'CA', country: 'NZ' })).body.id,
  [iacaPlace]: async ({ operator }) =>
    (await operator.post('/v2/credentials/mobile/iacas', { commonName: 'IACA', country: 'NZ' })).body.id,
  '/v2/credentials/revocation-status/:': async ({ operator }) => {
    const bulk = { credentials: [randomUUID()], isRevoked: true }
    return (await operator.post('/v2/credentials/revocation-status', bulk)).body.id
  },
  '/v2/credentials/issued/:': async ({ id }, _things, service) => (await newRevocable(service, id)).credentialId,
  '/v2/credentials/mobile/:': async ({ id }, _things, service) =>
    (await newRevocable(service, id, 'mobile')).credentialId,
  '/v2/credentials/mobile/status-lists/:': ({ id }, _things, service) => newList(service, id, 'mobile'),
  '/v2/credentials/sd-jwt/types/:': async (_tenant, things) =>
    things.get('/v2/credentials/sd-jwt/configurations/:') ?? '',
  '/v2/credentials/sd-jwt/types/:/:': async () => '1',
  '/v2/credentials/sd-jwt/:': async ({ id: tenantId }, _things, service) => {
    const { credentialId: id } = await newRevocable(service, tenantId, 'sd-jwt')
    const owner = { id, tenantId, userId: null, tag: null, createdAt: service.clock.now() }
    await service.deps.db.tx((tx) => insertStored(tx, [sdJwtRow(exampleSdJwt, 'urn:example:student-card', owner)]))
    return id
  },
  '/v2/credentials/sd-jwt/status-lists/:': ({ id }, _things, service) => newList(service, id, 'sd-jwt'),
  '/v2/credentials/web-semantic/:': async ({ operator }) => {
    const payload = { type: ['Sample'], credentialSubject: {} }
    const asked = { payload, persist: true, revocable: true }
    return (await operator.post('/v2/credentials/web-semantic/sign', asked)).body.id
  },
}

function assignment(role: 'issuer' | 'verifier'): typeof factories {
  const participant = '/v1/ecosystems/:/participants/:'
  return {
    [`${participant}/${role}/credentials/:`]: async ({ operator }, things) => {
      const ecosystem = `/v1/ecosystems/${things.get('/v1/ecosystems/:')}`
      const body = { credentialId: things.get('/v1/ecosystems/:/credentials/:') }
      return (await operator.post(`${ecosystem}/participants/${things.get(participant)}/${role}/credentials`, body))
        .body.id
    },
  }
}

/** Lists have numbers that each ecosystem assigns itself. */
function issues(kind: 'vical' | 'rical'): typeof factories {
  return {
    [`/v1/ecosystems/:/${kind}s/:`]: async ({ operator }, things) => {
      const path = `/v1/ecosystems/${things.get('/v1/ecosystems/:')}/${kind}s/configuration`
      await operator.put(path, { [`${kind}Provider`]: 'Sample' })
      return '4242'
    },
    [`/v1/ecosystems/:/${kind}s/public/:`]: async () => '4242',
  }
}

const orderOf = (place: string) => ([iacaPlace, caPlace].includes(place) ? 0 : place in factories ? 2 : 1)

/** Creates one of everything that has an id in a path. */
export async function createOneOfEach(service: Service, tenant: TestTenant): Promise<Things> {
  const made = new Map([['/v1/tenants/:', tenant.id]])
  const things: Things = {
    get(place) {
      const id = made.get(place)
      if (id === undefined) throw new Error(`No factory made an id for ${place}. Add one.`)
      return id
    },
  }
  const places = operations.flatMap(({ path }) => [...path.matchAll(/:/g)].map(({ index }) => placeOf(path, index)))
  // Factories need the ids of the other places.
  const inOrder = [...new Set(places)].sort((a, b) => orderOf(a) - orderOf(b))
  for (const place of inOrder) {
    if (!made.has(place))
      made.set(place, await (factories[place]?.(tenant, things, service) ?? post(tenant, place, things)))
  }
  return things
}

/** Returns the id that the POST of the collection answers with. */
async function post(tenant: TestTenant, place: string, things: Things): Promise<string> {
  const create = operations.find(({ method, path }) => method === 'POST' && `${placeOf(path, path.length)}/:` === place)
  if (!create) throw new Error(`No operation makes an id for ${place}. Add a factory.`)
  const at = create.path.replaceAll(/:\w+/g, (_match, index) => things.get(placeOf(create.path, index)))
  const { status, body } = await tenant.operator.post(at, await sampleBody(create, tenant.operator))
  const id = body?.id ?? body?.clientId
  if (status > 201 || !id) throw new Error(`POST ${at}: ${status} ${JSON.stringify(body)}`)
  return id
}

/** Values of members whose schema alone does not lead to a valid sample. */
const memberValues: Record<string, (api: Api) => unknown> = {
  aliases: () => undefined,
  authorization: () => ({ type: 'api-key', value: 'sample' }),
  certificatePem: async () => pemOf(await newCertificate({ name: randomUUID(), ca: true })),
  credentials: async (api) => {
    const answer = await api.post('/v2/credentials/compact/configurations', { claimMappings: {} })
    return [answer.body.id]
  },
  did: () => 'did:example:sample',
  document: () => ({ '@context': {} }),
  packageName: () => 'com.example.wallet',
  packageSigningCertificateThumbprints: () => ['ab'.repeat(32)],
  query: () => [{ type: 'DIDAuth' }],
  redirectUris: () => ['https://wallet.example/callback'],
  scope: () => ['openid'],
  url: () => 'https://example.com/path',
}

/** Makes the smallest body that the route's schema accepts. */
export async function sampleBody({ body }: Route, api: Api): Promise<unknown> {
  if (!body) return undefined
  const printed = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  // A route with several kinds of body gets the first.
  const [schema = printed] = (printed.oneOf ?? []) as (typeof printed)[]
  const members: Record<string, unknown> = {}
  for (const name of schema.required ?? []) {
    members[name] = memberValues[name] ? await memberValues[name](api) : sampleOf(schema.properties?.[name])
  }
  return members
}

function sampleOf(schema: z.core.JSONSchema._JSONSchema | undefined): unknown {
  if (typeof schema !== 'object') return {}
  const { examples, 'x-examples': [example] = examples ?? [] } = schema as {
    examples?: unknown[]
    'x-examples'?: unknown[]
  }
  if (example !== undefined) return example
  if (schema.enum ?? schema.const) return schema.enum?.[0] ?? schema.const
  if (schema.format === 'uuid') return randomUUID()
  if (schema.type === 'string') return 'Sample'
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'array') return [sampleOf(Array.isArray(schema.items) ? schema.items[0] : schema.items)]
  const required = schema.required ?? []
  return Object.fromEntries(required.map((name) => [name, sampleOf(schema.properties?.[name])]))
}
