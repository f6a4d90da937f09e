import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { readConfig, readKeyEncryptionKeys, withKeyFiles } from '../../shared/config.ts'
import { Misconfigured } from '../../shared/dependency.ts'

const folder = mkdtempSync(join(tmpdir(), 'trustwright-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let DATA_DIR: string
beforeEach(() => {
  DATA_DIR = mkdtempSync(join(folder, 'data-'))
})

const key = randomBytes(32).toString('base64')
const production = { NODE_ENV: 'production', PLATFORM_DOMAIN: 'issuer.example' }
const postgres = { DATABASE_URL: 'postgres://somewhere/trustwright' }

/** The words of the refusal. */
function refusal(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof Misconfigured) return error.message
    throw error
  }
  return 'nothing was wrong'
}

test.each([
  ['in production', production],
  ['with PostgreSQL', postgres],
])('%s both keys are required by name, and none is made', (_where, env) => {
  expect(refusal(() => readConfig({ DATA_DIR, ...env }))).toMatch(
    /^SERVICE_SECRET is missing.*the same for every process/,
  )
  expect(refusal(() => readKeyEncryptionKeys({ DATA_DIR, ...env }))).toMatch(
    /^KEY_ENCRYPTION_KEY is missing.*the same for every signing process, and for no other/,
  )
  expect(existsSync(join(DATA_DIR, 'service-secret'))).toBe(false)
  expect(existsSync(join(DATA_DIR, 'key-encryption-key'))).toBe(false)
  expect(readConfig({ DATA_DIR, ...env, SERVICE_SECRET: key }).serviceSecrets[0].toString('base64')).toBe(key)
  expect(readKeyEncryptionKeys({ DATA_DIR, ...env, KEY_ENCRYPTION_KEY: `${key},${key}` })).toHaveLength(1)
})

test('whoever had a key in a file is told where it is', () => {
  const { SERVICE_SECRET, KEY_ENCRYPTION_KEY } = withKeyFiles<NodeJS.ProcessEnv>({ DATA_DIR })
  for (const [name, file, value] of [
    ['SERVICE_SECRET', 'service-secret', SERVICE_SECRET],
    ['KEY_ENCRYPTION_KEY', 'key-encryption-key', KEY_ENCRYPTION_KEY],
  ] as const) {
    const read = name === 'SERVICE_SECRET' ? readConfig : readKeyEncryptionKeys
    const words = refusal(() => read({ DATA_DIR, ...production }))
    expect(words).toContain(`the one that was used so far is in ${join(DATA_DIR, file)}.`)
    expect(readFileSync(join(DATA_DIR, file), 'utf8').trim()).toBe(value)
    expect(words).not.toContain(value)
  }
})

test('`npm start` passes keys on: those that it is given, else its own, which stay the same', () => {
  const first = withKeyFiles({ DATA_DIR, ...production })
  expect(withKeyFiles({ DATA_DIR, ...production, KEY_ENCRYPTION_KEY: '' })).toEqual(first)
  expect(withKeyFiles({ DATA_DIR, ...production, SERVICE_SECRET: key }).SERVICE_SECRET).toBe(key)
  expect(readConfig(first).serviceSecrets[0]).toHaveLength(32)
  expect(readKeyEncryptionKeys(first)).toHaveLength(1)
  // Processes that run beside it, in development, take the same from its folder.
  expect(readConfig({ DATA_DIR }).serviceSecrets).toEqual(readConfig(first).serviceSecrets)
})

test('a key that is too short is refused by its name, and not repeated', () => {
  const short = randomBytes(16).toString('base64')
  const words = refusal(() => readConfig({ DATA_DIR, SERVICE_SECRET: short }))
  expect(words).toMatch(/^SERVICE_SECRET has to be 32 bytes in base64/)
  expect(words).not.toContain(short)
})
