import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readApproval } from '../../api/cli/trustwright/ceremony/approvals.ts'
import { createEphemeralKeys } from '../../api/cli/trustwright/ceremony/ceremony-keys.ts'
import { lintCeremony } from '../../api/cli/trustwright/ceremony/lint.ts'
import { verifyCeremony } from '../../api/cli/trustwright/ceremony/verify-ceremony.ts'
import { systemClock } from '../../shared/clock.ts'
import { newCeremony, rootItem } from '../harness/ceremony.ts'
import { seededRandom } from '../harness/seeded-random.ts'

/** Enough bytes to reach each field of each file. */
const changesPerFile = 60

let ceremony: ReturnType<typeof newCeremony>
let out: string
beforeAll(async () => {
  const keys = createEphemeralKeys()
  const old = newCeremony([rootItem])
  const issuer = readFileSync(join(await old.run('out', keys), 'root.pem'))
  old.end()
  ceremony = newCeremony([])
  const link = { id: 'link', kind: 'iaca-link', issuer: ceremony.addFile('old.pem', issuer), next: 'root' }
  ceremony.write({ ...ceremony.content, make: [rootItem, link] })
  out = await ceremony.run('out', keys)
})
afterAll(() => ceremony.end())

/** Calls `check` with a file in which one byte differs, at positions over the whole file. Then the file is as before. */
async function withChangedBytes(path: string, check: (at: number, changed: Buffer) => Promise<void>) {
  const whole = readFileSync(path)
  const random = seededRandom()
  const count = Math.min(changesPerFile, whole.length)
  for (let index = 0; index < count; index++) {
    const at = index === 0 ? whole.length - 1 : Math.floor((whole.length * (index + random() - 1)) / count)
    const changed = Buffer.from(whole)
    changed[Math.max(at, 0)]! ^= 1 << Math.floor(random() * 8)
    writeFileSync(path, changed)
    await check(Math.max(at, 0), changed)
  }
  writeFileSync(path, whole)
}

test('each file of the folder is there', () => {
  expect(readdirSync(out).sort()).toEqual([
    ...['approval.ada.minisig', 'approval.grace.minisig', 'ceremony.jsonc', 'input.old.pem', 'link.pem'],
    ...['rehearsal.jsonl', 'root.pem', 'summary.txt', 'transcript.jsonl'],
  ])
})

test.each([
  ...['approval.ada.minisig', 'approval.grace.minisig', 'ceremony.jsonc', 'input.old.pem', 'link.pem'],
  ...['rehearsal.jsonl', 'root.pem', 'summary.txt'],
])('a changed byte of %s is refused by name', async (file) => {
  await withChangedBytes(join(out, file), async (at) => {
    const { faults } = await verifyCeremony(out)
    expect(faults, `byte ${at}`).toEqual([`${file} was changed: it has another SHA-256.`])
  })
  expect((await verifyCeremony(out)).faults).toEqual([])
})

test('a changed byte of the transcript is refused by its line', async () => {
  const whole = readFileSync(join(out, 'transcript.jsonl'))
  const lines = whole.toString().split('\n').length - 1
  await withChangedBytes(join(out, 'transcript.jsonl'), async (at, changed) => {
    const line = whole.toString('utf8', 0, at).split('\n').length
    const { faults } = await verifyCeremony(out)
    const isEnd = line === lines && changed.at(-1) !== 0x0a
    const name = isEnd
      ? /^transcript.jsonl: Its last line is not its signature/
      : new RegExp(`^transcript.jsonl: Line ${line} was `)
    expect(faults, `byte ${at}`).toEqual([expect.stringMatching(name)])
  })
})

test('another text of the signed line with the same meaning is refused', async () => {
  const path = join(out, 'transcript.jsonl')
  const whole = readFileSync(path, 'utf8')
  writeFileSync(path, whole.replace(/"signature":(?=[^\n]*\n$)/, '"signature": '))
  const lines = whole.split('\n').length - 1
  const message = `transcript.jsonl: Line ${lines} was changed: it is not a line of a transcript.`
  expect((await verifyCeremony(out)).faults).toEqual([message])
  writeFileSync(path, whole)
})

test('a missing file, and one more, are named', async () => {
  const root = readFileSync(join(out, 'root.pem'))
  rmSync(join(out, 'root.pem'))
  writeFileSync(join(out, 'second-root.pem'), root)
  const { faults } = await verifyCeremony(out)
  expect(faults).toEqual(['root.pem is missing.', 'second-root.pem is not a file of the ceremony.'])
  rmSync(join(out, 'second-root.pem'))
  writeFileSync(join(out, 'root.pem'), root)
})

test('a changed byte of an approval or of a rehearsal stops the ceremony', async () => {
  const read = await lintCeremony(ceremony.file, systemClock)
  const path = join(ceremony.dir, 'ada.minisig')
  writeFileSync(path, ceremony.people[0]!.sign(read.bytes))
  const untrusted = readFileSync(path).indexOf('\n')
  await withChangedBytes(path, async (at, changed) => {
    // minisign signs all but the text of the first line, and the end of the file is no part of its text.
    const isSigned = at > untrusted && at < changed.length - 1
    if (isSigned) expect(readApproval(read, changed), `byte ${at}`).toHaveProperty('fault')
  })
  const rehearsal = join(ceremony.dir, 'rehearsal.jsonl')
  writeFileSync(rehearsal, await ceremony.rehearse())
  const approvals = await ceremony.approve()
  await withChangedBytes(rehearsal, async (at, changed) => {
    const run = ceremony.runWith({ out: 'refused', rehearsal: changed, approvals })
    await expect(run, `byte ${at}`).rejects.toThrow(/^The transcript of the rehearsal: (Line \d+ was|Is not complete)/)
  })
})
