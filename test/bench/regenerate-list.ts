import { generateKeyPairSync, randomBytes, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { eq } from 'drizzle-orm'
import pg from 'pg'
import { chunksOf } from '../../db/chunks.ts'
import { openDatabase } from '../../db/client.ts'
import { dialect } from '../../db/columns.ts'
import { noteChanges } from '../../db/repos/status/entries.ts'
import { statusEntries } from '../../db/tables/status/entries.ts'
import { statusLists } from '../../db/tables/status/lists.ts'
import { publishedLists } from '../../db/tables/status/published-lists.ts'
import { systemClock } from '../../shared/clock.ts'
import { bitsOf } from '../../shared/formats/status-bits.ts'
import { newId } from '../../shared/ids.ts'
import { createLog } from '../../shared/log.ts'
import { createKnownSigners } from '../../workers/signing/certificates/known-signers.ts'
import { createKeyring } from '../../workers/signing/keyring.ts'
import { publishList } from '../../workers/signing/lists/publish-list.ts'

/** Told a list, makes another one of the same tenant with 2 % set, and answers with how long its regeneration takes (`Regeneration`). */
const db = openDatabase(process.env.DATABASE_URL ?? '', { survives: 'powerLoss' })
process.on('message', async (besideListId: string) => process.send?.(await measure(besideListId)))
process.on('disconnect', () => process.exit())
process.send?.('ready')

const [step, set] = [50, 20_000]
const size = step * set
const runs = 31

async function measure(besideListId: string) {
  // One of each fifty, wherever among them.
  const positions = Array.from({ length: set }, (_, at) => at * step + randomInt(step))
  const bits = bitsOf(positions, size)
  const { tenantId, listId } = await fill(besideListId, positions)
  await vacuumed()
  // A key of nobody's: these versions are for no verifier.
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { id: 'bench', algorithm: 'ES256', privateKey, publicKey } as const
  const currentKeys = { of: async () => key, forget: () => undefined }
  const log = createLog({ process: 'bench', level: 'silent', pretty: false })
  const certificates = { keyring: createKeyring([randomBytes(32)]), knownSigners: createKnownSigners() }
  const deps = { db, clock: systemClock, log, currentKeys, ...certificates, publicScheme: 'http' } as const
  const [ours, zlib]: [number[], number[]] = [[], []]
  for (let run = 0; run < runs; run++) {
    await db.tx((tx) => noteChanges(tx, tenantId, [listId], new Date()))
    ours.push(await timed(() => publishList(deps, { tenantId, listId })))
    zlib.push(await timed(() => promisify<Buffer, object, Buffer>(deflate)(bits, { level: 6 })))
  }
  return { listId, regenerateMs: median(ours), zlibMs: median(zlib) }
}

async function fill(besideListId: string, positions: number[]) {
  const [beside] = await db.read.select().from(statusLists).where(eq(statusLists.id, besideListId))
  if (!beside) throw new Error('there is no such list')
  const { tenantId } = beside
  const listId = newId()
  await db.tx(async (tx) => {
    await tx.insert(statusLists).values({ ...beside, id: listId, number: beside.number + 1000, size, taken: size })
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
  return { tenantId, listId }
}

/** As autovacuum leaves a table: PostgreSQL then reads an index alone, without looking for each row whether it is still there. */
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
