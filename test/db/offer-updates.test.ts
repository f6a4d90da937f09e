import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrateDatabase } from '../../db/engine/migrate-database.ts'
import { newServerDatabase } from '../harness/database.ts'

const claims = JSON.stringify({ note: 'n'.repeat(1_000) })

describe('the offers of an earlier version on PostgreSQL', { tags: 'postgres' }, () => {
  test('keep their state and session, and an update of a new offer logs only what changes', async () => {
    const { url, drop } = await newServerDatabase(`offer_updates_${process.pid}`, 'SELECT 1')
    onTestFinished(drop)
    await migrateDatabase(url, undefined, earlierMigrations())
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(() => client.end())
    await insertOffer(client, { id: 'used', state: 'claimed', sessionId: 'session' })
    await insertOffer(client, { id: 'unused', state: 'usable', sessionId: null })

    await migrateDatabase(url)

    const { rows } = await client.query('SELECT id, state, session_id, claims FROM offers ORDER BY id')
    expect(rows).toEqual([
      { id: 'unused', state: 'usable', session_id: null, claims: JSON.parse(claims) },
      { id: 'used', state: 'claimed', session_id: 'session', claims: JSON.parse(claims) },
    ])
    await insertOffer(client, { id: 'new', state: 'usable', sessionId: null })
    const session = "session_id = '0c3f6a52-6f0f-4b43-9a39-3f3a5d6f7a10'"
    for (const change of [`state = 'spent', ${session}`, "state = 'claimed'"])
      expect(await loggedBytes(client, `UPDATE offers SET ${change} WHERE id = 'new'`)).toBeLessThan(250)
  })
})

/** Returns a folder with the migrations before the one that moves the state. */
function earlierMigrations(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trustwright-offers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(join(import.meta.dirname, '../../db/migrations/postgres'), folder, { recursive: true })
  const journal = join(folder, 'meta/_journal.json')
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
  const position = entries.findIndex(({ tag }: { tag: string }) => tag.endsWith('move_offer_state_to_the_end'))
  expect(position).toBeGreaterThan(0)
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, position) }))
  return folder
}

function insertOffer(client: pg.Client, offer: { id: string; state: string; sessionId: string | null }) {
  return client.query(
    `INSERT INTO offers (id, tenant_id, user_id, state, configuration_ids, claims, code_hash, wrong_transaction_codes,
      session_id, expires_at, created_at) VALUES ($1, 'tenant', 'user', $2, '[]', $3, 'hash', 0, $4, now(), now())`,
    [offer.id, offer.state, claims, offer.sessionId],
  )
}

async function loggedBytes(client: pg.Client, statement: string): Promise<number> {
  const { rows } = await client.query(`EXPLAIN (ANALYZE, WAL, FORMAT JSON) ${statement}`)
  return rows[0]['QUERY PLAN'][0].Plan['WAL Bytes']
}
