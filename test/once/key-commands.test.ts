import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveLocalhostNames } from '../../api/cli/trustwright/localhost-names.ts'
import { findTenantBySubdomain } from '../../db/repos/tenancy/tenants.ts'
import { hourMs, minuteMs } from '../../shared/clock.ts'
import { type Service, startService } from '../harness/harness.ts'
import { newTerminal } from '../harness/terminal.ts'
import { createTestKeyProvider } from '../harness/test-key-provider.ts'

const token = createTestKeyProvider()
let service: Service
let line: ReturnType<typeof newTerminal>
let tenantId: string
beforeAll(async () => {
  resolveLocalhostNames()
  service = await startService({ keyProviders: [token.provider] })
  const settings = { keys: { certificateAuthorities: 'pkcs11', dids: 'pkcs11' }, createRoot: true, country: 'NZ' }
  const { id, baseUrl, clientId, clientSecret } = await service.addTenant(settings)
  tenantId = id
  const row = await findTenantBySubdomain(service.deps.db.read, 'platform')
  const made = await service.platform.post(`/v1/tenants/${row?.id}/clients`, { name: 'Doctor', roles: ['platform'] })
  const platform = { ...made.body, baseUrl: `http://platform.localhost:${new URL(baseUrl).port}` }
  line = newTerminal({ default: { baseUrl, clientId, clientSecret }, platform })
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

test('keys check shows providers to a tenant, and to the platform also what is missing and unused', async () => {
  const ofTenant = await line.run(['keys', 'check'])
  expect(ofTenant.stdout).toMatch(/^ok +pkcs11 answers: ES256, Ed25519, ECDH-ES$/m)
  expect([ofTenant.code, ofTenant.stdout]).toEqual([0, expect.stringContaining('The keys were not compared')])
  service.clock.advance(2 * minuteMs)
  const check = (...more: string[]) => line.run(['--profile', 'platform', 'keys', 'check', ...more])
  expect(await check()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/pkcs11 has the private keys of all 3 keys/),
  })

  const [[handle, privateKey] = ['', undefined]] = token.stored
  token.stored.delete(handle)
  token.stored.set('test:left', privateKey!)
  token.labels.set('test:left', `${tenantId} webhook left`)
  service.clock.advance(2 * minuteMs)
  expect(await check()).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`lacks private keys (1): ${handle.slice(5)} of`),
  })
  token.stored.set(handle, privateKey!)
  service.clock.advance(2 * hourMs)
  const unused = await check()
  expect(unused).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('pkcs11 has unused private keys (1): test:left'),
  })
  const doctor = await line.run(['--profile', 'platform', 'doctor'])
  expect(doctor.stdout).toMatch(/^warning +keys +pkcs11 has unused private keys \(1\)/m)
  const unconfirmed = await check('--destroy-unused', 'pkcs11')
  expect([unconfirmed.code, unconfirmed.stderr]).toEqual([1, expect.stringContaining('destroy 1 key of pkcs11')])
  expect(token.stored.has('test:left')).toBe(true)
  const confirmed = await check('--destroy-unused', 'pkcs11', '--confirm', 'destroy 1 key of pkcs11')
  expect([confirmed.code, confirmed.stdout]).toEqual([0, expect.stringContaining('Destroyed 1 private key')])
  expect([token.stored.has('test:left'), token.stored.has(handle)]).toEqual([false, true])
})
