import type { CallsJob, Percentiles } from '../driver-jobs.ts'
import type { Bench } from '../measure.ts'
import { eventPages } from './event-pages.ts'
import { anyOf, anyTime, cursor, get, type Page, type Samples } from './page-calls.ts'
import { searches } from './searches.ts'

/** Calls of one kind by one client, one at a time. */
export interface PageResult {
  name: string
  latencies: Percentiles
}

const warmUp = 50
const measured = 200
/** The minimum of each percentile over the rounds counts, because the load of the machine can last minutes. */
const rounds = 3

/**
 * Measures each large list: the first page, a page in the middle, the last page, each filter, and each kind of search.
 */
export async function measurePages(bench: Bench, at: number): Promise<PageResult[]> {
  const samples = await samplesOf(bench)
  const pages = [
    ...userPages(at, samples),
    ...searches(at, samples),
    ...eventPages(at, samples),
    ...deliveryPages(at, samples),
  ]
  const results = pages.map(({ name, next }) => ({ name, next, found: [] as Percentiles[] }))
  for (let round = 0; round < rounds; round++) {
    for (const { next, found } of results) {
      await latenciesOf(bench, next, warmUp)
      found.push(await latenciesOf(bench, next, measured))
    }
  }
  return results.map(({ name, found }) => ({ name, latencies: leastOf(found) }))
}

async function latenciesOf(bench: Bench, next: Page['next'], count: number): Promise<Percentiles> {
  const calls: CallsJob['calls'] = Array.from({ length: count }, next)
  const { latencies } = await bench.drive({ kind: 'calls', ...bench.target, calls, concurrency: 1 })
  if (!latencies.all) throw new Error('not one call was made')
  return latencies.all
}

function leastOf(found: Percentiles[]): Percentiles {
  const least = (of: keyof Percentiles) => Math.min(...found.map((each) => each[of]))
  return { p50: least('p50'), p95: least('p95'), p99: least('p99') }
}

async function samplesOf({ data, webhookId }: Bench): Promise<Samples> {
  const [tenantId] = await data.column(`SELECT tenant_id AS found FROM webhooks WHERE id = '${webhookId}'`)
  const [providerId] = await data.column('SELECT id AS found FROM authentication_providers')
  const of = (column: string, table: string, where = '') =>
    data.column(`SELECT ${column} AS found FROM ${table} WHERE tenant_id = '${tenantId}' ${where} LIMIT 1000`)
  return {
    webhookId,
    providerId: String(providerId),
    users: await of('id', 'users'),
    credentials: await of('credential_id', 'status_entries', 'AND credential_id IS NOT NULL'),
    offers: await of('id', 'offers'),
    requests: await of('request_id', 'events'),
    events: await of('id', 'events'),
    client: String((await of('client_id', 'events', 'AND client_id IS NOT NULL'))[0]),
  }
}

function userPages(at: number, { users }: Samples): Page[] {
  return [
    { name: 'users, first page', next: () => get('/v1/users') },
    { name: 'users, in the middle', next: () => get(`/v1/users?cursor=${cursor(anyTime(at))}`) },
    { name: 'users, last page', next: () => get(`/v1/users?cursor=${cursor(at - 300_000)}`) },
    { name: 'a user', next: () => get(`/v1/users/${anyOf(users)}`) },
    { name: 'credentials of a user', next: () => get(`/v1/users/${anyOf(users)}/credentials`) },
  ]
}

function deliveryPages(at: number, { webhookId, credentials, offers }: Samples): Page[] {
  const deliveries = (query: string) => get(`/v1/webhooks/${webhookId}/deliveries?${query}`)
  const middle = () => `cursor=${cursor(anyTime(at, 29))}`
  return [
    { name: 'deliveries, first page', next: () => deliveries('') },
    { name: 'deliveries, in the middle', next: () => deliveries(middle()) },
    { name: 'deliveries, last page', next: () => deliveries(`cursor=${cursor(at - 60_000)}`) },
    { name: 'deliveries, delivered', next: () => deliveries(`state=delivered&${middle()}`) },
    { name: 'deliveries, failed', next: () => deliveries(`state=failed&${middle()}`) },
    { name: 'deliveries, pending', next: () => deliveries('state=pending') },
    { name: 'webhooks', next: () => get('/v1/webhooks') },
    { name: 'timeline of an offer', next: () => get(`/v1/openid/offers/${anyOf(offers)}/timeline`) },
    {
      name: 'status of a credential',
      next: () => get(`/v2/credentials/compact/${anyOf(credentials)}/revocation-status`),
    },
    { name: 'revocation lists', next: () => get('/v2/credentials/compact/revocation-lists') },
  ]
}
