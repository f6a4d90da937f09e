import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, startChild } from './child.ts'
import { type CpuTimes, cpuSpent, cpuTimes } from './cpu.ts'
import { type BenchData, openData } from './data.ts'
import { createDrain, type Drain } from './drained.ts'
import type { DriverJob, DriverResult, Target } from './driver-jobs.ts'
import { createLane, type Lane } from './lane.ts'
import type { Stack } from './stack.ts'

/** A running service with a load driver, a webhook to a sink, and two compact configurations. */
export interface Bench {
  stack: Stack
  target: Target
  configurationId: string
  /** The same configuration with revocable credentials. */
  revocableId: string
  webhookId: string
  drain: Drain
  data: BenchData
  drive(job: DriverJob): Promise<DriverResult>
  /** Runs the work, waits until no work is left, and returns the cost. */
  measure<Value>(work: () => Promise<Value>, webhooksOf?: (value: Value) => number): Promise<Measured<Value>>
  close(): Promise<void>
}

export interface Measured<Value> {
  value: Value
  cpu: CpuTimes
  /** Seconds until all work is done. */
  seconds: number
  /** Microseconds on the monotonic clock, as in V8's profiles. */
  from: number
  to: number
}

export interface LoadOptions {
  /** Without it, flows send no webhooks. Default: true. */
  webhook?: boolean
  /** The time after the work that belongs to its cost, such as that of an export. */
  settleMs?: number | undefined
  /** Whether wallets collect through a view of the tenant. Default: false. */
  isThroughView?: boolean | undefined
}

export async function createBench(
  stack: Stack,
  { webhook: hasWebhook = true, settleMs = 0, isThroughView = false }: LoadOptions = {},
): Promise<Bench> {
  const sink = await startChild('./sink.ts')
  const driver = await startChild('./driver.ts')
  await using lane = createLane(stack.origin)
  const token = await tokenOf(lane, stack)
  const webhook = { events: ['OpenIdCredentialIssued'], url: `http://127.0.0.1:${sink.greeting}/hook` }
  const { id: webhookId } = await lane.call('POST', '/v1/webhooks', webhook, { token })
  if (!hasWebhook) await lane.call('PUT', `/v1/webhooks/${webhookId}`, { ...webhook, disabled: true }, { token })
  const configure = async (body: typeof configuration & { revocable?: boolean }): Promise<string> =>
    (await lane.call('POST', '/v2/credentials/compact/configurations', body, { token })).id
  const configurationId = await configure(configuration)
  const revocableId = await configure({ ...configuration, type: 'RevocableCredential', revocable: true })
  const provider = await startChild('./identity-provider.ts')
  await lane.call('POST', '/v1/users/authentication-providers', providerAt(String(provider.greeting)), { token })
  const view = isThroughView ? await lane.call('POST', '/v1/views', viewOfAll, { token }) : undefined
  const data = await openData(stack.databaseUrl, webhookId)
  const drain = createDrain(stack, sink, data)
  return {
    stack,
    target: { origin: stack.origin, issuer: stack.issuer, token, ...(view && { issuer: view.issuer, view: view.id }) },
    configurationId,
    revocableId,
    webhookId,
    drain,
    data,
    drive: (job) => drive(driver, job),
    async measure(work, webhooksOf = () => 0) {
      const before = cpuTimes(stack.pids)
      const from = microseconds()
      const value = await work()
      await drain.wait(hasWebhook ? webhooksOf(value) : 0)
      if (settleMs > 0) await sleep(settleMs)
      const to = microseconds()
      return { value, cpu: cpuSpent(before, cpuTimes(stack.pids)), seconds: (to - from) / 1e6, from, to }
    },
    async close() {
      await drain.close()
      await data.close()
      sink.stop()
      provider.stop()
      driver.stop()
    },
  }
}

/** The compact configuration of the measured flows. */
export const configuration = {
  type: 'BenchCredential',
  claimMappings: {
    given_name: { mapFrom: 'claims.given_name', required: true },
    family_name: { mapFrom: 'claims.family_name', required: true },
    birth_date: { mapFrom: 'claims.birth_date' },
    level: { mapFrom: 'claims.level', defaultValue: 'B1' },
  },
  expiresIn: { years: 1 },
}

/** A view with the configurations and the protocol profile of the tenant. */
const viewOfAll = { name: 'All', path: 'all', profile: 'standard', configurations: { profiles: ['compact'] } }

function providerAt(url: string) {
  const claimsToPersist = ['given_name', 'family_name', 'birth_date']
  return { url, scope: ['openid'], clientId: 'bench', clientSecret: 'bench-secret', claimsToPersist }
}

/** Returns an access token of a management client. */
export async function tokenOf(
  lane: Lane,
  { clientId, clientSecret }: Pick<Stack, 'clientId' | 'clientSecret'>,
): Promise<string> {
  const request = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }
  return (await lane.call('POST', '/oauth/token', request)).access_token
}

/** Runs a job in a process of driver.ts. */
export async function drive(driver: Child, job: DriverJob): Promise<DriverResult> {
  // Boundary: the answer of driver.ts.
  const answer = (await driver.request(job)) as { result?: DriverResult; error?: string }
  if (!answer.result) throw new Error(answer.error)
  return answer.result
}

function microseconds(): number {
  return Number(process.hrtime.bigint() / 1000n)
}
