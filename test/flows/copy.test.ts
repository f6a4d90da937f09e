import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { request } from 'undici'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { systemClock } from '../../shared/clock.ts'
import { createCommands } from '../harness/commands.ts'
import { newDatabase } from '../harness/database.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, type Service } from '../harness/harness.ts'
import { createOneOfEach, type Things } from '../harness/one-of-each.ts'
import { type Processes, type ProcessName, startProcesses } from '../harness/processes.ts'
import { firstContent } from '../harness/revocable.ts'
import {
  type DidDocument,
  fetchDidDocument,
  readBits,
  verifyCwt,
  verifyCwtBytes,
} from '../verifiers/outside-verifiers.ts'
import { newWallet } from '../wallets/wallet.ts'

const processes: ProcessName[] = ['web', 'signing', 'worker']
const dir = mkdtempSync(join(tmpdir(), 'trustwright-moved-'))
const commands = createCommands({ DATA_DIR: dir })

let service: Processes
let did: DidDocument
let configurationId: string
let things: Things
beforeAll(async () => {
  service = await startProcesses()
  did = await fetchDidDocument(service.tenant.anonymous)
  configurationId = await compactConfiguration(service.tenant, { revocable: true })
  const { db, bus, secrets, tenant } = service
  // Boundary: the factories use no other members of the service in this process.
  const asService = {
    ...tenant,
    clock: systemClock,
    deps: { db, bus, secrets, clock: systemClock },
  } as unknown as Service
  things = await createOneOfEach(asService, tenant)
})
afterAll(async () => {
  commands.end()
  await service?.[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true, force: true })
})

test('the service goes on issuing and revoking with the same keys on a copy in SQLite, and on the copy of it in PostgreSQL', {
  tags: 'postgres',
}, async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
  const back = await newDatabase(dir)
  const urls = [service.databaseUrl, `file:${join(dir, 'moved.db')}`, back.url]
  const held = [await collect()]
  await service.bus.close() // without Redis it opens a connection to the database again
  for (const [index, to] of urls.entries()) {
    const from = urls[index - 1]
    if (from === undefined) continue
    const offer = await newOffer(service.tenant, [configurationId])
    const running = await commands.run(`db/cli/copy.ts ${to}`, { DATABASE_URL: from })
    expect(running).toMatchObject({ code: 1, stderr: expect.stringContaining('Stop the service') })

    await Promise.all(processes.map((name) => service.stop(name)))
    await endSessions(from)
    const copied = await commands.run(`db/cli/copy.ts ${to}`, { DATABASE_URL: from })
    expect(copied).toMatchObject({ code: 0, stderr: '' })
    await Promise.all(processes.map((name) => service.start(name, { DATABASE_URL: to })))

    held.push(await collect(offer.uri), await collect())
    for (const { credentialId, ...place } of held.splice(0, 2)) {
      const path = `/v2/credentials/compact/${credentialId}/revocation-status`
      expect(await service.tenant.operator.post(path, { isRevoked: true })).toMatchObject({ status: 200 })
      await eventually(async () => (await revokedIn(place)).includes(place.index))
    }
    for (const path of ['/v1/webhooks', '/v1/claim-sources', '/v2/credentials/mobile/iacas'])
      expect((await service.tenant.operator.get(path)).body.data.length, path).toBeGreaterThan(0)
    const ecosystem = await service.tenant.operator.get(`/v1/ecosystems/${things.get('/v1/ecosystems/:')}`)
    expect(ecosystem).toMatchObject({ status: 200 })
  }
  await Promise.all(processes.map((name) => service.stop(name)))
  expect(await commands.run('db/cli/verify-audit.ts', { DATABASE_URL: back.url })).toMatchObject({ code: 0 })
  await back.drop()
})

interface Held {
  credentialId: string
  /** The path of the status list. */
  list: string
  index: number
}

/** Collects a credential, by default of a new offer, and verifies it with the keys of before. */
async function collect(uri?: string): Promise<Held> {
  const offerUri = uri ?? (await newOffer(service.tenant, [configurationId])).uri
  const wallet = await newWallet(service.tenant, service.origin, offerUri)
  const { status, body } = await wallet.collect()
  expect(status, JSON.stringify(body)).toBe(200)
  const { claims } = verifyCwt(body.credentials[0].credential, did)
  const entry = claims.get(-65537) as Map<number, unknown>
  const id = Buffer.from(claims.get(7) as Uint8Array).toString('hex')
  return {
    credentialId: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    list: new URL(String(entry.get(3))).pathname,
    index: Number(entry.get(2)),
  }
}

/** Returns the indexes of the revoked credentials of a published list. */
async function revokedIn({ list }: Pick<Held, 'list'>): Promise<number[]> {
  const { statusCode, body } = await request(`${service.origin}${list}`, { headers: { host: service.tenant.host } })
  const content = Buffer.from(await body.arrayBuffer())
  expect(statusCode, `${list}: ${content}`).toBe(200)
  // The list of a factory, until it is published for the first time.
  if (content.equals(firstContent)) return []
  return readBits(verifyCwtBytes(content, did).claims.get(-65538)).positions
}

/** Ends the connections of this test to a database. */
async function endSessions(url: string): Promise<void> {
  if (!url.startsWith('postgres')) return
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  const database = new URL(url).pathname.slice(1)
  await client.query('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1', [database])
  await client.end()
}
