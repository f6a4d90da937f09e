import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Route } from '../api/http/route.ts'
import { routes } from '../api/routes.ts'
import { tenantRoles } from '../shared/roles.ts'
import type { Api } from './api-client.ts'
import { createApi } from './api-client.ts'
import { type Service, startService, type TestTenant } from './harness.ts'

const operations = routes.filter(({ access }) => access.kind === 'operators')
const named = (chosen: Route[]) => chosen.map((route) => [`${route.method} ${route.path}`, route] as const)
const byId = operations.filter(({ path }) => path.includes(':'))

let service: Service
let stranger: TestTenant
const callers = new Map<string, Api>()
/** What the stranger has, and what the service's own tenant has, by the template of its path. */
const theirs = new Map<string, string>()
const ours = new Map<string, string>()

beforeAll(async () => {
  service = await startService()
  stranger = await service.addTenant()
  for (const role of tenantRoles) callers.set(role, await service.as(role))
  await createOneOfEach(service, ours)
  await createOneOfEach(stranger, theirs)
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
    const body = route.body ? await sampleBody(route, service.operator) : undefined
    const answer = await api().send(route.method, pathTo(route, { [parameter]: strange(route, parameter) }), body)
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

test("after all of that the other tenant's things are as they were", async () => {
  expect(theirs.size).toBeGreaterThan(3)
  for (const [template, id] of theirs) {
    const retrieve = byId.find(({ method, path }) => method === 'GET' && path === template)
    if (!retrieve || isPlatform(retrieve)) continue
    const path = template.replace(/:\w+$/, id)
    expect([path, await stranger.operator.get(path)]).toMatchObject([path, { status: 200 }])
  }
})

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

/** The path with what the tenant has itself, where it has it, and ids of nothing for the rest. */
function pathTo({ path }: Route, given: Record<string, string> = {}): string {
  return path.replaceAll(/:(\w+)/g, (_match, name, offset) => {
    const template = path.slice(0, offset + name.length + 1)
    return given[name] ?? (template === '/v1/tenants/:tenantId' ? service.id : ours.get(template)) ?? randomUUID()
  })
}

/** An id that is the stranger's, if it has such a thing. */
function strange({ path }: Route, parameter: string): string {
  const template = path.slice(0, path.indexOf(`:${parameter}`) + parameter.length + 1)
  if (template === '/v1/tenants/:tenantId') return path === template ? randomUUID() : stranger.id
  return theirs.get(template) ?? randomUUID()
}

/** Calls every POST that makes something which has a path of its own. */
async function createOneOfEach(tenant: TestTenant, made: Map<string, string>): Promise<void> {
  for (const { path } of byId) {
    const [, collection] = /^(.*)\/:\w+$/.exec(path) ?? []
    const create = operations.find(
      (route) => route.method === 'POST' && route.path === collection && !isPlatform(route),
    )
    if (!create || made.has(path)) continue
    const at = create.path.replace(':tenantId', tenant.id)
    const { status, body } = await tenant.operator.post(at, await sampleBody(create, tenant.operator))
    if (status > 201) throw new Error(`POST ${at}: ${status} ${JSON.stringify(body)}`)
    made.set(path, body.id ?? body.clientId)
  }
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
  credentials: async (api) => {
    const answer = await api.post('/v2/credentials/compact/configurations', { claimMappings: {} })
    return [answer.body.id]
  },
  redirectUris: () => ['https://wallet.example/callback'],
  scope: () => ['openid'],
  url: () => 'https://example.com/path',
}

/** The smallest body that the route's schema takes. */
async function sampleBody({ body }: Route, api: Api): Promise<unknown> {
  if (!body) return undefined
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  const members: Record<string, unknown> = {}
  for (const name of schema.required ?? []) {
    members[name] = given[name] ? await given[name](api) : sampleOf(schema.properties?.[name])
  }
  return members
}

function sampleOf(schema: z.core.JSONSchema._JSONSchema | undefined): unknown {
  if (typeof schema !== 'object') return {}
  if (schema.enum ?? schema.const) return schema.enum?.[0] ?? schema.const
  if (schema.format === 'uuid') return randomUUID()
  if (schema.type === 'string') return 'Sample'
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'array') return [sampleOf(Array.isArray(schema.items) ? schema.items[0] : schema.items)]
  const required = schema.required ?? []
  return Object.fromEntries(required.map((name) => [name, sampleOf(schema.properties?.[name])]))
}
