import { randomBytes } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { is, ne } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { dialect } from '../../db/columns.ts'
import * as schema from '../../db/schema.ts'
import { authorizations } from '../../db/tables/issuance/authorizations.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { newId } from '../../shared/ids.ts'
import { newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually, type TestTenant } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { type Receiver, startReceiver } from '../servers/receiver.ts'
import { newWallet } from '../wallets/wallet.ts'

/** The time from the answer to the deletion until nothing is left. A job looks for late data once more after two minutes. */
const maxErasureMs = 60_000

/** A unique mark with which values of claims begin. */
const mark = `canary${randomBytes(6).toString('hex')}`
let service: Processes
let tenant: TestTenant
let register: Receiver
let receiver: Receiver
let broken: Receiver

beforeAll(async () => {
  service = await startProcesses({ CREDENTIAL_DEADLINE_MS: '8000', LOG_LEVEL: 'debug' })
  tenant = await service.addTenant({ deferredIssuance: 'whenSlow' })
  register = await startReceiver(() => ({ body: JSON.stringify({ grade: `${mark} source` }) }))
  receiver = await startReceiver(() => ({ body: `thanks for ${mark} delivered` }))
  broken = await startReceiver(() => ({ status: 500, body: `no use for ${mark} failed` }))
})
afterAll(async () => {
  for (const each of [service, register, receiver, broken]) await each?.[Symbol.asyncDispose]()
})

/** The mark in plain text, and in base64 at each offset. */
const spellings = [
  mark,
  ...[0, 1, 2].map((before) =>
    Buffer.from('x'.repeat(before) + mark)
      .toString('base64url')
      .slice(before + 1, -3),
  ),
]
const marksIn = (bytes: Buffer) => spellings.filter((spelling) => bytes.includes(spelling))

/** Files of the database on SQLite (main, log and index) and of Redis, if it has the queues, whose log has all its commands. */
function markedFiles(): string[] {
  const files = globSync('**/*', { cwd: service.dir }).filter((file) => statSync(join(service.dir, file)).isFile())
  if (dialect === 'sqlite') expect(files).toContain('test.db')
  expect(files.some((file) => file.endsWith('.aof'))).toBe(service.config.queueIn === 'redis')
  return files.filter((file) => marksIn(readFileSync(join(service.dir, file))).length > 0)
}

// Boundary: both dialects' tables are PostgreSQL's to the type checker.
const tables = Object.values(schema).filter((each: unknown) => is(each, PgTable) || is(each, SQLiteTable)) as PgTable[]

async function markedRows(): Promise<string[]> {
  const rows: string[] = []
  for (const table of tables)
    for (const row of await service.db.read.select().from(table)) rows.push(JSON.stringify(row))
  return rows.filter((row) => marksIn(Buffer.from(row)).length > 0)
}

async function untilHeld(...values: string[]): Promise<void> {
  await eventually(async () => {
    const held = (await markedRows()).join()
    return values.every((each) => held.includes(`${mark} ${each}`))
  })
}

/** Everything that takes claims of a person takes some: what is issued, deferred, offered, delivered and refused. */
async function userWithEverything(): Promise<string> {
  const { operator } = tenant
  for (const { url } of [receiver, broken]) {
    const webhook = { events: ['OpenIdCredentialIssued'], url }
    expect(await operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
  }
  const authorization = { type: 'api-key', value: 'key' }
  const source = await operator.post('/v1/claim-sources', { name: 'Register', url: register.url, authorization })
  const claimMappings = Object.fromEntries(
    ['given_name', 'family_name', 'grade', 'photo'].map((name) => [name, { mapFrom: `claims.${name}` }]),
  )
  const configuration = await webConfiguration(tenant, { claimMappings, claimSourceId: source.body.id, persist: true })
  const user = await operator.post('/v1/users', { claims: { family_name: `${mark} before` } })
  const userId = user.body.id
  const photo = `${mark} photo`.repeat(2_000)
  expect(await operator.put(`/v1/users/${userId}`, { claims: { family_name: `${mark} user`, photo } })).toMatchObject({
    status: 200,
  })
  const claims = { given_name: `${mark} offer` }
  const offer = (extra: object = {}) => newOffer(tenant, [configuration], { userId, claims, ...extra })
  const issued = await newWallet(tenant, service.origin, (await offer({ claimsToPersist: ['given_name'] })).uri)
  expect(await issued.collect()).toMatchObject({ status: 200 })
  await untilHeld('delivered', 'failed')
  await offer({ by: 'reference' })

  const deferred = await newWallet(tenant, service.origin, (await offer()).uri)
  await deferred.redeem()
  await service.kill('signing')
  expect(await deferred.requestCredential()).toMatchObject({ status: 202 })
  await service.db.tx(async (tx) => void (await tx.insert(authorizations).values(interactionOf(userId))))
  return userId
}

/** A person who returned from the operator's component with claims. */
function interactionOf(userId: string) {
  const id = newId()
  const nothing = { registrationId: null, clientState: null, dpopJkt: null, instanceJkt: null, offerId: null }
  const step = { stepHash: null, sealedLogin: null, codeHash: null, codeChallenge: '', redirectUri: '' }
  const lasts = { expiresAt: new Date(Date.now() + 600_000), createdAt: new Date() }
  const request = { clientId: 'wallet', configurationIds: [], detailsRequested: false, requestParameters: {} }
  const hookClaims = { nickname: `${mark} hook` }
  return {
    id,
    tenantId: tenant.id,
    state: 'granted' as const,
    userId,
    hookClaims,
    ...request,
    ...nothing,
    ...step,
    ...lasts,
  }
}

test('seconds after the deletion of a user no file, row or log contains a claim of that user', async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-10_000)))
  const userId = await userWithEverything()
  await untilHeld('user', 'photo', 'offer', 'source', 'hook', 'delivered', 'failed')
  if (dialect === 'sqlite') expect(markedFiles()).not.toEqual([])

  expect(await tenant.operator.delete(`/v1/users/${userId}`)).toMatchObject({ status: 204 })
  expect(await markedRows()).toEqual([])
  await eventually(async () => markedFiles().length === 0, maxErasureMs)
  // What was under way when the user went brings nothing back.
  await service.start('signing')
  const queue = service.bus.queue('signing')
  await eventually(async () => Object.values(await queue.getJobCounts('waiting', 'active')).every((jobs) => jobs === 0))
  // The jobs of another tenant come after them, and write last.
  const other = await service.addTenant()
  const { uri } = await newOffer(other, [await webConfiguration(other)])
  expect(await (await newWallet(other, service.origin, uri)).collect()).toMatchObject({ status: 200 })
  await eventually(async () => (await service.db.read.$count(outbox, ne(outbox.job, 'finishErasure'))) === 0)
  expect(await markedRows()).toEqual([])
  expect(markedFiles()).toEqual([])
  expect(marksIn(Buffer.from(service.output()))).toEqual([])
})
