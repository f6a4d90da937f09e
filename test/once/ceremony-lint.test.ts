import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { newCeremony, rootItem } from '../harness/ceremony.ts'
import { newTerminal } from '../harness/terminal.ts'

const terminal = newTerminal({})
const ceremony = newCeremony()
afterAll(() => {
  terminal.end()
  ceremony.end()
})
const lint = (file = ceremony.file) => terminal.run(['ceremony', 'lint', file])
const { content } = ceremony
const [ada] = content.approvals.keys

test('a correct file is listed with its digest', async () => {
  ceremony.write(content)
  const listed = await lint()
  expect(listed).toMatchObject({ code: 0, stderr: '' })
  expect(listed.stdout).toMatch(/^SHA-256: [0-9a-f]{64}\nIt makes:\n {2}root: iaca\n {2}root-crl: crl\n$/)
})

const withRoot = (changes: object) => ({ ...content, make: [{ ...rootItem, ...changes }] })
const withCrl = (changes: object) => ({ ...content, make: [content.make[0], { ...content.make[1], ...changes }] })

test.each<[string, object | string, string]>([
  [
    'a pin',
    { ...content, pin: '1234' },
    'ceremony.jsonc:45: pin: Is a fact of a machine. Move it to the file of --machine.',
  ],
  ['a slot of an item', withRoot({ slot: 1 }), 'make.0.slot: Is a fact of a machine'],
  ['an unknown field', { ...content, approver: 1 }, 'approver: There is no such field here. Remove it.'],
  ['a missing field', withRoot({ crlUrl: undefined }), 'make.0.crlUrl: Is missing. Add it.'],
  [
    'an unknown kind',
    withRoot({ kind: 'root' }),
    'make.0.kind: Must be iaca, ecosystem-ca, iaca-link, crl, or a signer',
  ],
  [
    'a country in lower case',
    withRoot({ subject: { country: 'nz', commonName: 'Root' } }),
    'make.0.subject.country: Must be two upper-case letters',
  ],
  [
    'a long name',
    withRoot({ subject: { country: 'NZ', commonName: 'R'.repeat(65) } }),
    'make.0.subject.commonName: Must have at most 64 characters',
  ],
  [
    'a control character',
    withRoot({ subject: { country: 'NZ', commonName: 'R\u202et' } }),
    'commonName: Must not begin or end with a space, and must not contain control characters',
  ],
  [
    'two forms of a validity',
    withRoot({ validity: { years: 1, days: 1 } }),
    'make.0.validity: Must have years alone, days alone, or notBefore and notAfter',
  ],
  [
    'no such day',
    withRoot({ validity: { notBefore: '2027-02-30T00:00:00Z', notAfter: '2028-01-01T00:00:00Z' } }),
    'make.0.validity.notBefore: There is no such time',
  ],
  [
    'a validity that ended',
    withRoot({ validity: { notBefore: '2020-01-01T00:00:00Z', notAfter: '2021-01-01T00:00:00Z' } }),
    'make.0: The certificate is not valid. It has expired.',
  ],
  [
    'a validity of 21 years',
    withRoot({ validity: { notBefore: '2026-01-01T00:00:00Z', notAfter: '2047-01-01T00:00:00Z' } }),
    'make.0: The certificate is not valid. It is valid for longer than 20 years.',
  ],
  [
    'few random octets',
    withRoot({ serialNumber: { randomOctets: 8 } }),
    'make.0.serialNumber.randomOctets: Must be a whole number from 9 to 20',
  ],
  ['another scheme', withRoot({ crlUrl: 'ldap://x' }), 'make.0.crlUrl: Must be an address with http or https'],
  [
    'more approvals than keys',
    { ...content, approvals: { ...content.approvals, required: 4 } },
    'approvals.required: Is more than the 3 listed keys',
  ],
  [
    'one key for two people',
    { ...content, approvals: { required: 1, keys: [ada, { ...ada, name: 'eve' }] } },
    'approvals.keys.1.publicKey: Occurs twice',
  ],
  [
    'a person twice',
    { ...content, approvals: { required: 1, keys: [ada, { ...content.approvals.keys[1], name: 'ada' }] } },
    'approvals.keys.1.name: Occurs twice',
  ],
  [
    'a wrong key',
    { ...content, approvals: { required: 1, keys: [{ name: 'ada', publicKey: 'RWQ' }] } },
    'approvals.keys.0.publicKey: Must be the second line of the public key of minisign',
  ],
  ['an id twice', withCrl({ id: 'root' }), 'make.1.id: Occurs twice'],
  ['an unknown issuer', withCrl({ issuer: 'other' }), 'make.1.issuer: There is no item above with the id "other"'],
  ['a list for 91 days', withCrl({ nextUpdateDays: 91 }), 'make.1.nextUpdateDays: Must be a whole number from 1 to 90'],
  [
    'a revocation in the future',
    withCrl({ revoked: [{ serialNumber: '0102030405060708', revokedAt: '2999-01-01T00:00:00Z' }] }),
    'make.1.revoked.0.revokedAt: Must not be in the future',
  ],
  [
    'a path of a file',
    withCrl({ issuer: { file: '../root.pem', sha256: '0'.repeat(64) } }),
    'make.1.issuer.file: Must be the name of a file beside the ceremony file, without folders',
  ],
  ['a file that is missing', withCrl({ issuer: { file: 'none.pem', sha256: '0'.repeat(64) } }), 'make.1.issuer.file: '],
  ['no JSON', '{"version": 1,,}', 'ceremony.jsonc:1: Not JSON'],
  ['a field twice', '{\n"version": 1,\n"version": 1}', 'ceremony.jsonc:3: version: Occurs twice. Remove one.'],
])('%s is refused by name', async (_name, wrong, message) => {
  ceremony.write(wrong)
  expect(await lint()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) })
})

test('all wrong fields are named at once, each with its line', async () => {
  ceremony.write({ ...content, version: 2, make: [{ ...rootItem, crlUrl: 'x', module: '/usr/lib/x.so' }] })
  const { stderr } = await lint()
  const lines = readFileSync(ceremony.file, 'utf8').split('\n')
  const named = stderr
    .trim()
    .split('\n')
    .map((line) => /^ceremony\.jsonc:(\d+): (\S+): /.exec(line)?.slice(1) ?? [])
  expect(named.map(([, member]) => member)).toEqual(['version', 'make.0.crlUrl', 'make.0.module'])
  for (const [line, member = ''] of named) expect(lines[Number(line) - 1]).toContain(`"${member.split('.').at(-1)}"`)
})

test('a referenced file that was changed is named with its digest', async () => {
  const issuer = ceremony.addFile('old.pem', 'old')
  ceremony.write({ ...content, make: [{ ...content.make[1], issuer }] })
  expect((await lint()).stderr).toContain('make.0.issuer: old.pem: ')
  writeFileSync(join(ceremony.dir, 'old.pem'), 'new')
  expect((await lint()).stderr).toMatch(
    /make\.0\.issuer\.sha256: Is not the SHA-256 of old\.pem, which is [0-9a-f]{64}\n/,
  )
})

test('a file that is missing, too large or not UTF-8 is named', async () => {
  expect((await lint('none.jsonc')).stderr).toContain('none.jsonc cannot be read')
  ceremony.write(' '.repeat(1_000_001))
  expect((await lint()).stderr).toContain('has more than 1000000 bytes')
  writeFileSync(ceremony.file, Buffer.from([0x7b, 0xff, 0x7d]))
  expect((await lint()).stderr).toContain('ceremony.jsonc: Not UTF-8')
})
