import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCommands, required } from '../../harness/commands.ts'
import { eventually } from '../../harness/harness.ts'
import { makeToken, type TestToken } from '../../harness/softhsm.ts'

const tags = { tags: 'pkcs11' as const }
const commands = createCommands({})
const sealKey = 'workers/signing/keys/pkcs11/seal-key.ts'
let made: TestToken
let env: Record<string, string>

beforeAll(() => {
  made = makeToken()
  const { module, uri, pinFile } = made.settings
  const { SOFTHSM2_CONF = '' } = process.env
  const token = { PKCS11_MODULE: module, PKCS11_TOKEN: uri, PKCS11_PIN_FILE: pinFile, SOFTHSM2_CONF }
  env = { ...required, ...token, DATA_DIR: made.folder, DATABASE_URL: `file:${made.folder}/service.db` }
})
afterAll(async () => {
  commands.end()
  await made[Symbol.asyncDispose]()
})

async function newSealedKey(label: string): Promise<string> {
  const { code, stdout, stderr } = await commands.run(`${sealKey} ${label}`, env)
  expect([code, stderr]).toEqual([0, ''])
  return stdout.trim()
}

/** The names of the key-encryption keys in the log of a signing process that works. */
async function namesOfKeys(KEY_ENCRYPTION_KEY: string): Promise<string[]> {
  const signing = commands.start('workers/main.ts signing', { ...env, KEY_ENCRYPTION_KEY })
  const line = await eventually(async () => {
    if (signing.process.exitCode !== null) throw new Error(signing.output())
    return signing
      .output()
      .split('\n')
      .find((each) => each.includes('"msg":"working"'))
  })
  signing.process.kill('SIGKILL')
  return JSON.parse(line).keyEncryptionKeys
}

test('a signing process opens the keys that the token sealed, beside a key in clear', tags, async () => {
  expect(await commands.run('db/cli/migrate.ts', env)).toMatchObject({ code: 0 })
  const [first, second] = [await newSealedKey('first'), await newSealedKey('second')]
  expect(first).toMatch(/^pkcs11:token=issuer%20one;id=[%\da-f]+;object=first;type=secret-key\?x-sealed=[\w-]{80}$/)
  const clear = randomBytes(32).toString('base64')

  const names = await namesOfKeys(`${first},${second},${clear}`)

  expect(new Set(names).size).toBe(3)
  expect(await namesOfKeys(second)).toEqual([names[1]])
})

test('a sealed key that was changed, or whose token is not set, ends the start with one line', tags, async () => {
  const sealed = await newSealedKey('first')
  const changed = sealed.slice(0, -4) + (sealed.endsWith('AAAA') ? 'BBBB' : 'AAAA')
  const withoutToken = { PKCS11_MODULE: '', PKCS11_TOKEN: '', PKCS11_PIN_FILE: '' }
  const refusals = await Promise.all([
    commands.run('workers/main.ts signing', { ...env, KEY_ENCRYPTION_KEY: changed }),
    commands.run('workers/main.ts signing', { ...env, ...withoutToken, KEY_ENCRYPTION_KEY: sealed }),
  ])
  expect(refusals.map(({ code, output }) => [code, output.trim().split('\n').length])).toEqual([
    [1, 1],
    [1, 1],
  ])
  expect(refusals[0].output).toContain(
    'The token issuer one does not open KEY_ENCRYPTION_KEY: The token refused to decrypt',
  )
  expect(refusals[1].output).toContain('A token has sealed KEY_ENCRYPTION_KEY. Set PKCS11_MODULE')
})
