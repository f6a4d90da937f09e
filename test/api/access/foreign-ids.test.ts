import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isMultipart } from '../../../api/http/multipart/multipart.ts'
import type { Route } from '../../../api/http/route.ts'
import { tenants } from '../../../db/tables/tenancy/tenants.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import {
  createOneOfEach,
  isPlatform,
  operations,
  pathTo,
  placeOf,
  sampleBody,
  type Things,
} from '../../harness/one-of-each.ts'
import { pdf, uploadTo } from '../../harness/uploads.ts'

const named = (chosen: Route[]) => chosen.map((route) => [`${route.method} ${route.path}`, route] as const)
const byId = operations.filter(({ path }) => path.includes(':'))

let service: Service
let otherTenant: TestTenant
/** The objects of the other tenant and of the service's own tenant. */
let theirs: Things
let ours: Things

beforeAll(async () => {
  service = await startService()
  otherTenant = await service.addTenant()
  ours = await createOneOfEach(service, service)
  theirs = await createOneOfEach(service, otherTenant)
})
afterAll(() => service[Symbol.asyncDispose]())

describe.each(named(byId))('%s', (_name, route) => {
  const parameters = parametersOf(route.path)
  const api = () => (isPlatform(route) ? service.platform : service.operator)

  // Each tenant can have lists of each type.
  const ids = parameters.filter((name) => name !== 'loteType')
  test.each(ids)("answers 404 for another tenant's %s", async (parameter) => {
    const path = pathTo(route, ours, { [parameter]: await foreignId(route, parameter) })
    const answer = isMultipart(route.consumes)
      ? await uploadTo(api(), path, [route.consumes.file, pdf()])
      : await api().send(route.method, path, await sampleBody(route, service.operator))
    expect(answer).toMatchObject({ status: 404, body: { code: 'NotFound', message: 'Resource Not Found' } })
    expect(answer.body.details).toMatchObject([{ param: parameter, location: 'params' }])
  })

  const uuids = parameters.filter((name) => !route.params!.safeParse({ ...filled(parameters), [name]: 'none' }).success)
  test.each(uuids)('refuses a malformed %s', async (parameter) => {
    const answer = await api().send(route.method, pathTo(route, ours, { [parameter]: 'none' }))
    expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest', message: 'Validation Error' } })
    expect(answer.body.details).toMatchObject([{ param: parameter, location: 'params', value: 'none' }])
  })
})

test.each(named(byId.filter((route) => route.method === 'GET' && !isPlatform(route) && !route.isLongLived)))(
  '%s still works for the other tenant after these requests',
  async (_name, route) => {
    const path = route.path.replaceAll(/:\w+/g, (_match, at) => theirs.get(placeOf(route.path, at)))
    expect([path, await otherTenant.operator.get(path)]).toMatchObject([path, { status: 200 }])
  },
)

function parametersOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
}

function filled(parameters: string[]): Record<string, string> {
  return Object.fromEntries(parameters.map((name) => [name, randomUUID()]))
}

/** The other tenant's id for a parameter. The platform owns ids that belong to no tenant. */
async function foreignId({ path, host }: Route, parameter: string): Promise<string> {
  if (host !== 'platform') return theirs.get(placeOf(path, path.indexOf(`:${parameter}`)))
  const [platform] = await service.deps.db.read.select().from(tenants).where(eq(tenants.kind, 'platform'))
  return platform!.id
}
