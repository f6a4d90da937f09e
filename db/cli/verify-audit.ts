import '../../shared/quick-resolve.ts'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { exitIfMisconfigured, Misconfigured, requireReachable } from '../../shared/process/dependency.ts'
import { readTextFile } from '../../shared/read-text-file.ts'
import { readDataLocations } from '../../shared/settings/config.ts'
import type { AuditHead } from '../repos/operations/audit/audit.ts'
import type { Noted } from '../repos/operations/audit/audit-chain.ts'
import { verifyReceipt } from './verify-receipt.ts'

/**
 * `node db/cli/verify-audit.ts`: checks the audit of every tenant in the database of `DATABASE_URL`, needs no other process,
 * and prints the first row of each that was changed, removed or added. The exit code is then 1. `--head` prints the end of
 * each chain (tenant, number, hash). Store these lines elsewhere. `--noted FILE` compares the chains with them, because an
 * attacker who can write the database can also write a new chain. `--checkpoint FILE` does the same with a checkpoint of
 * `/v1/audit/checkpoint`, and can be repeated. Its keys are in `--keys FILE` (`/v1/audit/jwks`), or else in the database.
 *
 * `node db/cli/verify-audit.ts RECEIPT CHECKPOINT --keys FILE`: verifies the receipt of an erasure without a database.
 * `--user=ID --salt=SALT` checks that it is about this user. A salt can begin with "-", so the option needs "=".
 */
const { values, positionals } = exitIfMisconfigured(readArguments)

if (positionals.length > 0) {
  printReceipt(positionals)
  process.exit()
}

const { databaseUrl } = exitIfMisconfigured(() => readDataLocations(process.env))
const file = databaseUrl.startsWith('file:') && databaseUrl.slice('file:'.length)
if (file && !existsSync(file)) {
  console.error(`There is no database at ${file}.`)
  process.exit(1)
}

const { checkChains } = await import('../repos/operations/audit/audit-chain.ts')
const { readCheckpoints } = await import('./read-checkpoints.ts')
const { openDatabase } = await import('../client.ts')
const { migratedDatabase } = await import('../engine/dependency.ts')

const db = exitIfMisconfigured(() => openDatabase(databaseUrl, { survives: 'crash' }))
await requireReachable(migratedDatabase(db, databaseUrl))
let [chains, rows] = [0, 0]
try {
  const noted = new Map<string, Noted>(
    readNoted(values.noted)
      .entries()
      .map(([tenantId, head]) => [tenantId, { head }]),
  )
  for (const { tenantId, ...checkpoint } of await readCheckpoints(db.read, values.checkpoint ?? [], values.keys)) {
    const { checkpoints = [], ...others } = noted.get(tenantId) ?? {}
    noted.set(tenantId, { ...others, checkpoints: [...checkpoints, checkpoint] })
  }
  for await (const report of checkChains(db.read, noted)) {
    if ('fault' in report) {
      console.error(`tenant ${report.tenantId}: ${report.fault}`)
      process.exitCode = 1
      continue
    }
    const { number, hash } = report.head
    chains++
    rows += number
    if (values.head) console.log(`${report.tenantId} ${number} ${hash || '-'}`)
  }
  if (!values.head) console.log(`${chains} chains of ${rows} rows are unchanged`)
} finally {
  await db.close()
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        user: { type: 'string' },
        salt: { type: 'string' },
        head: { type: 'boolean' },
        noted: { type: 'string' },
        checkpoint: { type: 'string', multiple: true },
        keys: { type: 'string' },
      },
    })
  } catch (error) {
    throw new Misconfigured((error as Error).message)
  }
}

/** Reads lines of `--head`. Exits at an invalid line, because its chain could not be compared. */
function readNoted(file: string | undefined): Map<string, AuditHead> {
  const lines = file ? readTextFile(file).split('\n').filter(Boolean) : []
  return new Map(
    lines.map((line) => {
      const [, tenantId = '', number = '', hash = ''] = /^([\w-]+) (\d+) ([0-9a-f]{64}|-)\r?$/.exec(line) ?? []
      if (tenantId === '') {
        console.error(`Not a line of --head: ${line}`)
        process.exit(1)
      }
      return [tenantId, { number: Number(number), hash: hash === '-' ? '' : hash }]
    }),
  )
}

function printReceipt([receipt, checkpoint, ...more]: string[]): void {
  const { keys, user, salt } = values
  try {
    if (!receipt || !checkpoint || more.length > 0 || !keys || (user === undefined) !== (salt === undefined))
      throw new Error(
        'Name the files: npm run audit:verify -- RECEIPT CHECKPOINT --keys JWKS [--user=ID --salt=SALT]. See docs/backup-and-audit.md#the-audit.',
      )
    const about = user !== undefined && salt !== undefined ? { id: user, salt } : undefined
    console.log(verifyReceipt({ receipt, checkpoint, keys, user: about }))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
