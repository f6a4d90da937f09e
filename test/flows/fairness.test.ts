import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Client } from 'undici'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { compactConfiguration, newOffer, webConfiguration } from '../harness/factories.ts'
import { tokenOf } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { sign } from '../harness/signing.ts'
import { persist } from '../wallets/persistent-wallet.ts'
import { type HolderKeyPair, makeProof, newHolderKey, newWallet, type Wallet } from '../wallets/wallet.ts'

let service: Processes
let key: HolderKeyPair
beforeAll(async () => {
  key = await newHolderKey()
  // Longer than a request takes on any machine.
  service = await startProcesses({ CREDENTIAL_DEADLINE_MS: '60000' })
})
afterAll(() => service?.[Symbol.asyncDispose]())

type Tenant = Processes['tenant']

/** A wallet that has everything but its credential. */
async function readyWallet(
  tenant: Tenant,
  configurationId: string,
  claims: object,
  { origin } = service,
): Promise<Wallet> {
  const { uri } = await newOffer(tenant, [configurationId], { claims })
  const wallet = await newWallet(tenant, origin, uri, key)
  await wallet.redeem()
  return wallet
}

/** Counts the requests that this process has sent since the call, until the test ends. */
function countSent(): () => number {
  let sent = 0
  const count = () => sent++
  subscribe('undici:client:sendHeaders', count)
  onTestFinished(() => void unsubscribe('undici:client:sendHeaders', count))
  return () => sent
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const startedAt = performance.now()
  const result = await work()
  return { result, ms: performance.now() - startedAt }
}

// On PostgreSQL, kill.test.ts has a signing process that does not answer.
test('requests during a stop of the signing process are answered by the deadline and can be repeated', {
  tags: 'once',
}, async () => {
  const deadlineMs = 8_000
  await using short = await startProcesses({ CREDENTIAL_DEADLINE_MS: String(deadlineMs) })
  const [tenant, other] = [short.tenant, await short.addTenant()]
  const readyWallets = async (of: Tenant, length: number) => {
    const configurationId = await compactConfiguration(of)
    const claims = { given_name: 'Ada' }
    return Promise.all(Array.from({ length }, () => readyWallet(of, configurationId, claims, short)))
  }
  const withProof = async (wallet: Wallet) => ({ wallet, jwt: [await wallet.proof()] })
  const wallets = await readyWallets(tenant, 330)
  const requests = await Promise.all(wallets.map(withProof))
  const [lastWallet] = await readyWallets(other, 1)
  const last = await withProof(lastWallet!)
  /** Lets the web process do what was due before the call. */
  const passes = async () => {
    for (let each = 0; each < 50; each++) await other.operator.get('/v1/users?limit=1')
  }

  let answered = 0
  const request = async ({ wallet, jwt }: typeof last) => {
    const answer = await timed(() => wallet.requestCredential({ proofs: { jwt } }))
    answered++
    return answer
  }
  short.pause('signing')
  const sent = countSent()
  const all = Promise.all(requests.map(request))
  try {
    await expect.poll(sent).toBe(requests.length)
    await passes()
    expect((await request(last)).result.status).toBe(503)
    await passes()
    // A deadline that restarted in the queue, or when the request was forwarded, would end much later than that of the last request.
    expect(answered).toBe(requests.length + 1)
  } finally {
    short.resume('signing')
  }
  const answers = await all
  const sorted = answers.map(({ ms }) => Math.round(ms)).sort((a, b) => a - b)
  if (process.env.FAIRNESS_REPORT) console.log({ first: sorted[0], p50: sorted[165], last: sorted.at(-1) })
  expect(new Set(answers.map(({ result }) => result.status))).toEqual(new Set([503]))
  // Each had its whole time: none was sent away from the line.
  expect(sorted[0]).toBeGreaterThan(0.7 * deadlineMs)
  for (const wallet of wallets.slice(0, 10))
    expect(await persist(() => wallet.requestCredential())).toMatchObject({ status: 200 })
})

/** A wallet behind the requests of another tenant would wait for them, and would be the last one before the rush is over. */
const minAnswered = 4

test('direct signing by operators of one tenant does not delay wallets of another', async () => {
  const [heavy, light] = [service.tenant, await service.addTenant()]
  const courses = Array.from({ length: 950 }, (_, at) => ({ name: `course ${at}` }))
  const lightId = await compactConfiguration(light)
  const wallets: Wallet[] = []
  for (let made = 0; made < 20; made++) wallets.push(await readyWallet(light, lightId, { given_name: 'Ada' }))

  let isOver = false
  const body = { payload: { type: ['Course'], credentialSubject: { courses } } }
  const rush = timed(() => Promise.all(Array.from({ length: 40 }, () => sign(heavy, 'web-semantic', body)))).finally(
    () => {
      isOver = true
    },
  )
  const waits: number[] = []
  for (const wallet of wallets) {
    const jwt = [await wallet.proof()]
    const { result, ms } = await timed(() => wallet.requestCredential({ proofs: { jwt } }))
    expect(result.status).toBe(200)
    waits.push(ms)
    if (isOver) break
  }
  const { ms: rushMs, result } = await rush
  if (process.env.FAIRNESS_REPORT) console.log({ rushMs: Math.round(rushMs), waits: waits.map(Math.round) })
  expect(new Set(result.map(({ status }) => status)).difference(new Set([200, 503]))).toEqual(new Set())
  expect(result.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  expect(waits.length).toBeGreaterThan(minAnswered)
})

test('wallets of one tenant do not delay wallets of another at the signing process', async () => {
  const [heavy, light] = [service.tenant, await service.addTenant()]
  const objects = Array.from({ length: 950 }, (_, at) => ({ name: `course ${at}` }))
  const heavyId = await webConfiguration(heavy, { claimMappings: { courses: { mapFrom: 'claims.courses' } } })
  const lightId = await compactConfiguration(light)
  const heavyWallets = await Promise.all(
    Array.from({ length: 8 }, () => readyWallet(heavy, heavyId, { courses: objects })),
  )
  const keys = await Promise.all(Array.from({ length: 20 }, () => newHolderKey()))
  const heavyRequests = await Promise.all(
    heavyWallets.map(async (wallet) => {
      const nonce = await wallet.nonce()
      return Promise.all(keys.map((each) => makeProof({ issuer: heavy.baseUrl, nonce, key: each })))
    }),
  )
  const lightWallets: Wallet[] = []
  for (let made = 0; made < 40; made++) lightWallets.push(await readyWallet(light, lightId, { given_name: 'Ada' }))

  let isOver = false
  const rush = timed(() =>
    Promise.all(heavyWallets.map((wallet, at) => wallet.requestCredential({ proofs: { jwt: heavyRequests[at] } }))),
  ).finally(() => {
    isOver = true
  })
  const waits: number[] = []
  for (const wallet of lightWallets) {
    const jwt = [await wallet.proof()]
    const { result, ms } = await timed(() => wallet.requestCredential({ proofs: { jwt } }))
    expect(result.status).toBe(200)
    waits.push(ms)
    if (isOver) break
  }
  const { ms: rushMs } = await rush
  if (process.env.FAIRNESS_REPORT) console.log({ rushMs: Math.round(rushMs), waits: waits.map(Math.round) })
  expect(waits.length).toBeGreaterThan(minAnswered)
})

/** Calls at a host with a token of its tenant, on a connection that is open. */
async function connect({ host, clientId, clientSecret }: Tenant, token?: string) {
  const authorization = `Bearer ${token ?? (await tokenOf(service.origin, host, clientId, clientSecret))}`
  const client = new Client(service.origin)
  const call = async (method: 'GET' | 'POST') => {
    const body = method === 'POST' ? JSON.stringify({ claims: { given_name: 'Ada' } }) : null
    const headers = { host, authorization, 'content-type': 'application/json' }
    const answer = await client.request({ method, path: '/v1/users', headers, body })
    await answer.body.dump()
    return answer.statusCode
  }
  await call('GET')
  return { call, close: () => client.close() }
}

test.each([
  ['GET', 200],
  ['POST', 201],
] as const)(
  'a %s of a tenant that comes after 320 of another tenant is answered before most of them',
  async (method, status) => {
    const [heavy, light] = [service.tenant, await service.addTenant()]
    const token = await tokenOf(service.origin, heavy.host, heavy.clientId, heavy.clientSecret)
    const clients = await Promise.all(Array.from({ length: 320 }, () => connect(heavy, token)))
    const last = await connect(light)
    const order: string[] = []
    const ask = async (name: string, { call }: typeof last) => {
      const answer = await call(method)
      order.push(name)
      return answer
    }

    const sent = countSent()
    service.pause('web')
    const answers = clients.map((client) => ask('heavy', client))
    answers.push(ask('light', last))
    await expect.poll(sent).toBe(clients.length + 1)
    service.resume('web')
    expect(new Set(await Promise.all(answers))).toEqual(new Set([status]))
    if (process.env.FAIRNESS_REPORT) console.log({ method, before: order.indexOf('light') })
    // Two passes of the event loop admit 64; the others waited when it came.
    expect(order.indexOf('light')).toBeLessThan(110)
    await Promise.all([last, ...clients].map(({ close }) => close()))
  },
)
