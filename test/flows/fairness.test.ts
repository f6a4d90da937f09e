import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration, newOffer, webConfiguration } from '../factories.ts'
import { type Processes, startProcesses } from '../processes.ts'
import { type HolderKeyPair, makeProof, newHolderKey, newWallet, type Wallet } from '../wallet.ts'

const deadlineMs = 1_000
/** On a machine that does much else. */
const slackMs = 1_000

let service: Processes
let key: HolderKeyPair
beforeAll(async () => {
  key = await newHolderKey()
  service = await startProcesses({ CREDENTIAL_DEADLINE_MS: String(deadlineMs) })
}, 60_000)
afterAll(() => service?.[Symbol.asyncDispose]())

type Tenant = Processes['tenant']

/** A wallet that has everything but its credential. */
async function readyWallet(tenant: Tenant, configurationId: string, claims: object): Promise<Wallet> {
  const { uri } = await newOffer(tenant, [configurationId], { claims })
  const wallet = await newWallet(tenant, service.origin, uri, key)
  await wallet.redeem()
  return wallet
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const startedAt = performance.now()
  const result = await work()
  return { result, ms: performance.now() - startedAt }
}

test('a rush is answered by the deadline, with a credential or the word that there was no time', async () => {
  const { tenant } = service
  const configurationId = await compactConfiguration(tenant)
  const wallets = await Promise.all(
    Array.from({ length: 330 }, () => readyWallet(tenant, configurationId, { given_name: 'Ada' })),
  )
  const requests = await Promise.all(wallets.map(async (wallet) => ({ wallet, jwt: [await wallet.proof()] })))
  const answers = await Promise.all(
    requests.map(({ wallet, jwt }) => timed(() => wallet.requestCredential({ proofs: { jwt } }))),
  )
  const late = answers.filter(({ ms }) => ms > deadlineMs + slackMs)
  expect(late.map(({ ms }) => Math.round(ms))).toEqual([])
  expect(new Set(answers.map(({ result }) => result.status))).not.toContain(500)
  if (process.env.FAIRNESS_REPORT) {
    const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b)
    const served = answers.filter(({ result }) => result.status === 200).length
    console.log({ served, of: answers.length, p50: sorted[165], worst: sorted.at(-1) })
  }
}, 60_000)

test("what one tenant's wallets ask of the signing process is not what another's wait for", async () => {
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
  const rush = Promise.all(
    heavyWallets.map((wallet, at) => wallet.requestCredential({ proofs: { jwt: heavyRequests[at] } })),
  ).then(() => {
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
  await rush
  if (process.env.FAIRNESS_REPORT) console.log({ waits: waits.map(Math.round) })
  // Alone it takes some 20 ms; behind all of the other's it took 8 s.
  expect(Math.max(...waits)).toBeLessThan(deadlineMs)
}, 60_000)
