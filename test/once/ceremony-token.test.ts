import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newCeremony } from '../harness/ceremony.ts'
import { program } from '../harness/command-line.ts'
import { eventually } from '../harness/harness.ts'
import { makeToken, type TestToken } from '../harness/softhsm.ts'
import { newTerminal } from '../harness/terminal.ts'

const needs = { tags: 'pkcs11' } as const
const terminal = newTerminal({})
let ceremony: ReturnType<typeof newCeremony>
let token: TestToken
let words: string[]

beforeAll(async () => {
  token = makeToken('root safe')
  ceremony = newCeremony()
  writeMachine({})
  const rehearsal = join(ceremony.dir, 'rehearsal.jsonl')
  writeFileSync(rehearsal, await ceremony.rehearse())
  const approvals = ceremony.people.slice(0, 2).map((person) => {
    const file = join(ceremony.dir, `${person.name}.minisig`)
    writeFileSync(file, person.sign(readFileSync(ceremony.file)))
    return ['--approval', file]
  })
  const machine = ['--machine', join(ceremony.dir, 'machine.jsonc')]
  words = ['--operator', 'Ada Byron', '--rehearsal', rehearsal, ...approvals.flat(), ...machine]
})
afterAll(async () => {
  terminal.end()
  ceremony.end()
  await token[Symbol.asyncDispose]()
})

function writeMachine(changes: object) {
  const { module, uri, pinFile } = token.settings
  writeFileSync(join(ceremony.dir, 'machine.jsonc'), JSON.stringify({ module, token: uri, pinFile, ...changes }))
}
const runIn = (out: string, ...more: string[]) => ['ceremony', 'run', ceremony.file, ...words, '--out', out, ...more]
const handles = async () => {
  const open = await token.open()
  const all = await open.list()
  await open.close()
  return all
}

/** A new ceremony file of the same people, with its approvals and its rehearsal. */
async function rename(name: string) {
  ceremony.write({ ...ceremony.content, name })
  writeFileSync(join(ceremony.dir, 'rehearsal.jsonl'), await ceremony.rehearse(`rehearsal-${name}`))
  for (const person of ceremony.people.slice(0, 2))
    writeFileSync(join(ceremony.dir, `${person.name}.minisig`), person.sign(readFileSync(ceremony.file)))
}

test('a token keeps the root alone, and a rehearsal in it leaves nothing', needs, async () => {
  const machine = ['--machine', join(ceremony.dir, 'machine.jsonc')]
  const tried = join(ceremony.dir, 'tried')
  const rehearsed = await terminal.run([
    ...['ceremony', 'rehearse', ceremony.file, '--operator', 'Ada Byron', '--out', tried, ...machine],
  ])
  expect(rehearsed).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('the token "root safe"') })
  expect(await handles()).toEqual([])
  const out = join(ceremony.dir, 'out')
  expect(await terminal.run(runIn(out))).toMatchObject({ code: 0, stderr: '' })
  expect(await handles()).toEqual([expect.stringMatching(/object=ceremony%20[0-9a-f]{16}%20root;type=private$/)])
  expect(await terminal.run(['ceremony', 'verify', out])).toMatchObject({ code: 0 })
  const again = await terminal.run(runIn(join(ceremony.dir, 'again')))
  expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/has the key ".* root" of an earlier run/) })
  expect(await handles()).toHaveLength(1)
})

test.each([1, 2, 4, 6])('a ceremony that is killed after line %i continues with one root', needs, async (count) => {
  await rename(`killed-${count}`)
  const before = await handles()
  const out = join(ceremony.dir, `killed-${count}`)
  const transcript = join(out, 'transcript.jsonl')
  const child = spawn(process.execPath, [program, ...runIn(out)], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  await eventually(async () => existsSync(transcript) && readFileSync(transcript, 'utf8').split('\n').length > count)
  child.kill('SIGKILL')
  await exited
  const isComplete = existsSync(join(out, 'summary.txt'))
  const refused = isComplete ? 'has a complete ceremony' : 'has an interrupted ceremony. It has made:'
  expect(await terminal.run(runIn(out))).toMatchObject({ code: 1, stderr: expect.stringContaining(refused) })
  if (!isComplete) expect(await terminal.run(runIn(out, '--continue'))).toMatchObject({ code: 0, stderr: '' })
  expect(await terminal.run(['ceremony', 'verify', out])).toMatchObject({ code: 0, stderr: '' })
  expect(await handles()).toHaveLength(before.length + 1)
})

test.each([
  [{ token: 'pkcs11:token=root%20safe?pin-value=271828' }, 'token: The URI has a PIN'],
  [{ token: 'root safe' }, 'token: The URI must start with pkcs11:'],
  [{ module: 'libsofthsm2.so' }, 'module: Must be the absolute path'],
  [{ pin: '271828' }, 'pin: There is no such field here. Remove it.'],
  [{ pinFile: 'none' }, 'none'],
])('a wrong file of a machine is named: %j', needs, async (changes, message) => {
  writeMachine(changes)
  const { code, stdout, stderr } = await terminal.run(runIn(join(ceremony.dir, 'wrong')))
  expect({ code, stdout, stderr }).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) })
  expect(stderr).not.toContain('271828')
})

test('a wrong PIN is tried once', needs, async () => {
  writeMachine({})
  const logins = token.calls('C_Login')
  token.writePin('161803')
  const { code, stderr } = await terminal.run(runIn(join(ceremony.dir, 'wrong')))
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/PIN/) })
  expect(stderr).not.toContain('161803')
  expect(token.calls('C_Login') - logins).toBe(1)
  token.writePin()
})
