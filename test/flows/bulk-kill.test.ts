import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { type Processes, type ProcessName, startProcesses } from '../harness/processes.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { bulkFields, csvFile, uploadTo } from '../harness/uploads.ts'

const path = '/v1/bulk-issuances'
/** BULK_KILL_ROWS sets the number of rows, and BULK_KILLS how often a process is killed. */
const count = Number(process.env.BULK_KILL_ROWS ?? 6_000)
const kills = Number(process.env.BULK_KILLS ?? 4)
const victims: ProcessName[] = ['signing', 'worker']

let service: Processes
beforeAll(async () => {
  service = await startProcesses()
})
afterAll(() => service?.[Symbol.asyncDispose]())

test('a bulk issuance whose workers are killed gives each valid row one credential and names each wrong row', async () => {
  onTestFailed(() => console.error(service.troubles().slice(-20_000)))
  const random = seededRandom()
  const { operator } = service.tenant
  const configurationId = await compactConfiguration(service.tenant, { revocable: true })
  const lines = Array.from({ length: count }, (_, at) => `${at + 1},${at % 100 === 99 ? '' : `Person ${at + 1}`}`)
  const file = csvFile(`number,given_name\n${lines.join('\n')}\n`)
  const { status, body: made } = await uploadTo(operator, path, ['file', file], ...bulkFields(configurationId))
  expect(status).toBe(202)
  const get = async () => (await operator.get(`${path}/${made.id}`)).body
  const states = new Set<string>()
  for (let killed = 0; killed < kills; killed++) {
    await sleep(300 + random() * 1_500)
    states.add((await get()).state)
    const victim = victims[killed % victims.length]!
    await service.kill(victim)
    await service.start(victim)
  }
  expect([...states].some((state) => state === 'validating' || state === 'running')).toBe(true)
  const bulk = await eventually(async () => {
    const now = await get()
    return now.state === 'done' && now
  }, 120_000)
  const invalid = count / 100
  expect(bulk).toMatchObject({ total: count, valid: count - invalid, invalid, done: count - invalid, failed: 0 })
  const wrong = (await operator.get(`${path}/${made.id}/rows?state=invalid&limit=1000`)).body.data
  expect(wrong.map(({ row }: { row: number }) => row)).toEqual(
    Array.from({ length: invalid }, (_, at) => (at + 1) * 100).slice(0, 1_000),
  )
  const answer = await operator.get(`${path}/${made.id}/results`, { accept: 'text/csv' })
  const results = String(answer.body)
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([row, externalId, credentialId]) => ({ row, externalId, credentialId }))
  expect(results).toHaveLength(count - invalid)
  expect(new Set(results.map(({ credentialId }) => credentialId)).size).toBe(count - invalid)
  expect(results.every(({ row, externalId }) => row === externalId && Number(row) % 100 !== 0)).toBe(true)
}, 240_000)
