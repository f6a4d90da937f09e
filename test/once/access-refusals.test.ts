import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Route } from '../../api/http/route.ts'
import { tenantRoles } from '../../shared/access/roles.ts'
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

/** Returns the operations whose answer to a request is wrong, with the answer. The operations are called at once, a few at a time. */
async function wrongAnswers(of: readonly Route[], send: (route: Route) => ReturnType<Api['send']>, isRight: IsRight) {
  const wrong: string[] = []
  const rest = [...of]
  const work = async () => {
    for (let route = rest.pop(); route; route = rest.pop()) {
      const answer = await send(route)
      if (!isRight(answer)) wrong.push(`${route.method} ${route.path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return wrong
}
type IsRight = (answer: Awaited<ReturnType<Api['send']>>) => boolean

test('there are operations of operators on both hosts', () => {
  expect(operations.filter((route) => !isPlatform(route)).length).toBeGreaterThan(200)
  expect(operations.filter(isPlatform).length).toBeGreaterThan(0)
})

test('each operation refuses a request without a token', async () => {
  const atPlatform = createApi(service.origin, service.deps.config.platformHost)
  const send = (route: Route) =>
    (isPlatform(route) ? atPlatform : service.anonymous).send(route.method, pathTo(route, ours))
  const wrong = await wrongAnswers(operations, send, ({ status, body, headers }) => {
    const hasChallenge = /^Bearer error_description="[^"\\]*\/oauth\/token\."$/.test(
      String(headers['www-authenticate']),
    )
    return (
      status === 401 && body === 'Unauthorized' && hasChallenge && /^text\/plain/.test(String(headers['content-type']))
    )
  })
  expect(wrong).toEqual([])
})

test('each operation refuses a token of another tenant', async () => {
  const authorization = { authorization: `Bearer ${await tokenOf(otherTenant)}` }
  const send = (route: Route) =>
    createApi(service.origin, hostOf(route)).send(route.method, pathTo(route, ours), undefined, authorization)
  const wrong = await wrongAnswers(operations, send, ({ status, body }) => status === 401 && body === 'Unauthorized')
  expect(wrong).toEqual([])
})

// The platform's clients cannot have a role of a tenant.
const ofTenants = operations.filter((route) => !isPlatform(route))

test.each(tenantRoles)('each operation that is not for the role %s refuses a caller with it', async (role) => {
  const others = ofTenants.filter((route) => !rolesOf(route).includes(role))
  const send = (route: Route) => callers.get(role)!.send(route.method, pathTo(route, ours))
  const isRefusal: IsRight = ({ status, body, headers }) =>
    status === 403 && body === undefined && headers['content-length'] === '0'
  expect(await wrongAnswers(others, send, isRefusal)).toEqual([])
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
