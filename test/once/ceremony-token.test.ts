import { execFileSync, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { crlItem, newCeremony, rootItem } from '../harness/ceremony.ts'
import { program } from '../harness/command-line.ts'
import { eventually } from '../harness/harness.ts'
import { makeToken, type TestToken } from '../harness/softhsm.ts'
import { newTerminal } from '../harness/terminal.ts'
import { openssl } from '../verifiers/openssl.ts'

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
async function rename(name: string, make: object[] = ceremony.content.make) {
  ceremony.write({ ...ceremony.content, name, make })
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

test('the key of a root is found by its certificate, beside keys of other kinds', needs, async () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const file = join(ceremony.dir, 'rsa.pem')
  writeFileSync(file, rsa.export({ format: 'pem', type: 'pkcs8' }))
  const named = ['--token', 'root safe', '--label', 'a key of another program', '--id', '00']
  execFileSync('softhsm2-util', ['--import', file, ...named, '--pin', '271828'], { stdio: 'pipe' })
  expect(await handles()).toHaveLength(2)
  const root = readFileSync(join(ceremony.dir, 'out', 'root.pem'), 'utf8')
  const other = newCeremony([rootItem])
  const otherRoot = readFileSync(join(await other.run(), 'root.pem'), 'utf8')
  other.end()
  await rename('other', [{ ...crlItem, issuer: ceremony.addFile('other.pem', otherRoot) }])
  const refused = await terminal.run(runIn(join(ceremony.dir, 'other')))
  const message = 'make.0.issuer: the token "root safe" has no key of the certificate. Check the file of --machine.'
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(message) })
  expect(existsSync(join(ceremony.dir, 'other', 'transcript.jsonl'))).toBe(false)
  expect(await handles()).toHaveLength(2)

  const issuer = ceremony.addFile('root.pem', root)
  await rename('crl', [{ ...crlItem, issuer, number: 2 }])
  const out = join(ceremony.dir, 'crl')
  expect(await terminal.run(runIn(out))).toMatchObject({ code: 0, stderr: '' })
  const crl = { 'root.pem': root, crl: readFileSync(join(out, 'root-crl.crl')) }
  const words = ['crl', '-inform', 'DER', '-noout', '-CAfile', 'root.pem', '-in', 'crl']
  expect(await openssl(words, crl)).toContain('verify OK')
  expect(await terminal.run(['ceremony', 'verify', out])).toMatchObject({ code: 0 })
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
