import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { readApproval } from '../../api/cli/trustwright/ceremony/approvals.ts'
import { createEphemeralKeys } from '../../api/cli/trustwright/ceremony/ceremony-keys.ts'
import { lintCeremony } from '../../api/cli/trustwright/ceremony/lint.ts'
import { systemClock } from '../../shared/clock.ts'
import { crlItem, newApprover, newCeremony, rootItem } from '../harness/ceremony.ts'
import { newTerminal } from '../harness/terminal.ts'
import { openssl } from '../verifiers/openssl.ts'

const ceremonies: ReturnType<typeof newCeremony>[] = []
const terminal = newTerminal({})
afterEach(() => {
  for (const ceremony of ceremonies.splice(0)) ceremony.end()
})
function create(...given: Parameters<typeof newCeremony>) {
  const ceremony = newCeremony(...given)
  ceremonies.push(ceremony)
  return ceremony
}
const verify = (folder: string, ...more: string[]) => terminal.run(['ceremony', 'verify', folder, ...more])
const textOf = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8')
const inDer = ['-inform', 'DER', '-noout']

test('a root and its CRL are made, openssl verifies them, and the folder verifies', async () => {
  const ceremony = create()
  const out = await ceremony.run()
  const files = { 'root.pem': textOf(out, 'root.pem'), 'root.crl': readFileSync(join(out, 'root-crl.crl')) }
  expect(await openssl(['verify', '-x509_strict', '-CAfile', 'root.pem', 'root.pem'], files)).toBe('root.pem: OK\n')
  expect(await openssl(['crl', ...inDer, '-CAfile', 'root.pem', '-in', 'root.crl'], files)).toContain('verify OK')
  const text = await openssl(['x509', '-in', 'root.pem', '-noout', '-subject', '-ext', 'basicConstraints'], files)
  expect(text).toContain('C = NZ, CN = Transport Agency IACA')
  expect(text).toContain('CA:TRUE, pathlen:0')

  const verified = await verify(out)
  expect(verified).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('is a complete ceremony') })
  const [, digest = ''] = /^Transcript: +([0-9a-f]{64})$/m.exec(textOf(out, 'summary.txt')) ?? []
  expect(await verify(out, '--transcript', digest)).toMatchObject({ code: 0 })
  const other = await verify(out, '--transcript', '0'.repeat(64))
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining(`has the SHA-256 ${digest}, not that of`) })
  expect(textOf(out, 'summary.txt').split('\n').length).toBeLessThan(50)
})

test('a rehearsal marks all that it makes, ends after a day, and leaves no key', async () => {
  const ceremony = create()
  const keys = createEphemeralKeys()
  await ceremony.runWith({ out: 'out', mode: 'rehearsal', keys })
  const out = join(ceremony.dir, 'out')
  expect(readdirSync(out).sort()).toEqual([
    ...['ceremony.jsonc', 'rehearsal-root-crl.crl', 'rehearsal-root.pem', 'summary.txt', 'transcript.jsonl'],
  ])
  expect(textOf(out, 'summary.txt')).toMatch(/^REHEARSAL OF A KEY CEREMONY\. NOTHING OF IT MAY BE USED\.\n/)
  const files = { 'root.pem': textOf(out, 'rehearsal-root.pem') }
  expect(await openssl(['x509', '-in', 'root.pem', '-noout', '-subject'], files)).toContain('CN = REHEARSAL Transport')
  const late = await openssl(['x509', '-in', 'root.pem', '-noout', '-checkend', String(25 * 3600)], files)
  expect(late).toContain('Certificate will expire')
  for (const { label } of readTranscriptOf(out).filter(({ step }) => step === 'key planned'))
    expect(await keys.find(label)).toBeUndefined()
  expect(await verify(out)).toMatchObject({ code: 0, stdout: expect.stringContaining('is a complete rehearsal') })
})

const readTranscriptOf = (folder: string) =>
  textOf(folder, 'transcript.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('a ceremony is refused', () => {
  test('without enough approvals of different people', async () => {
    const ceremony = create()
    const rehearsal = await ceremony.rehearse()
    const [first] = await ceremony.approve(1)
    const message = /needs the approvals of 2 of the listed people/
    await expect(ceremony.runWith({ out: 'out', rehearsal })).rejects.toThrow(message)
    const twice = [first!, first!]
    await expect(ceremony.runWith({ out: 'out', rehearsal, approvals: twice })).rejects.toThrow(/those of ada\. Add/)
    expect(existsSync(join(ceremony.dir, 'out'))).toBe(false)
  })

  test('with an approval of another file, of another person, or with a changed comment', async () => {
    const { file, people } = create()
    const ceremony = await lintCeremony(file, systemClock)
    const bytes = readFileSync(file)
    const [ada] = people
    const signature = ada!.sign(bytes)
    expect(readApproval(ceremony, Buffer.from(signature))).toMatchObject({ name: 'ada' })
    for (const [text, message] of [
      [ada!.sign(Buffer.from('other')), 'It is not a signature of ada over this ceremony file'],
      [ada!.sign(Buffer.from('other'), true), 'It is not a signature of ada over this ceremony file'],
      [signature.replace('timestamp:1', 'timestamp:2'), 'It is not a signature of ada over this ceremony file'],
      [newApprover('eve').sign(bytes), 'is not in approvals.keys of the ceremony file'],
      ['RWQ', 'It is not a signature of minisign'],
    ] as const)
      expect(readApproval(ceremony, Buffer.from(text))).toEqual({ fault: expect.stringContaining(message) })
  })

  test('without the transcript of a complete rehearsal of the same file', async () => {
    const ceremony = create()
    const rehearsal = await ceremony.rehearse()
    const approvals = await ceremony.approve()
    const run = (given?: Buffer) => ceremony.runWith({ out: 'out', approvals, ...(given && { rehearsal: given }) })
    await expect(run()).rejects.toThrow(/rehearsal: Is missing/)
    await expect(run(Buffer.from(rehearsal.toString().replace('Ada', 'Eve')))).rejects.toThrow(/Line 1 was changed/)
    const lines = rehearsal.toString().split('\n')
    await expect(run(Buffer.from(`${lines.slice(0, -2).join('\n')}\n`))).rejects.toThrow(/Is not complete/)
    ceremony.write({ ...ceremony.content, name: 'Another root' })
    const other = await ceremony.approve()
    await expect(ceremony.runWith({ out: 'out', approvals: other, rehearsal })).rejects.toThrow(/another ceremony file/)
    ceremony.write(ceremony.content)
    await ceremony.run('first')
    const real = readFileSync(join(ceremony.dir, 'first', 'transcript.jsonl'))
    await expect(run(real)).rejects.toThrow(/Is not that of a rehearsal/)
  })

  test('with a clock that is before the end of the rehearsal', async () => {
    const ceremony = create()
    const rehearsal = await ceremony.rehearse()
    const clock = { now: () => new Date(Date.now() - 3_600_000) }
    const approvals = await ceremony.approve()
    const run = ceremony.runWith({ out: 'out', approvals, rehearsal, clock })
    await expect(run).rejects.toThrow(/The clock of this machine is before the end of the rehearsal, 20/)
  })

  test('in a folder with other files, or with a complete ceremony', async () => {
    const ceremony = create()
    const keys = createEphemeralKeys()
    const out = await ceremony.run('out', keys)
    await expect(ceremony.run('out', keys)).rejects.toThrow(/has a complete ceremony. Give a new folder/)
    await expect(ceremony.run('second', keys)).rejects.toThrow(/root" of an earlier run of this ceremony/)
    expect(readdirSync(out)).not.toContain('lock')
    mkdirSync(join(ceremony.dir, 'used'))
    writeFileSync(join(ceremony.dir, 'used', 'note.txt'), '')
    await expect(ceremony.rehearse('used')).rejects.toThrow(/has other files: note.txt/)
  })

  test('beside another process in its folder', async () => {
    const ceremony = create()
    mkdirSync(join(ceremony.dir, 'out'))
    writeFileSync(join(ceremony.dir, 'out', 'lock'), String(process.ppid))
    await expect(ceremony.rehearse('out')).rejects.toThrow(new RegExp(`Another process works in .*: ${process.ppid}`))
  })
})

test('a link certificate leads from the previous root to the next one', async () => {
  const keys = createEphemeralKeys()
  const old = create([rootItem])
  const oldRoot = textOf(await old.run('out', keys), 'root.pem')
  const next = create([])
  const issuer = next.addFile('old.pem', oldRoot)
  const link = { id: 'link', kind: 'iaca-link', issuer, next: 'root' }
  next.write({ ...next.content, make: [rootItem, link, { ...crlItem, issuer }] })
  const out = await next.run('out', keys)
  const files = { 'old.pem': oldRoot, 'link.pem': textOf(out, 'link.pem'), 'root.pem': textOf(out, 'root.pem') }
  expect(await openssl(['verify', '-x509_strict', '-CAfile', 'old.pem', 'link.pem'], files)).toBe('link.pem: OK\n')
  const keyOf = (file: string) => openssl(['x509', '-in', file, '-noout', '-pubkey'], files)
  expect(await keyOf('link.pem')).toBe(await keyOf('root.pem'))
  const crl = { ...files, crl: readFileSync(join(out, 'root-crl.crl')) }
  expect(await openssl(['crl', ...inDer, '-CAfile', 'old.pem', '-in', 'crl'], crl)).toContain('verify OK')
  expect(await verify(out)).toMatchObject({ code: 0 })
  await expect(next.run('other', createEphemeralKeys())).rejects.toThrow(/has no key of the certificate/)
})
