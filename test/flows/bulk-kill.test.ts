import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually, tokenOf } from '../harness/harness.ts'
import { pagesOf } from '../harness/pages.ts'
import { type Processes, type ProcessName, startProcesses } from '../harness/processes.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { bulkFields, csvFile, uploadTo } from '../harness/uploads.ts'

const path = '/v1/bulk-issuances'
/**
 * BULK_KILL_ROWS sets the number of rows (a multiple of 100), BULK_KILLS how often a process is killed, and BULK_KILL_PAUSE_MS the mean
 * time between two kills. A million rows: `BULK_KILL_ROWS=1000000 BULK_KILLS=20 BULK_KILL_PAUSE_MS=30000`.
 */
const count = Number(process.env.BULK_KILL_ROWS ?? 6_000)
const kills = Number(process.env.BULK_KILLS ?? 4)
const meanPauseMs = Number(process.env.BULK_KILL_PAUSE_MS ?? 1_000)
/** Whether the memory of the processes is measured. A short run has none to speak of. */
const isLong = count >= 100_000
const maxMs = 240_000 + count * 4
const names: ProcessName[] = ['web', 'signing', 'worker']

let service: Processes
beforeAll(async () => {
  service = await startProcesses({}, { variant: isLong ? 'procfile' : 'bundle' })
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** BULK_KILL_MODES sets the modes. */
const modes = (process.env.BULK_KILL_MODES ?? 'sign,links').split(',')

test.each(modes)(
  'a bulk issuance whose processes are killed gives each valid row one result, and names each wrong row: %s',
  async (mode) => {
    onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
    const random = seededRandom()
    const { operator } = service.tenant
    const configurationId = await compactConfiguration(service.tenant, { revocable: true })
    const memory = watchMemory()
    const lines = Array.from({ length: count }, (_, at) => `${at + 1},${at % 100 === 99 ? '' : `Person ${at + 1}`}`)
    const file = csvFile(`number,given_name\n${lines.join('\n')}\n`)
    const startedAt = performance.now()
    const { status, body: made } = await uploadTo(
      operator,
      path,
      ['file', file],
      ...bulkFields(configurationId, { mode }),
    )
    expect(status).toBe(202)
    const get = async () => (await operator.get(`${path}/${made.id}`)).body
    const states = new Map<string, number>()
    async function see(): Promise<{ state: string; links?: object }> {
      const bulk = await get()
      if (!states.has(bulk.state)) states.set(bulk.state, Math.round((performance.now() - startedAt) / 1_000))
      return bulk
    }
    const killed: string[] = []
    // The first kill is at once, because a fast machine issues all rows within a pause.
    while (killed.length < kills) {
      await see()
      const victim = names[Math.floor(random() * names.length)]!
      await service.kill(victim)
      await service.start(victim)
      killed.push(victim)
      await sleep(meanPauseMs * (0.3 + random() * 1.4))
    }
    expect(states.has('validating') || states.has('running')).toBe(true)
    const bulk = await eventually(async () => {
      const now = await see()
      return now.state === 'done' && now
    }, maxMs)
    const seconds = (performance.now() - startedAt) / 1_000
    memory.stop()
    const invalid = count / 100
    expect(bulk).toMatchObject({ total: count, valid: count - invalid, invalid, done: count - invalid, failed: 0 })
    const wrong = (
      await pagesOf<Record<string, unknown>>(operator, `${path}/${made.id}/rows?state=invalid&limit=1000`)
    ).flat()
    expect(wrong.map(({ row, column, code }) => [row, column, code])).toEqual(
      Array.from({ length: invalid }, (_, at) => [(at + 1) * 100, 'given_name', 'missing_claim']),
    )
    await expectEachOnce(`${path}/${made.id}/results`, mode === 'links' ? 'link' : 'credentialId')
    const inLinks = { open: count - invalid, opened: 0, collected: 0, expired: 0, revoked: 0 }
    expect(bulk.links).toEqual(mode === 'links' ? inLinks : undefined)
    if (!isLong) return
    const rate = Math.round(count / seconds)
    console.log(`${count} rows in ${Math.round(seconds)} s, ${rate} rows/s, killed: ${killed.join(', ')}`)
    console.log(`seconds until each state: ${JSON.stringify(Object.fromEntries(states))}`)
    console.log(`largest memory in MB: ${JSON.stringify(memory.resident())}`)
    console.log(`largest growth of memory in MB: ${JSON.stringify(memory.growth())}`)
    for (const megabytes of Object.values(memory.growth())) expect(megabytes).toBeLessThan(100)
  },
  maxMs * 2,
)

/** Reads the results as a stream. Each valid row has one line, and no two lines have the same result in the third column. */
async function expectEachOnce(url: string, column: 'credentialId' | 'link'): Promise<void> {
  const { host, clientId, clientSecret } = service.tenant
  const authorization = `Bearer ${await tokenOf(service.origin, host, clientId, clientSecret)}`
  const headers = { host, authorization, accept: 'text/csv' }
  const answer = await request(`${service.origin}${url}`, { headers, bodyTimeout: 0 })
  const seen = new Uint8Array(count + 1)
  const distinct = new Set<string>()
  let results = 0
  for await (const line of createInterface({ input: answer.body })) {
    const [row = '', externalId, result = ''] = line.split(',', 3)
    if (row === 'row') {
      expect(result).toBe(column)
      continue
    }
    expect(externalId).toBe(row)
    seen[Number(row)]!++
    distinct.add(result)
    results++
  }
  const valid = count - count / 100
  expect([results, distinct.size, seen.filter((times) => times === 1).length]).toEqual([valid, valid, valid])
  expect(seen.some((times, row) => times > 0 && row % 100 === 0)).toBe(false)
}

/** Measures how much the memory of each process grows after its first 30 s, in which it loads and compiles its code. */
function watchMemory() {
  const atStart = new Map<ProcessName, { pid: number | undefined; bytes: number; since: number }>()
  const largest: Partial<Record<ProcessName, number>> = {}
  const resident: Partial<Record<ProcessName, number>> = {}
  const settledMs = 30_000
  function look(): void {
    for (const name of names) {
      const { pid, bytes } = service.memoryOf(name)
      if (bytes === undefined) continue
      resident[name] = Math.max(resident[name] ?? 0, Math.round(bytes / 1e6))
      const before = atStart.get(name)
      // A restarted process is measured from its own start.
      if (before?.pid !== pid) atStart.set(name, { pid, bytes, since: performance.now() })
      else if (performance.now() - before!.since < settledMs) before!.bytes = Math.max(before!.bytes, bytes)
      else largest[name] = Math.max(largest[name] ?? 0, Math.round((bytes - before!.bytes) / 1e6))
    }
  }
  const timer = setInterval(look, 500)
  return { stop: () => clearInterval(timer), growth: () => largest, resident: () => resident }
}
