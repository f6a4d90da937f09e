import '../engine/quick-drizzle.ts'
import { existsSync } from 'node:fs'
import { useCompileCache } from '../../shared/compile-cache.ts'
import { readDataLocations } from '../../shared/config.ts'
import { exitIfMisconfigured, requireReachable } from '../../shared/dependency.ts'

/**
 * `node db/cli/restored.ts`: to be run on a database that was set back to an earlier moment, before anything is issued from it. What
 * was issued since has places in status lists that the database would give again: with this, each tenant's next credential of a
 * kind opens a new list. And until when what the keys of DIDs signed is valid is not known: they stay published. Any number of times.
 */
const { databaseUrl, dataDir } = exitIfMisconfigured(() => readDataLocations(process.env))
const file = databaseUrl.startsWith('file:') && databaseUrl.slice('file:'.length)
if (file && !existsSync(file)) {
  console.error(`There is no database at ${file}.`)
  process.exit(1)
}

useCompileCache(dataDir)
const { openDatabase } = await import('../client.ts')
const { migratedDatabase } = await import('../engine/dependency.ts')
const { keepAllPublished } = await import('../repos/identifiers/keys.ts')
const { endAllLists } = await import('../repos/status/lists.ts')

const db = exitIfMisconfigured(() => openDatabase(databaseUrl, { survives: 'powerLoss' }))
await requireReachable(migratedDatabase(db, databaseUrl))
try {
  const ended = await db.tx(async (tx) => {
    await keepAllPublished(tx)
    return endAllLists(tx)
  })
  console.log(`${ended} status lists give no more places: new ones are opened for what is issued from now on`)
} finally {
  await db.close()
}
