import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type CeremonyKey,
  type CeremonyKeys,
  createEphemeralKeys,
} from '../../api/cli/trustwright/ceremony/ceremony-keys.ts'
import { verifyCeremony } from '../../api/cli/trustwright/ceremony/verify-ceremony.ts'
import { newCeremony } from '../harness/ceremony.ts'

let ceremony: ReturnType<typeof newCeremony>
let inputs: { rehearsal: Buffer; approvals: Awaited<ReturnType<typeof ceremony.approve>> }
beforeAll(async () => {
  ceremony = newCeremony()
  inputs = { rehearsal: await ceremony.rehearse(), approvals: await ceremony.approve() }
})
afterAll(() => ceremony.end())

class Interrupted extends Error {}

/** Keys that survive, in a token whose calls are interrupted: the call with this number is done, and its answer is lost. */
function interruptedAt(keys: CeremonyKeys, stop: number): CeremonyKeys {
  let calls = 0
  const guard = async <Result>(result: Promise<Result>): Promise<Result> => {
    const value = await result
    if (++calls === stop) throw new Interrupted()
    return value
  }
  const guarded = (key: CeremonyKey): CeremonyKey => ({ ...key, sign: (bytes) => guard(key.sign(bytes)) })
  return {
    ...keys,
    generate: async (label) => guarded(await guard(keys.generate(label))),
    find: (label) => guard(keys.find(label)),
    destroy: (label) => guard(keys.destroy(label)),
  }
}

test('a ceremony that is interrupted at any call of the token continues with the same root', async () => {
  let interruptions = 0
  for (let stop = 1; ; stop++) {
    const keys = createEphemeralKeys()
    const labels = new Set<string>()
    const counted: CeremonyKeys = {
      ...keys,
      generate(label) {
        if (labels.has(label)) throw new Error(`a second key ${label}`)
        labels.add(label)
        return keys.generate(label)
      },
    }
    const out = `out-${stop}`
    const run = (given: CeremonyKeys, isContinued: boolean) =>
      ceremony.runWith({ out, keys: given, isContinued, ...inputs })
    const folder = join(ceremony.dir, out)
    const isDone = await run(interruptedAt(counted, stop), false).then(
      () => true,
      (error) => {
        if (!(error instanceof Interrupted)) throw error
        return false
      },
    )
    if (isDone) break
    interruptions++
    const root = existsSync(join(folder, 'root.pem')) ? readFileSync(join(folder, 'root.pem'), 'utf8') : undefined
    const hasBegun = existsSync(join(folder, 'transcript.jsonl'))
    if (hasBegun) await expect(run(counted, false)).rejects.toThrow(/(has an interrupted ceremony\. It has made:)/)
    // Another folder does not get a second root.
    if (labels.size > 0)
      await expect(ceremony.runWith({ out: `${out}-other`, keys: counted, ...inputs })).rejects.toThrow(/earlier run/)
    await run(counted, hasBegun)
    expect(labels.size, `stop ${stop}`).toBe(2)
    if (root !== undefined) expect(readFileSync(join(folder, 'root.pem'), 'utf8')).toBe(root)
    expect((await verifyCeremony(folder)).faults, `stop ${stop}`).toEqual([])
  }
  expect(interruptions).toBeGreaterThan(5)
})

test.each([1, 2])('key %i, which an interrupted run finishes after the search of the next run, is used', async (at) => {
  const keys = createEphemeralKeys()
  /** Keys whose generation with this number does something else. */
  const withGeneration = (number: number, generateOther: (label: string) => Promise<CeremonyKey>): CeremonyKeys => {
    let calls = 0
    return { ...keys, generate: (label) => (++calls === number ? generateOther(label) : keys.generate(label)) }
  }
  const out = `late-${at}`
  const stopped = withGeneration(at, () => Promise.reject(new Interrupted()))
  await expect(ceremony.runWith({ out, keys: stopped, ...inputs })).rejects.toThrow(Interrupted)
  const taken = withGeneration(1, async (label) => {
    await keys.generate(label)
    throw new Error('The token already has a key with this label.')
  })
  await ceremony.runWith({ out, keys: taken, ...inputs, isContinued: true })
  expect((await verifyCeremony(join(ceremony.dir, out))).faults).toEqual([])
})

test.each([1, 2])(
  'a half of key %i, which an interrupted run leaves, is destroyed and the key made again',
  async (at) => {
    const keys = createEphemeralKeys()
    const halves = new Set<string>()
    const withHalves: CeremonyKeys = {
      ...keys,
      async generate(label) {
        if (halves.has(label)) throw new Error('The token already has a key with this label.')
        return keys.generate(label)
      },
      async destroy(label) {
        halves.delete(label)
        await keys.destroy(label)
      },
    }
    let calls = 0
    const stopped: CeremonyKeys = {
      ...keys,
      async generate(label) {
        if (++calls < at) return keys.generate(label)
        halves.add(label)
        throw new Interrupted()
      },
    }
    const out = `half-${at}`
    await expect(ceremony.runWith({ out, keys: stopped, ...inputs })).rejects.toThrow(Interrupted)
    await ceremony.runWith({ out, keys: withHalves, ...inputs, isContinued: true })
    expect([halves.size, (await verifyCeremony(join(ceremony.dir, out))).faults]).toEqual([0, []])
  },
)

test('a ceremony whose transcript ends anywhere continues, and its files are not made again', async () => {
  const keys = createEphemeralKeys()
  // The key of the transcript remains, as in a process that was killed before the end.
  const kept = { ...keys, destroy: async () => undefined }
  const complete = await ceremony.run('complete', kept, inputs)
  const whole = readFileSync(join(complete, 'transcript.jsonl'))
  const root = readFileSync(join(complete, 'root.pem'), 'utf8')
  const ends = Array.from({ length: 40 }, (_each, index) => Math.floor((whole.length * (index + 1)) / 41))
  const isAfterPlan = (end: number) => /"certificate planned".*\n/.test(whole.toString('utf8', 0, end))
  for (const end of ends.filter(isAfterPlan)) {
    rmSync(join(complete, 'summary.txt'), { force: true })
    writeFileSync(join(complete, 'transcript.jsonl'), whole.subarray(0, end))
    await expect(ceremony.run('complete', kept, inputs)).rejects.toThrow(/Continue it with --continue/)
    await ceremony.run('complete', kept, { ...inputs, isContinued: true })
    expect(readFileSync(join(complete, 'root.pem'), 'utf8')).toBe(root)
    expect((await verifyCeremony(complete)).faults).toEqual([])
  }
})

test('an output that was changed or removed after it was written is not made again', async () => {
  const keys = createEphemeralKeys()
  const folder = await ceremony.run('changed', { ...keys, destroy: async () => undefined }, inputs)
  const path = join(folder, 'transcript.jsonl')
  const [last, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n').reverse()
  expect(last).toContain('"signed"')
  const root = readFileSync(join(folder, 'root.pem'), 'utf8')
  for (const change of [
    () => rmSync(join(folder, 'root.pem')),
    () => writeFileSync(join(folder, 'root.pem'), `${root}\n`),
  ]) {
    writeFileSync(path, `${lines.toReversed().join('\n')}\n`)
    change()
    const continued = ceremony.run('changed', keys, { ...inputs, isContinued: true })
    await expect(continued).rejects.toThrow(/root\.pem is not as it was written/)
  }
})

test('a rehearsal that was interrupted is repeated, and leaves no key', async () => {
  for (let stop = 1; ; stop++) {
    const keys = createEphemeralKeys()
    const rehearse = (given: CeremonyKeys, out: string) =>
      ceremony.runWith({ out, keys: given, mode: 'rehearsal' }).catch((error) => {
        if (!(error instanceof Interrupted)) throw error
        return undefined
      })
    if ((await rehearse(interruptedAt(keys, stop), `first-${stop}`)) !== undefined) break
    expect(await rehearse(keys, `second-${stop}`)).toMatch(/^REHEARSAL/)
    const [opened = ''] = readFileSync(join(ceremony.dir, `second-${stop}`, 'transcript.jsonl'), 'utf8').split('\n')
    const digest = JSON.parse(opened).ceremony.sha256.slice(0, 16)
    for (const id of ['transcript.key', 'root']) expect(await keys.find(`rehearsal ${digest} ${id}`)).toBeUndefined()
  }
})
