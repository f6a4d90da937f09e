import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findEcosystem } from '../../db/repos/ecosystems/ecosystems.ts'
import { findTrustedListRow, insertTrustedList } from '../../db/repos/ecosystems/trusted-lists.ts'
import { ecosystems } from '../../db/tables/ecosystems/ecosystems.ts'
import { participants } from '../../db/tables/ecosystems/participants.ts'
import { trustedLists } from '../../db/tables/ecosystems/trusted-lists.ts'
import { plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { numberSignAndPublish, publishTrustedList } from '../../workers/signing/trusted-lists/publish-trusted-list.ts'
import { bytesAt, newEcosystem, newListed, newType } from '../api/ecosystems/factories.ts'
import { newEcosystemCa } from '../certificates/hierarchy.ts'
import { type Statement, writingBetweenReads } from '../harness/between-reads.ts'
import { type Service, startService } from '../harness/harness.ts'
import { signingDeps } from '../harness/published.ts'
import { parseTrustedList } from '../harness/trusted-list.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing', 'signing-bulk'] })
})
afterAll(() => service[Symbol.asyncDispose]())

/** A list that is to be published, with one issuer to list. */
async function newPublication() {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  const [, , , ecosystemId = ''] = path.split('/')
  await newEcosystemCa(tenant)
  await tenant.operator.put(`${path}/vicals/configuration`, { vicalProvider: 'First' })
  const credentialId = await newType(tenant, path, { profile: 'mobile', type: 'org.iso.18013.5.1.mDL' })
  await newListed(tenant, path, 'issuer', { credentialId })
  const { db } = service.deps
  const row = { id: newId(), tenantId: tenant.id, ecosystemId, kind: 'vical', isAutoPublished: false } as const
  await db.tx((tx) => insertTrustedList(tx, { ...row, createdAt: service.clock.now() }))
  /** Publishes it; before each transaction something happens, which may be more than there are. */
  const publishWhile = async (happens: (() => Promise<unknown>)[]) => {
    let transactions = 0
    const tx: typeof db.tx = async (work) => {
      await happens[transactions++]?.()
      return db.tx(work)
    }
    // The signer is there: all transactions are those of the list.
    await publishTrustedList(signingDeps(service, { db: { ...db, tx } }), { tenantId: tenant.id, listId: row.id })
    return transactions
  }
  const published = async () =>
    parseTrustedList((await bytesAt(service, tenant, `${path}/vicals/public/latest`)).bytes, 'vical')
  await tenant.operator.post(`${path}/vicals`)
  return { tenant, path, row, ecosystemId, credentialId, publishWhile, published }
}

const another = ({ tenant, path, credentialId }: Awaited<ReturnType<typeof newPublication>>) =>
  newListed(tenant, path, 'issuer', { name: 'Another', credentialId })

test('a list contains all changes since its draft, however often the ecosystem changes', async () => {
  const publication = await newPublication()
  const { publishWhile, published } = publication
  const change = () => another(publication)
  expect(await publishWhile([change, change])).toBe(3)
  const list = await published()
  expect(list.number).toBe(2)
  expect(list.entries).toHaveLength(3)
})

test('a list of an ecosystem that changes all the time has the state of its fourth draft', async () => {
  const publication = await newPublication()
  const { tenant, path, publishWhile, published } = publication
  const change = () => another(publication)
  expect(await publishWhile([change, change, change, change])).toBe(4)
  const list = await published()
  expect([list.number, list.entries.length]).toEqual([2, 4])
  expect(await tenant.operator.post(`${path}/vicals`)).toMatchObject({ status: 201, body: { vicalIssueID: 3 } })
})

test('a RICAL of an ecosystem that changes during each draft is not published, because its policy would differ', async () => {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  const [, , , ecosystemId = ''] = path.split('/')
  await newEcosystemCa(tenant)
  await tenant.operator.put(`${path}/ricals/configuration`, { ricalProvider: 'First' })
  const credentialId = await newType(tenant, path, { profile: 'mobile', type: 'org.iso.18013.5.1.mDL' })
  await newListed(tenant, path, 'verifier', { credentialId })
  const { db } = service.deps
  const newRow = async () => {
    const createdAt = service.clock.now()
    const row = {
      id: newId(),
      tenantId: tenant.id,
      ecosystemId,
      kind: 'rical',
      isAutoPublished: false,
      createdAt,
    } as const
    await db.tx((tx) => insertTrustedList(tx, row))
    return row
  }
  const changed: Statement = ['update ecosystems set revision = revision + 1 where id = $1', ecosystemId]
  const changing = writingBetweenReads(db, service.deps.config.databaseUrl, () => [changed])
  const row = await newRow()
  const refused = numberSignAndPublish(signingDeps(service, { db: changing.db }), row)
  await expect(refused).rejects.toMatchObject({ problem: 'service_unavailable', retryAfterSeconds: 2 })
  await changing.close()
  expect(await findTrustedListRow(db.read, tenant.id, row.id)).toMatchObject({ number: null })
  await numberSignAndPublish(signingDeps(service), row)
  expect(await findTrustedListRow(db.read, tenant.id, row.id)).toMatchObject({ number: 1 })
})

test('a list that other lists overtake each time is not published and gets no number', async () => {
  const { row, publishWhile, published } = await newPublication()
  const overtake = async () => {
    const asked = { ...row, id: newId(), createdAt: service.clock.now() }
    await service.deps.db.tx((tx) => insertTrustedList(tx, asked))
    await numberSignAndPublish(signingDeps(service), asked)
  }
  const refused = publishWhile([overtake, overtake, overtake, overtake])
  await expect(refused).rejects.toMatchObject({ problem: 'service_unavailable', retryAfterSeconds: 2 })
  expect(await published()).toMatchObject({ number: 5 })
})

test('another publication or a new provider name requires a new draft, and an unchanged list is drafted once', async () => {
  const { tenant, path, row, publishWhile, published } = await newPublication()
  const createdAt = service.clock.now()
  const asked = { ...row, id: newId(), isAutoPublished: false, createdAt }
  await service.deps.db.tx((tx) => insertTrustedList(tx, asked))
  expect(
    await publishWhile([
      // As another process does.
      () => numberSignAndPublish(signingDeps(service), asked),
      () => tenant.operator.put(`${path}/vicals/configuration`, { vicalProvider: 'Second' }),
    ]),
  ).toBe(3)
  expect(await published()).toMatchObject({ number: 3, provider: 'Second' })
  const other = await newPublication()
  expect(await other.publishWhile([])).toBe(1)
  expect(await other.published()).toMatchObject({ number: 2, provider: 'First' })
})

test('a change by an earlier version, which sets no revision, requires a new draft', async () => {
  const { tenant, ecosystemId, publishWhile, published } = await newPublication()
  const { db } = service.deps
  const makeInactive = () =>
    db.tx(async (tx) => {
      const changed = { policyModifiedAt: plusMs(service.clock.now(), 1) }
      await tx.update(ecosystems).set(changed).where(eq(ecosystems.id, ecosystemId))
      await tx.update(participants).set({ status: 'Inactive' }).where(eq(participants.tenantId, tenant.id))
    })
  expect(await publishWhile([makeInactive])).toBe(2)
  expect(await published()).toMatchObject({ number: 2, entries: [] })
})

test('the draft of a cancelled list is discarded', async () => {
  const { tenant, row, publishWhile } = await newPublication()
  const { db } = service.deps

  await publishWhile([() => db.tx((tx) => tx.delete(trustedLists).where(eq(trustedLists.id, row.id)))])
  expect(await findTrustedListRow(db.read, tenant.id, row.id)).toBeUndefined()
})

test('every change in an ecosystem raises its revision', async () => {
  const publication = await newPublication()
  const { tenant, ecosystemId } = publication
  const revision = async () => (await findEcosystem(service.deps.db.read, tenant.id, ecosystemId))?.revision ?? 0
  const before = await revision()
  // A participant, and its assignment.
  await another(publication)
  expect(await revision()).toBe(before + 2)
})

test('a list has a later date than the previous one, also if the clock of its process is behind', async () => {
  const { tenant, path, row, publishWhile } = await newPublication()
  const publishBehind = async (ms: number) => {
    const clock = { now: () => new Date(service.clock.now().getTime() - ms) }
    const asked = { ...row, id: newId(), createdAt: clock.now() }
    await service.deps.db.tx((tx) => insertTrustedList(tx, asked))
    await numberSignAndPublish({ ...signingDeps(service), clock }, asked)
  }
  await publishBehind(120_000)
  // One that is drafted again as well.
  await publishWhile([() => publishBehind(100_000), () => publishBehind(110_000)])
  const { data } = (await tenant.anonymous.get(`${path}/vicals/public`)).body
  const inOrder = data.toSorted((one: Listed, other: Listed) => one.vicalIssueID - other.vicalIssueID)
  const dates: string[] = inOrder.map(({ date }: Listed) => date)
  expect(dates).toHaveLength(5)
  expect(dates).toEqual([...new Set(dates)].toSorted())
  // A clock that was an hour ahead is not followed.
  await publishBehind(3_600_000)
  const last = (await tenant.anonymous.get(`${path}/vicals/public?limit=100`)).body.data
  expect(last.find(({ vicalIssueID }: Listed) => vicalIssueID === 6).date < dates[0]!).toBe(true)
})

interface Listed {
  vicalIssueID: number
  date: string
}
