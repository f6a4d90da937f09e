import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testSeed } from '../harness/seeded-random.ts'
import { runProcesses } from '../time-machine/processes-run.ts'

/** `npm run time-machine -- --processes` sets more days. */
const days = Number(process.env.TIME_MACHINE_DAYS ?? 10)
const seedOtherwise = Number(process.env.TIME_MACHINE_SEED ?? 1)
/** A run of 90 days takes several minutes. */
const timeoutMs = 1_800_000

test('nothing published is stale while the clock of the processes moves and some are killed', {
  timeout: timeoutMs,
  tags: ['full', 'cbor2'],
}, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-time-machine-'))
  try {
    const { documents, credentials, kills } = await runProcesses({ seed: testSeed(seedOtherwise), days, dir })
    expect(kills).toBeGreaterThan(0)
    console.log(`${days} days, ${kills} kills: ${documents} documents and ${credentials} credentials verified`)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
