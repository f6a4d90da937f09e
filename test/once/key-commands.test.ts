import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveLocalhostNames } from '../../api/cli/trustwright/localhost-names.ts'
import { type Service, startService } from '../harness/harness.ts'
import { newTerminal } from '../harness/terminal.ts'
import { createTestKeyProvider } from '../harness/test-key-provider.ts'

const token = createTestKeyProvider()
let service: Service
let line: ReturnType<typeof newTerminal>
beforeAll(async () => {
  resolveLocalhostNames()
  service = await startService({ keyProviders: [token.provider] })
  const settings = { keys: { certificateAuthorities: 'pkcs11', dids: 'pkcs11' }, createRoot: true, country: 'NZ' }
  const { baseUrl, clientId, clientSecret } = await service.addTenant(settings)
  line = newTerminal({ default: { baseUrl, clientId, clientSecret } })
})
afterAll(async () => {
  line.end()
  await service[Symbol.asyncDispose]()
})

const linesOf = ({ stdout }: { stdout: string }) => stdout.split('\n').filter(Boolean)

test('keys list shows the keys in a provider', async () => {
  const listed = await line.run(['keys', 'list', '--provider', 'pkcs11'])
  expect(listed).toMatchObject({ code: 0, stderr: '' })
  expect(linesOf(listed)).toHaveLength(3)
  expect(listed.stdout).toMatch(/^\S+ +certificate +ES256 +pkcs11 +in use +certificate \S+$/m)
  expect(listed.stdout).toMatch(/^\S+ +credentials +Ed25519 +pkcs11 +in use +tenant$/m)
})

test('keys rotate replaces the keys of a purpose, and names the purposes', async () => {
  const rotated = await line.run(['keys', 'rotate', 'webhooks', '--json'])
  expect(rotated.code).toBe(0)
  const { id } = JSON.parse(rotated.stdout)
  const keys = linesOf(await line.run(['keys', 'list', '--json'])).map((text) => JSON.parse(text))
  const ofWebhooks = keys.filter(({ purpose }) => purpose === 'webhooks')
  expect(ofWebhooks.map((key) => [key.id === id, key.retiredAt === null])).toEqual([
    [false, false],
    [true, true],
  ])
  const wrong = await line.run(['keys', 'rotate', 'webhook'])
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('Give the purpose of the keys: credentials')])
})
