import { readFileSync, statSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { joinService } from '../harness/harness.ts'
import { newTerminal } from '../harness/terminal.ts'

const service = await joinService()
const { baseUrl, clientId, clientSecret } = service
const client = { baseUrl, clientId, clientSecret }
const { headers } = await service.anonymous.post('/console/session', { clientId, clientSecret }, { 'X-Console': '1' })
const [cookie = ''] = String(headers['set-cookie']).split(';')
const line = newTerminal({ default: client, person: { baseUrl, cookie } })
afterAll(async () => {
  line.end()
  await service[Symbol.asyncDispose]()
})

test('whoami shows the subject, the tenant, the roles, the address and the end of the session', async () => {
  const asClient = await line.run(['whoami'])
  expect(asClient).toMatchObject({ code: 0, stderr: '' })
  const lines = [
    `Name: {4}.+ \\(client ${clientId}\\)`,
    `Tenant: {2}.+ \\(${service.id}\\)`,
    'Roles: {3}admin',
    `Address: ${baseUrl}`,
    'Profile: default\n$',
  ]
  expect(asClient.stdout).toMatch(new RegExp(`^${lines.join('\n')}`))
  const ofSession = await line.run(['--profile', 'person', 'whoami'])
  expect(ofSession.stdout).toMatch(/Profile: person\nSession: until 20\S+Z, or until 20\S+Z if it is not used\n$/)
  const { stdout } = await line.run(['whoami', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ clientId, baseUrl, profile: 'default', roles: ['admin'] })
  const variables = {
    TRUSTWRIGHT_BASE_URL: baseUrl,
    TRUSTWRIGHT_CLIENT_ID: clientId,
    TRUSTWRIGHT_CLIENT_SECRET: clientSecret,
  }
  expect((await line.run(['whoami'], variables)).stdout).toContain('Profile: none, the client is that of the variables')
})

test('logout ends the session at the service and forgets the profile, and only this one', async () => {
  const listed = (await line.run(['profiles', 'list'])).stdout.split('\n')
  expect(listed).toEqual([
    `* default  ${baseUrl}  client ${clientId}`,
    `  person   ${baseUrl}  session of a person`,
    '',
  ])
  const read = () => service.anonymous.get('/console/session', { Cookie: cookie, 'X-Console': '1' })
  expect(await read()).toMatchObject({ status: 200 })
  const stdout = `Removed the profile "person" from ${line.config}, and ended its session\n`
  expect(await line.run(['logout'], { TRUSTWRIGHT_PROFILE: 'person' })).toEqual({ code: 0, stdout, stderr: '' })
  expect(await read()).toMatchObject({ status: 401 })
  expect(statSync(line.config).mode & 0o777).toBe(0o600)
  expect(readFileSync(line.config, 'utf8')).not.toContain(cookie)
  expect(await line.run(['logout', '--profile', 'person'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has no profile "person", but default'),
  })
  expect((await line.run(['profiles', 'list', '--json'])).stdout).toBe(
    `${JSON.stringify({ profile: 'default', baseUrl, clientId, isUsed: true })}\n`,
  )
})

test('logout forgets a session of a service that cannot be reached, with a warning', async () => {
  const lost = newTerminal({ default: { baseUrl: 'http://127.0.0.1:9', cookie } })
  const { code, stdout, stderr } = await lost.run(['logout', '--json'])
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `${JSON.stringify({ profile: 'default', file: lost.config, sessionEnded: false })}\n`,
  })
  expect(stderr).toMatch(
    /^Warning: The session was not ended at the service: http:\/\/127\.0\.0\.1:9 cannot be reached/,
  )
  expect((await lost.run(['profiles', 'list'])).stdout).toBe('')
  lost.end()
})

test('any command prints the warnings of an answer to standard error', async () => {
  const offer = { credentials: [await compactConfiguration(service)], claims: {} }
  const args = ['api', 'POST', '/v1/openid/offers/pre-authorized', '--data', JSON.stringify(offer), '--json']
  const { stdout, stderr } = await line.run(args)
  const [{ claim, message }] = JSON.parse(stdout).warnings
  expect(stderr).toBe(`Warning: ${claim}: ${message}\n`)
  expect(stderr).toMatch(/^Warning: given_name: The configuration \S+ requires the claim\. /)
})
