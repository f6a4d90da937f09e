import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../../api/http/route.ts'
import { tenantRoles } from '../../shared/roles.ts'
import { type Api, createApi } from '../harness/api-client.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { createOneOfEach, isPlatform, operations, pathTo, type Things } from '../harness/one-of-each.ts'

let service: Service
let otherTenant: TestTenant
let ours: Things
const callers = new Map<string, Api>()

beforeAll(async () => {
  // Sends a wrong token to each operation.
  service = await startService({ env: { LIMIT_FAILED_SECRETS_PER_MINUTE: '0' } })
  otherTenant = await service.addTenant()
  for (const role of tenantRoles) callers.set(role, await service.as(role))
  ours = await createOneOfEach(service, service)
})
afterAll(() => service[Symbol.asyncDispose]())

describe.each(operations.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
  test('refuses a request without a token', async () => {
    const anonymous = isPlatform(route)
      ? createApi(service.origin, service.deps.config.platformHost)
      : service.anonymous
    const answer = await anonymous.send(route.method, pathTo(route, ours))
    const challenge = expect.stringMatching(/^Bearer error_description="[^"\\]*\/oauth\/token\."$/)
    expect(answer).toMatchObject({ status: 401, body: 'Unauthorized', headers: { 'www-authenticate': challenge } })
    expect(answer.headers['content-type']).toMatch(/^text\/plain/)
  })

  test('refuses a token of another tenant', async () => {
    const { host, origin } = { host: hostOf(route), origin: service.origin }
    const authorization = { authorization: `Bearer ${await tokenOf(otherTenant)}` }
    const answer = await createApi(origin, host).send(route.method, pathTo(route, ours), undefined, authorization)
    expect(answer).toMatchObject({ status: 401, body: 'Unauthorized' })
  })

  // The platform's clients cannot have a role of a tenant.
  const others = isPlatform(route) ? [] : tenantRoles.filter((role) => !rolesOf(route).includes(role))
  test.each(others)('refuses a caller with the role %s', async (role) => {
    const answer = await callers.get(role)!.send(route.method, pathTo(route, ours))
    expect(answer).toMatchObject({ status: 403, body: undefined })
    expect(answer.headers['content-length']).toBe('0')
  })
})

function hostOf(route: Route): string {
  return isPlatform(route) ? service.deps.config.platformHost : service.host
}

function rolesOf({ access }: Route): readonly string[] {
  return access.kind === 'operators' ? access.roles : []
}

async function tokenOf(tenant: TestTenant): Promise<string> {
  const credentials = { client_id: tenant.clientId, client_secret: tenant.clientSecret }
  const answer = await tenant.anonymous.post('/oauth/token', { ...credentials, grant_type: 'client_credentials' })
  return answer.body.access_token
}
