import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isMultipart } from '../api/http/multipart/multipart.ts'
import type { Route } from '../api/http/route.ts'
import { routes } from '../api/routes.ts'
import { putMessage } from '../db/repos/messaging/inbox-messages.ts'
import { tenants } from '../db/tables/tenancy/tenants.ts'
import { tenantRoles } from '../shared/roles.ts'
import { newCertificate, pemOf } from './certificates/certificates.ts'
import type { Api } from './harness/api-client.ts'
import { createApi } from './harness/api-client.ts'
import { type Service, startService, type TestTenant } from './harness/harness.ts'
import { newList, newRevocable } from './harness/revocable.ts'
import { pdf, uploadTo } from './harness/uploads.ts'
import { androidApplication, newHolderInstance } from './wallets/android-device.ts'
import { newMessage } from './wallets/messages.ts'

const operations = routes.filter(({ access }) => access.kind === 'operators')
const named = (chosen: Route[]) => chosen.map((route) => [`${route.method} ${route.path}`, route] as const)
const byId = operations.filter(({ path }) => path.includes(':'))

let service: Service
let stranger: TestTenant
const callers = new Map<string, Api>()
/** What the stranger has, and what the service's own tenant has, by the place of the id in paths. */
let theirs: Things
let ours: Things

beforeAll(async () => {
  // Each operation is tried with a token that is wrong.
  service = await startService({ env: { LIMIT_FAILED_SECRETS_PER_MINUTE: '0' } })
  stranger = await service.addTenant()
  for (const role of tenantRoles) callers.set(role, await service.as(role))
  ours = await createOneOfEach(service)
  theirs = await createOneOfEach(stranger)
})
afterAll(() => service[Symbol.asyncDispose]())

describe.each(named(operations))('%s', (_name, route) => {
  test('is refused without a token', async () => {
    const anonymous = isPlatform(route)
      ? createApi(service.origin, service.deps.config.platformHost)
      : service.anonymous
    const answer = await anonymous.send(route.method, pathTo(route))
    expect(answer).toMatchObject({ status: 401, body: 'Unauthorized', headers: { 'www-authenticate': 'Bearer' } })
    expect(answer.headers['content-type']).toMatch(/^text\/plain/)
  })

  test("is refused with another tenant's token", async () => {
    const { host, origin } = { host: hostOf(route), origin: service.origin }
    const authorization = { authorization: `Bearer ${await tokenOf(stranger)}` }
    const answer = await createApi(origin, host).send(route.method, pathTo(route), undefined, authorization)
    expect(answer).toMatchObject({ status: 401, body: 'Unauthorized' })
  })

  // The platform's own clients can hold no tenant's role.
  const others = isPlatform(route) ? [] : tenantRoles.filter((role) => !rolesOf(route).includes(role))
  test.each(others)('is refused to the role %s', async (role) => {
    const answer = await callers.get(role)!.send(route.method, pathTo(route))
    expect(answer).toMatchObject({ status: 403, body: undefined })
    expect(answer.headers['content-length']).toBe('0')
  })
})

describe.each(named(byId))('%s', (_name, route) => {
  const parameters = parametersOf(route.path)
  const api = () => (isPlatform(route) ? service.platform : service.operator)

  test.each(parameters)("knows nothing of another tenant's %s", async (parameter) => {
    const path = pathTo(route, { [parameter]: await strange(route, parameter) })
    const answer = isMultipart(route.consumes)
      ? await uploadTo(api(), path, [route.consumes.file, pdf()])
      : await api().send(route.method, path, await sampleBody(route, service.operator))
    expect(answer).toMatchObject({ status: 404, body: { code: 'NotFound', message: 'Resource Not Found' } })
    expect(answer.body.details).toMatchObject([{ param: parameter, location: 'params' }])
  })

  const uuids = parameters.filter((name) => !route.params!.safeParse({ ...filled(parameters), [name]: 'none' }).success)
  test.each(uuids)('refuses a malformed %s', async (parameter) => {
    const answer = await api().send(route.method, pathTo(route, { [parameter]: 'none' }))
    expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest', message: 'Validation Error' } })
    expect(answer.body.details).toMatchObject([{ param: parameter, location: 'params', value: 'none' }])
  })
})

test.each(named(byId.filter((route) => route.method === 'GET' && !isPlatform(route))))(
  'after all of that %s is for the other tenant as it was',
  async (_name, route) => {
    const path = route.path.replaceAll(/:\w+/g, (_match, at) => theirs.get(placeOf(route.path, at)))
    expect([path, await stranger.operator.get(path)]).toMatchObject([path, { status: 200 }])
  },
)

function isPlatform({ host }: Route): boolean {
  return host === 'platform'
}

function hostOf(route: Route): string {
  return isPlatform(route) ? service.deps.config.platformHost : service.host
}

function rolesOf({ access }: Route): readonly string[] {
  return access.kind === 'operators' ? access.roles : []
}

function parametersOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
}

function filled(parameters: string[]): Record<string, string> {
  return Object.fromEntries(parameters.map((name) => [name, randomUUID()]))
}

/** The path with what the tenant has itself. */
function pathTo({ path }: Route, given: Record<string, string> = {}): string {
  return path.replaceAll(/:(\w+)/g, (_match, name, at) => given[name] ?? ours.get(placeOf(path, at)))
}

/** What the stranger has in the place of the parameter; what is no tenant's own, the platform has. */
async function strange({ path, host }: Route, parameter: string): Promise<string> {
  const place = placeOf(path, path.indexOf(`:${parameter}`))
  if (host !== 'platform') return theirs.get(place)
  const [platform] = await service.deps.db.read.select().from(tenants).where(eq(tenants.kind, 'platform'))
  return platform!.id
}

/** `/v1/users/:` of `/v1/users/:userId/credentials`: what the id is of, whatever its parameter is called. */
function placeOf(path: string, at: number): string {
  return path.slice(0, at + 1).replaceAll(/:\w+/g, ':')
}

/** Ids by place. One that nobody made is no id of another tenant: then there is nothing to see. */
interface Things {
  get(place: string): string
}

const iacaPlace = '/v2/credentials/mobile/iacas/:'
const ecosystemCertificates = '/v1/ecosystems/certificates'
const caPlace = `${ecosystemCertificates}/ca/:`

/** Where no POST of the collection answers with the id of what it made. */
const factories: Record<string, (tenant: TestTenant, things: Things) => Promise<string>> = {
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
  '/v1/holder/applications/:': async ({ operator }) =>
    (await operator.post('/v1/holder/applications', androidApplication([], false))).body.id,
  '/v1/holder/applications/:/instances/:': (tenant, things) =>
    newHolderInstance(tenant, things.get('/v1/holder/applications/:')),
  // No id, but a word that every tenant has: any other is of nobody.
  '/v1/keys/:': async () => randomUUID(),
  '/v1/messaging/inboxes/:/dids/:': async ({ operator, did }, things) =>
    (await operator.post(`/v1/messaging/inboxes/${things.get('/v1/messaging/inboxes/:')}/dids`, { did })).body.did,
  '/v1/messaging/inboxes/:/messages/:': async ({ id, operator }, things) => {
    const inboxId = things.get('/v1/messaging/inboxes/:')
    await service.deps.db.tx((tx) => putMessage(tx, id, inboxId, newMessage(service.did)))
    return (await operator.get(`/v1/messaging/inboxes/${inboxId}/messages`)).body.data[0].id
  },
  '/v1/openid/offers/:': async (_tenant, things) => things.get('/v1/openid/offers/pre-authorized/:'),
  '/v1/webhooks/:/deliveries/:': async ({ operator }, things) =>
    (await operator.post(`/v1/webhooks/${things.get('/v1/webhooks/:')}/test`)).body.id,
  '/v2/credentials/compact/:': async ({ id }) => (await newRevocable(service, id, 'compact')).credentialId,
  '/v2/credentials/compact-semantic/:': async ({ id }) =>
    (await newRevocable(service, id, 'compact-semantic')).credentialId,
  '/v2/credentials/mobile/document-signers/:': async ({ operator }, things) =>
    (await operator.post('/v2/credentials/mobile/document-signers', { iacaId: things.get(iacaPlace) })).body.id,
  '/v2/credentials/mobile/status-list-signers/:': async ({ operator }, things) =>
    (await operator.post('/v2/credentials/mobile/status-list-signers', { iacaId: things.get(iacaPlace) })).body.id,
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
  '/v2/credentials/issued/:': async ({ id }) => (await newRevocable(service, id)).credentialId,
  '/v2/credentials/mobile/:': async ({ id }) => (await newRevocable(service, id, 'mobile')).credentialId,
  '/v2/credentials/mobile/status-lists/:': ({ id }) => newList(service, id, 'mobile'),
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

/** No ids, but numbers that every ecosystem gives. */
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

/** Makes one of everything that has an id in a path. */
async function createOneOfEach(tenant: TestTenant): Promise<Things> {
  const made = new Map([['/v1/tenants/:', tenant.id]])
  const things: Things = {
    get(place) {
      const id = made.get(place)
      if (id === undefined) throw new Error(`nothing was made for ${place}: add a factory`)
      return id
    },
  }
  const places = byId.flatMap(({ path }) => [...path.matchAll(/:/g)].map(({ index }) => placeOf(path, index)))
  // What has a factory is made of the rest.
  const inOrder = [...new Set(places)].sort((a, b) => orderOf(a) - orderOf(b))
  for (const place of inOrder) {
    if (!made.has(place)) made.set(place, await (factories[place]?.(tenant, things) ?? post(tenant, place, things)))
  }
  return things
}

/** The id that the POST of the collection answers with. */
async function post(tenant: TestTenant, place: string, things: Things): Promise<string> {
  const create = operations.find(({ method, path }) => method === 'POST' && `${placeOf(path, path.length)}/:` === place)
  if (!create) throw new Error(`nothing makes what ${place} is for: add a factory`)
  const at = create.path.replaceAll(/:\w+/g, (_match, index) => things.get(placeOf(create.path, index)))
  const { status, body } = await tenant.operator.post(at, await sampleBody(create, tenant.operator))
  const id = body?.id ?? body?.clientId
  if (status > 201 || !id) throw new Error(`POST ${at}: ${status} ${JSON.stringify(body)}`)
  return id
}

async function tokenOf(tenant: TestTenant): Promise<string> {
  const credentials = { client_id: tenant.clientId, client_secret: tenant.clientSecret }
  const answer = await tenant.anonymous.post('/oauth/token', { ...credentials, grant_type: 'client_credentials' })
  return answer.body.access_token
}

/** Members for which a sample made from the schema would not do. */
const given: Record<string, (api: Api) => unknown> = {
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

/** The smallest body that the route's schema takes. */
async function sampleBody({ body }: Route, api: Api): Promise<unknown> {
  if (!body) return undefined
  const printed = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  // Of several kinds of body the first.
  const [schema = printed] = (printed.oneOf ?? []) as (typeof printed)[]
  const members: Record<string, unknown> = {}
  for (const name of schema.required ?? []) {
    members[name] = given[name] ? await given[name](api) : sampleOf(schema.properties?.[name])
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
