import { generateKeyPairSync, randomBytes, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, deflate } from 'node:zlib'
import { eq } from 'drizzle-orm'
import pg from 'pg'
import { openDatabase } from '../../db/client.ts'
import { dialect } from '../../db/columns.ts'
import { chunksOf } from '../../db/repos/chunks.ts'
import { recordListChanges } from '../../db/repos/status/entries.ts'
import type { StatusListRow } from '../../db/repos/status/lists.ts'
import { statusEntries } from '../../db/tables/status/entries.ts'
import { statusLists } from '../../db/tables/status/lists.ts'
import { publishedLists } from '../../db/tables/status/published-lists.ts'
import { systemClock } from '../../shared/clock.ts'
import { tokenListSize } from '../../shared/domain/status/status-lists.ts'
import { bitsOf } from '../../shared/formats/status-bits.ts'
import { newId } from '../../shared/ids.ts'
import { createLog } from '../../shared/log/log.ts'
import { createSignerCache, type SignerCache } from '../../workers/signing/certificates/signer-cache.ts'
import { createKeyring } from '../../workers/signing/keys/keyring.ts'
import { publishList } from '../../workers/signing/lists/publish-list.ts'
import { testSigner } from '../harness/test-signer.ts'
import { knownSigner } from './known-signer.ts'
import type { Regeneration, Regenerations } from './regenerate.ts'

/**
 * A child process. For a list in a message it makes two lists of the same tenant with 2 % of the entries set: a
 * revocation list and a token status list. It answers with the time to regenerate them (`Regenerations`).
 */
const log = createLog({ process: 'bench', level: 'silent', pretty: false })
const db = openDatabase(process.env.DATABASE_URL ?? '', { survives: 'powerLoss' })
process.on('message', async (besideListId: string) => process.send?.(await measureBoth(besideListId)))
process.on('disconnect', () => process.exit())
process.send?.('ready')

const step = 50
const runs = 31

async function measureBoth(besideListId: string): Promise<Regenerations> {
  const [beside] = await db.read.select().from(statusLists).where(eq(statusLists.id, besideListId))
  if (!beside) throw new Error('there is no such list')
  const { tenantId } = beside
  const ofToken = { kind: 'mobile', series: newId(), caId: newId(), format: 'draft14', size: tokenListSize } as const
  return {
    revocationList: await measure({ ...beside, number: beside.number + 1000, size: 1_000_000 }, createSignerCache()),
    tokenList: await measure(
      { ...beside, ...ofToken },
      await knownSigner(db, { tenantId, kind: 'status-list-signer', caId: ofToken.caId }),
    ),
  }
}

async function measure(like: StatusListRow, signerCache: SignerCache): Promise<Regeneration> {
  const { tenantId, size } = like
  // A random position in each range of 50.
  const positions = Array.from({ length: size / step }, (_, at) => at * step + randomInt(step))
  const bits = bitsOf(positions, size)
  const listId = await fill({ ...like, id: newId(), taken: size }, positions)
  await vacuumed()
  // A key that no verifier knows, because nothing verifies these versions.
  const key = testSigner(generateKeyPairSync('ec', { namedCurve: 'P-256' }))
  const currentKeys = { of: async () => key, forget: () => undefined }
  const keyring = createKeyring([randomBytes(32)])
  const deps = { db, clock: systemClock, log, currentKeys, keyring, signerCache, publicScheme: 'http' } as const
  const level = like.kind === 'mobile' ? constants.Z_BEST_COMPRESSION : 6
  const [ours, zlib]: [number[], number[]] = [[], []]
  for (let run = 0; run < runs; run++) {
    await db.tx((tx) => recordListChanges(tx, tenantId, [listId], new Date()))
    ours.push(await timed(() => publishList(deps, { tenantId, listId })))
    zlib.push(await timed(() => promisify<Buffer, object, Buffer>(deflate)(bits, { level })))
  }
  return { listId, regenerateMs: median(ours), zlibMs: median(zlib) }
}

async function fill(list: StatusListRow, positions: number[]): Promise<string> {
  const { tenantId, id: listId } = list
  await db.tx(async (tx) => {
    await tx.insert(statusLists).values(list)
    const content = Buffer.alloc(1)
    await tx.insert(publishedLists).values({ listId, tenantId, version: 1, content, issuedAt: new Date() })
    for (const chunk of chunksOf(positions)) {
      await tx
        .insert(statusEntries)
        .values(
          chunk.map((position) => ({ tenantId, listId, position, credentialId: null, status: 'invalid' as const })),
        )
    }
  })
  return listId
}

/**
 * Puts the table into the state after autovacuum. PostgreSQL then reads only the index and does not check the
 * visibility of each row.
 */
async function vacuumed(): Promise<void> {
  if (dialect !== 'postgres') return
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  await client.query('VACUUM ANALYZE status_entries')
  await client.end()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function median(times: number[]): number {
  return times.toSorted((one, other) => one - other)[times.length >> 1] ?? Number.NaN
}
