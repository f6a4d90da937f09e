import { createServer } from 'node:http'
import { and, eq } from 'drizzle-orm'
import { expect, type TestContext, test } from 'vitest'
import { tenantsCache } from '../../api/access/tenant.ts'
import { createAnalytics } from '../../api/analytics/analytics.ts'
import { createApp } from '../../api/app.ts'
import { createCaches } from '../../api/process/caches.ts'
import type { Database } from '../../db/client.ts'
import { DatabaseUnavailable } from '../../db/engine/unavailable.ts'
import { events } from '../../db/tables/operations/events.ts'
import { createApi } from '../harness/api-client.ts'
import { eventually, joinService, tokenOf } from '../harness/harness.ts'
import { keepAlive } from '../harness/keep-alive.ts'
import { lostEvents } from '../harness/lost-events.ts'

/** More than the anonymous events of a kind that are emitted one by one in a minute. */
const refusals = 60

/** Starts a further web process of a service, whose database a test can take away. */
async function startWeb({ onTestFinished }: TestContext) {
  const service = await joinService()
  const { deps, host, clientId, clientSecret } = service
  let isAway = false
  const until: Database['until'] = (deadline) => ({
    ...deps.db.until(deadline),
    get read() {
      if (isAway) throw new DatabaseUnavailable(new Error('away'))
      return deps.db.read
    },
  })
  const caches = createCaches()
  const knownTenants = caches.of(tenantsCache)
  const analytics = createAnalytics(deps)
  const server = createServer(
    keepAlive,
    createApp({ ...deps, db: { ...deps.db, until }, caches, analytics }).callback(),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await analytics.close()
  })
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  /** A host that was an alias of the tenant. */
  const formerHost = 'former.example'
  const hasExpired = async () => [host, formerHost].every((each) => knownTenants.get(each) === undefined)
  const token = await tokenOf(origin, host, clientId, clientSecret)
  knownTenants.set(formerHost, knownTenants.get(host))
  await eventually(hasExpired)
  return {
    service,
    operator: createApi(origin, host, token),
    formerly: createApi(origin, formerHost, token),
    async withoutDatabase(work: () => Promise<void>) {
      isAway = true
      await eventually(hasExpired)
      await work()
      isAway = false
      // Sends the counts of this minute too.
      await analytics.close()
    },
  }
}

test('each request that an unavailable database refuses with 503 is in an event of its tenant', async (context) => {
  const { service, operator, formerly, withoutDatabase } = await startWeb(context)
  expect(await operator.get('/v1/users')).toMatchObject({ status: 200 })
  expect(await formerly.get('/v1/users')).toMatchObject({ status: 404 })
  await withoutDatabase(async () => {
    const answers = await Promise.all(Array.from({ length: refusals }, () => operator.get('/v1/users')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    const lostBefore = await lostEvents('tenant_unknown')
    expect(await formerly.get('/v1/users')).toMatchObject({ status: 503 })
    expect((await lostEvents('tenant_unknown')) - lostBefore).toBe(1)
  })

  const { read } = service.deps.db
  const failures = and(eq(events.tenantId, service.id), eq(events.type, 'USER_RETRIEVE_LIST_FAIL'))
  const countOf = ({ data }: { data: Record<string, unknown> }) => Number(data.count ?? 1)
  const rows = () => read.select().from(events).where(failures)
  const sum = async () => (await rows()).reduce((total, row) => total + countOf(row), 0)
  await eventually(async () => (await sum()) >= refusals)
  expect(await sum()).toBe(refusals)
  for (const { data } of await rows()) expect(data).toMatchObject({ error: { type: 'ServiceUnavailable' } })
})
