import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCommands, required } from '../../harness/commands.ts'
import { eventually } from '../../harness/harness.ts'
import { makeToken, type TestToken } from '../../harness/softhsm.ts'

const tags = { tags: 'pkcs11' as const }
const commands = createCommands({})
const sealKey = 'workers/signing/keys/pkcs11/make-key.ts seal-key'
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
  expect(refusals[1].output).toContain('KEY_ENCRYPTION_KEY names a token. Set PKCS11_MODULE')
})

async function newKeyInToken(label: string): Promise<string> {
  const { code, stdout, stderr } = await commands.run(`workers/signing/keys/pkcs11/make-key.ts make-key ${label}`, env)
  expect([code, stderr]).toEqual([0, ''])
  return stdout.trim()
}

test('a signing process has key-encryption keys in the token, beside sealed ones and one in clear', tags, async () => {
  expect(await commands.run('db/cli/migrate.ts', env)).toMatchObject({ code: 0 })
  const first = await newKeyInToken('one')
  expect(first).toMatch(/^pkcs11:token=issuer%20one;id=[%\da-f]+;object=one;type=secret-key$/)
  expect(await newKeyInToken('one')).toBe(first)
  const [second, sealed, clear] = [
    await newKeyInToken('two'),
    await newSealedKey('seal'),
    randomBytes(32).toString('base64'),
  ]

  const names = await namesOfKeys([first, sealed, second, clear, first].join(','))

  expect([names.length, new Set(names).size]).toEqual([4, 4])
  expect(await namesOfKeys(second)).toEqual([names[2]])
})

test(
  'a secret key that the token lacks, has twice or reveals, and another URI, end the start with one line',
  tags,
  async () => {
    await made.addSecretKey('revealed', { isExtractable: true })
    for (let n = 0; n < 2; n++) await made.addSecretKey('twice', { isExtractable: false })
    const uriOf = (object: string) => `pkcs11:token=issuer%20one;id=%61;object=${object};type=secret-key`
    const refusals = await Promise.all(
      [uriOf('absent'), uriOf('twice'), uriOf('revealed'), 'pkcs11:object=first;type=private'].map(async (key) => {
        const { code, output } = await commands.run('workers/main.ts signing', { ...env, KEY_ENCRYPTION_KEY: key })
        expect([code, output.trim().split('\n').length]).toEqual([1, 1])
        return output
      }),
    )
    expect(refusals).toEqual([
      expect.stringContaining('The token has no key with the label absent and the id a.'),
      expect.stringContaining('The token has 2 keys with the label twice and the id a. Destroy all but one.'),
      expect.stringContaining('The secret key with the label revealed and the id a can leave the token.'),
      expect.stringContaining('KEY_ENCRYPTION_KEY is not the URI of a key with token, id, object and type=secret-key.'),
    ])
  },
)
