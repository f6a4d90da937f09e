import pg from 'pg'

export type Statements = Map<string, { text: string; calls: number; milliseconds: number; rows: number }>

const spent = `
  SELECT queryid::text AS id, min(query) AS text, sum(calls)::float8 AS calls,
    sum(total_exec_time)::float8 AS milliseconds, sum(rows)::float8 AS rows
  FROM pg_stat_statements GROUP BY queryid`

/** The cost of each statement since the start of PostgreSQL, by its own statistics. Empty on SQLite. */
export async function readStatements(url: string): Promise<Statements> {
  if (url.startsWith('file:')) return new Map()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(spent)
    return new Map(rows.map(({ id, ...row }) => [id, row]))
  } finally {
    await client.end()
  }
}

const shortest = 0.01

export function printStatements(
  before: Statements,
  after: Statements,
  { name: phase, count }: { name: string; count: number },
): void {
  if (after.size === 0) return
  console.log(`\nStatements of PostgreSQL per flow: ${phase}`)
  const perFlow = [...after].map(([id, { text, calls, milliseconds, rows }]) => {
    const { calls: callsBefore = 0, milliseconds: msBefore = 0, rows: rowsBefore = 0 } = before.get(id) ?? {}
    return {
      text: text.replaceAll(/\s+/g, ' '),
      calls: (calls - callsBefore) / count,
      micros: ((milliseconds - msBefore) * 1000) / count,
      rows: (rows - rowsBefore) / count,
    }
  })
  const cell = (value: number, digits: number) => value.toFixed(digits).padStart(9)
  for (const { text, calls, micros, rows } of perFlow.sort((a, b) => b.micros - a.micros)) {
    if (calls < shortest) continue
    const cut = text.length > 200 ? `${text.slice(0, 90)} ... ${text.slice(-100)}` : text
    console.log(`  ${cell(micros, 1)} µs ${cell(calls, 3)} calls ${cell(rows, 2)} rows  ${cut}`)
  }
}
