import { failedCheck, passedCheck } from '../finding.ts'

const maxDifferenceMs = 2_000

/** Compares the clock of a database with another. */
export async function checkDatabaseClock(url: string, now: () => number) {
  if (url.startsWith('file:')) return passedCheck('SQLite has the clock of the machine of the service')
  const { connectToPrimary } = await import('../../../../../db/engine/postgres-hosts.ts')
  const client = await connectToPrimary(url)
  try {
    const sentAt = now()
    const { rows } = await client.query<{ at: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at',
    )
    const aheadMs = (rows[0]?.at ?? 0) - (sentAt + now()) / 2
    if (Math.abs(aheadMs) <= maxDifferenceMs) return passedCheck('This clock and that of the database agree')
    const seconds = Math.round(Math.abs(aheadMs) / 1000)
    const direction = aheadMs > 0 ? 'ahead of' : 'behind'
    return failedCheck(`The clock of the database is ${seconds} s ${direction} this clock. Synchronize both (NTP)`)
  } finally {
    await client.end()
  }
}
