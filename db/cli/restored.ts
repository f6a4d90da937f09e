import '../../shared/quick-resolve.ts'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { useCompileCache } from '../../shared/process/compile-cache.ts'
import { exitIfMisconfigured, requireReachable } from '../../shared/process/dependency.ts'
import { readDataLocations } from '../../shared/settings/config.ts'
import { type ErasureList, eraseAdvice, eraseOptions, readErasureList } from './erasure-list.ts'

/**
 * `node db/cli/restored.ts`: run it after the database was restored to an earlier state, before anything is issued. The
 * database does not know which status entries were assigned since then, so the next credential of each kind opens a new
 * list. It does not know how long signatures of DID keys are valid, so these keys stay published. Queues in the database are
 * emptied, so that its jobs are queued again from their rows. It may run repeatedly.
 *
 * `--erase-since DATE --erasures FILE` also erases the users who were erased since the date. FILE is an output of `export-erasures.ts`.
 */
const { databaseUrl, dataDir } = exitIfMisconfigured(() => readDataLocations(process.env))
const list = readList()
const file = databaseUrl.startsWith('file:') && databaseUrl.slice('file:'.length)
if (file && !existsSync(file)) exit(`There is no database at ${file}.`)

useCompileCache(dataDir)
const { openDatabase } = await import('../client.ts')
const { migratedDatabase } = await import('../engine/dependency.ts')
const { publishKeysPermanently } = await import('../repos/identifiers/keys.ts')
const { endAllLists } = await import('../repos/status/lists.ts')
const { emptyQueues } = await import('../queue/empty-queues.ts')
const { eraseAgain } = await import('./erase-again.ts')

const db = exitIfMisconfigured(() => openDatabase(databaseUrl, { survives: 'powerLoss' }))
await requireReachable(migratedDatabase(db, databaseUrl))
try {
  await emptyQueues(db)
  const ended = await db.tx(async (tx) => {
    await publishKeysPermanently(tx)
    return endAllLists(tx)
  })
  console.log(`${ended} status lists assign no more indexes. New credentials get indexes in new lists`)
  console.log(list ? await eraseAgain(db, list) : eraseAdvice)
} finally {
  await db.close()
}

function readList(): ErasureList | undefined {
  try {
    return readErasureList(parseArgs({ options: eraseOptions }).values)
  } catch (error) {
    return exit(error instanceof Error ? error.message : String(error))
  }
}

function exit(message: string): never {
  console.error(message)
  process.exit(1)
}
