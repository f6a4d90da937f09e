import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { innermostMessage, Misconfigured } from '../../shared/process/dependency.ts'
import { checkSqlite } from '../engine/check-sqlite.ts'
import { unfinishedCopy, unfinishedCopyTable } from '../engine/unfinished-copy.ts'
import { compareTables } from './compare-tables.ts'
import { type CopiedTable, copiedTables } from './copied-tables.ts'
import { migrateTarget } from './migrate-target.ts'
import { portionsOf } from './portions.ts'
import { openPostgresSide } from './postgres-side.ts'
import { type CopyProgress, createCopyProgress, rowsText } from './progress.ts'
import { requireThisVersion } from './require-version.ts'
import { type CopiedValue, quoted, type Side, type Statement } from './side.ts'
import { openSqliteSide } from './sqlite-side.ts'

export interface DatabaseCopy {
  /** The URLs, one of SQLite and one of PostgreSQL. */
  from: string
  to: string
  /** Prints a line for the operator. */
  print(line: string): void
}

const isPostgres = (url: string): boolean => url.startsWith('postgres')

/**
 * Copies all rows of a stopped service to an empty database of the other kind, and compares both. After an end at any moment, the same
 * call continues. Until the copy is complete, no process of the service starts on the target. Throws Misconfigured with what the
 * operator must do.
 */
export async function copyDatabase({ from, to, print }: DatabaseCopy): Promise<void> {
  if (isPostgres(from) === isPostgres(to)) throw new Misconfigured(sameKind(from))
  const source = await openSource(from, print)
  try {
    const target = await openTarget(to, print)
    try {
      await copyBetween(source, target, createCopyProgress(print))
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

function sameKind(url: string): string {
  return isPostgres(url)
    ? 'Both databases are PostgreSQL. Copy with pg_dump and pg_restore.'
    : 'Both databases are SQLite. Copy with `npm run backup` and `npm run restore`.'
}

async function openSource(url: string, print: DatabaseCopy['print']): Promise<Side> {
  if (!isPostgres(url)) await checkFile(url, print)
  const side = await openSide(url)
  try {
    if (await side.isUnfinishedCopy()) throw new Misconfigured(unfinishedCopy(side.address))
    await requireThisVersion(side)
    await side.lock(copiedTables())
    return side
  } catch (error) {
    await side.close()
    throw error
  }
}

/** Throws for a damaged file, whose indexes can lack rows. The comparison would not find them. */
async function checkFile(url: string, print: DatabaseCopy['print']): Promise<void> {
  const path = resolve(url.slice('file:'.length))
  if (!existsSync(path)) throw new Misconfigured(`There is no database at ${path}. Check DATABASE_URL and DATA_DIR.`)
  const damaged = (reason: string) =>
    new Misconfigured(`The database at ${path} is damaged: ${reason}. Restore a backup first.`)
  // Refuses a running service before the check, which can take a minute. It already fails if the list of tables is damaged.
  try {
    await openSqliteSide(url).close()
  } catch (error) {
    throw isDamage(error) ? damaged(error.message) : error
  }
  const checked = await checkSqlite(path)
  if (checked.result === 'damaged') throw damaged(checked.reason)
  if (checked.result === 'unfinished') print(`The database at ${path} was not checked for damage: ${checked.reason}.`)
}

function isDamage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CORRUPT')
}

/** Migrates the target if it has no tables. */
async function openTarget(url: string, print: DatabaseCopy['print']): Promise<Side> {
  const isNewFile = !isPostgres(url) && !existsSync(url.slice('file:'.length))
  if (isNewFile) await migrateTarget(url)
  const side = await openSide(url)
  try {
    if ((await side.findMigrationTimes()).length > 0) {
      await requireThisVersion(side)
      return side
    }
  } catch (error) {
    await side.close()
    throw error
  }
  await side.close()
  print(`The database at ${side.address} has no tables. They are created now.`)
  await migrateTarget(url)
  return openSide(url)
}

async function openSide(url: string): Promise<Side> {
  return isPostgres(url) ? openPostgresSide(url) : openSqliteSide(url)
}

async function copyBetween(source: Side, target: Side, progress: CopyProgress): Promise<void> {
  const tables = copiedTables()
  if (await target.isUnfinishedCopy()) await requireSameSource(source, target, progress)
  else await begin(source, target, tables)
  for (const table of tables) await copyTable(source, target, table, progress)
  const rows = await compareTables(source, target, tables, progress)
  await target.finish()
  await target.commitDurably([statement(`DROP TABLE ${unfinishedCopyTable}`)])
  progress.print(
    `${rowsText(rows)} of ${tables.length} tables are in ${target.address}. The counts and digests of all tables are equal.`,
  )
}

const statement = (text: string, ...parameters: CopiedValue[]): Statement => ({ text, parameters })

/** Writes the mark of an unfinished copy, with a row for each table. */
async function begin(source: Side, target: Side, tables: readonly CopiedTable[]): Promise<void> {
  for (const { name } of tables) {
    const [row] = await target.query(`SELECT 1 FROM ${quoted(name)} LIMIT 1`)
    if (row)
      throw new Misconfigured(
        `The database at ${target.address} is not empty: ${name} has rows. Name an empty database.`,
      )
  }
  const [one, two] = parametersOf(target)
  await target.commitDurably([
    statement(`CREATE TABLE ${unfinishedCopyTable} (table_name text PRIMARY KEY, source text NOT NULL, last_key text)`),
    ...tables.map(({ name }) =>
      statement(
        `INSERT INTO ${unfinishedCopyTable} (table_name, source) VALUES (${one}, ${two})`,
        name,
        source.address,
      ),
    ),
  ])
}

async function requireSameSource(source: Side, target: Side, { print }: CopyProgress): Promise<void> {
  const [[address] = []] = await target.query(`SELECT source FROM ${unfinishedCopyTable} LIMIT 1`)
  if (address !== source.address)
    throw new Misconfigured(
      `The database at ${target.address} is an unfinished copy of ${address}, not of ${source.address}. Name an empty database, or continue with DATABASE_URL set to ${address}.`,
    )
  print(`The copy to ${target.address} continues.`)
}

/** Copies what the target lacks. Each portion is committed together with the key of its last row. */
async function copyTable(source: Side, target: Side, table: CopiedTable, progress: CopyProgress): Promise<void> {
  const [one, two] = parametersOf(target)
  const after = await findLastKey(target, table)
  const total = await countRows(source, table)
  if (total === 0) return
  let copied = after ? await countRows(target, table) : 0
  try {
    for await (const { rows, last } of portionsOf(source, table, { after })) {
      const text = `UPDATE ${unfinishedCopyTable} SET last_key = ${one} WHERE table_name = ${two}`
      await target.insert(table, rows, statement(text, JSON.stringify(last), table.name))
      copied += rows.length
      progress.report(`${table.name}: ${copied.toLocaleString('en')} of ${rowsText(total)}`)
    }
  } catch (error) {
    throw new Misconfigured(`${table.name} could not be copied: ${innermostMessage(error)}`, { cause: error })
  }
  progress.print(`${table.name}: ${rowsText(copied)}`)
}

/** Returns the key of the last row that was copied. Undefined if there is none. */
async function findLastKey(target: Side, { name }: CopiedTable): Promise<CopiedValue[] | undefined> {
  const [one] = parametersOf(target)
  const [[key] = []] = await target.query(`SELECT last_key FROM ${unfinishedCopyTable} WHERE table_name = ${one}`, [
    name,
  ])
  return typeof key === 'string' ? JSON.parse(key) : undefined
}

async function countRows(side: Side, { name }: CopiedTable): Promise<number> {
  const [[count] = []] = await side.query(`SELECT count(*) FROM ${quoted(name)}`)
  return Number(count)
}

function parametersOf({ syntax }: Side): [string, string] {
  return [syntax.parameter('text', 1), syntax.parameter('text', 2)]
}
