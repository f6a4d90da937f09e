import { afterAll, beforeAll, expect, test } from 'vitest'
import { chunksOf } from '../../db/repos/chunks.ts'
import { recordListChanges } from '../../db/repos/status/entries.ts'
import { statusEntries } from '../../db/tables/status/entries.ts'
import { publishList } from '../../workers/signing/lists/publish-list.ts'
import { type Service, startService } from '../harness/harness.ts'
import { publishedRow, readList, signingDeps } from '../harness/published.ts'
import { newList } from '../harness/revocable.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { fetchDidDocument } from '../verifiers/outside-verifiers.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
})
afterAll(() => service[Symbol.asyncDispose]())

const size = 1_000_000
const [step, set] = [50, 20_000]

/** Returns the dependencies of a publication, and how often it read the database. */
function countingDeps() {
  const deps = signingDeps(service)
  const { db } = deps
  let reads = 0
  const counting = {
    ...db,
    get read() {
      reads++
      return db.read
    },
  }
  return { deps: { ...deps, db: counting }, reads: () => reads }
}

test('a list with 2 % set entries is published with as few reads as an empty list', async () => {
  const { deps, id: tenantId } = service
  const listId = await newList(service, tenantId)
  const random = seededRandom()
  // One of each fifty, anywhere among them.
  const positions = Array.from({ length: set }, (_, at) => at * step + Math.floor(random() * step))
  for (const chunk of chunksOf(positions)) {
    const rows = chunk.map((position) => ({
      tenantId,
      listId,
      position,
      credentialId: null,
      status: 'invalid' as const,
    }))
    await deps.db.tx((tx) => tx.insert(statusEntries).values(rows))
  }
  // Other entries of the list that are not revoked, between the revoked ones.
  const taken = new Set(positions)
  const valid = Array.from({ length: size / 10 }, (_, at) => at * 10).filter((position) => !taken.has(position))
  for (const chunk of chunksOf(valid)) {
    const rows = chunk.map((position) => ({ tenantId, listId, position, credentialId: null, status: 'valid' as const }))
    await deps.db.tx((tx) => tx.insert(statusEntries).values(rows))
  }
  const publish = async (list: string) => {
    await deps.db.tx((tx) => recordListChanges(tx, tenantId, [list], new Date()))
    const { deps: counted, reads } = countingDeps()
    expect(await publishList(counted, { tenantId, listId: list })).toBe('published')
    return reads()
  }
  const ofEmpty = await publish(await newList(service, tenantId))
  expect(await publish(listId)).toBe(ofEmpty)
  const { version, content } = await publishedRow(deps.db, tenantId, listId)
  const listPositions = readList(content, await fetchDidDocument(service.anonymous)).positions
  expect([version, listPositions.length]).toEqual([2, set])
})
