import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { commands } from '../../api/cli/trustwright/commands.ts'
import { routes } from '../../api/routes.ts'
import { joinWithCommandLine, newCommandLine, program } from '../harness/command-line.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { newTerminal } from '../harness/terminal.ts'

const { service, line, end } = await joinWithCommandLine()
const terminal = newTerminal({})
afterAll(async () => {
  terminal.end()
  await end()
})

/** The three variables of a client, which replace a profile. */
const variables = () => ({
  TRUSTWRIGHT_BASE_URL: service.origin,
  TRUSTWRIGHT_CLIENT_ID: service.clientId,
  TRUSTWRIGHT_CLIENT_SECRET: service.clientSecret,
})
const api = ['api', 'GET', '/v1/users?limit=1']

test('login stores the profile of TRUSTWRIGHT_PROFILE', async () => {
  const own = newCommandLine(service)
  const options = { input: service.clientSecret, env: { TRUSTWRIGHT_PROFILE: 'test' } }
  const args = ['login', '--base-url', service.origin, '--client-id', service.clientId]
  expect(await own.run(args, options)).toMatchObject({
    code: 0,
    stdout: `Stored the profile "test" in ${own.config}\n`,
  })
  expect(Object.keys(JSON.parse(readFileSync(own.config, 'utf8')).profiles)).toEqual(['test'])
  own.end()
})

test('variables of only a part of a client are refused, and --profile ignores them', async () => {
  const { TRUSTWRIGHT_BASE_URL, TRUSTWRIGHT_CLIENT_ID } = variables()
  const env = { TRUSTWRIGHT_BASE_URL, TRUSTWRIGHT_CLIENT_ID }
  const stderr =
    'Set TRUSTWRIGHT_CLIENT_SECRET too, or use --profile: TRUSTWRIGHT_BASE_URL and TRUSTWRIGHT_CLIENT_ID are set.\n'
  expect(await line.run(api, { env })).toEqual({ code: 1, stdout: '', stderr })
  expect(await line.run([...api, '--profile', 'default'], { env })).toMatchObject({ code: 0 })
})

test.each(['localhost:3000', 'issuer', 'ftp://issuer.example'])(
  'the variable with the URL %s is refused',
  async (url) => {
    const env = { ...variables(), TRUSTWRIGHT_BASE_URL: url }
    const stderr = 'TRUSTWRIGHT_BASE_URL must be a URL such as https://acme.issuer.example\n'
    expect(await line.run(api, { env })).toEqual({ code: 1, stdout: '', stderr })
  },
)

test('a refused client is named by its source', async () => {
  const env = { ...variables(), TRUSTWRIGHT_CLIENT_SECRET: 'wrong' }
  const { stderr } = await line.run(api, { env })
  expect(stderr).toMatch(
    /^Unauthorized \(invalid_client\): .+\. Check TRUSTWRIGHT_CLIENT_ID and TRUSTWRIGHT_CLIENT_SECRET \(401, /,
  )
  const refused = await line.login([], 'wrong')
  expect(refused.stderr).toMatch(/^Unauthorized \(invalid_client\): .+\. Check --client-id and the secret \(401, /)
})

test('a role that is missing is named', async () => {
  const path = `/v1/tenants/${service.id}/clients`
  const { body } = await service.operator.post(path, { name: 'Help', roles: ['helpdesk'] })
  const env = { ...variables(), TRUSTWRIGHT_CLIENT_ID: body.clientId, TRUSTWRIGHT_CLIENT_SECRET: body.clientSecret }
  const { code, stderr } = await line.run(['api', 'POST', '/v1/users', '--data', '{}'], { env })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^The client needs one of the roles admin, .+\. Roles of the client: helpdesk\. \(403, /)
})

test('a service that cannot be reached is named, with the reason', async () => {
  // The port is free: its server has ended.
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const url = `http://localhost:${port}`
  const { stdout, stderr } = await line.run(['doctor'], { env: { ...variables(), TRUSTWRIGHT_BASE_URL: url } })
  expect(stderr).toBe('')
  expect(stdout).toMatch(new RegExp(`^error    service       ${url} cannot be reached: .*ECONNREFUSED`, 'm'))
  expect(stdout).toMatch(new RegExp(`^error    credentials   ${url} cannot be reached: .*ECONNREFUSED`, 'm'))
  const https = service.origin.replace('http:', 'https:')
  const { stdout: asHttps } = await line.run(['doctor'], { env: { ...variables(), TRUSTWRIGHT_BASE_URL: https } })
  expect(asHttps).toMatch(/^error {4}service {7}https:\S+ cannot be reached: ERR_SSL\w+$/m)
})

test('a command that tries again says so once per outage, on standard error', async () => {
  let lost = 0
  // The token request and the request after it each lose two connections.
  const server = createServer((request, response) => {
    if (lost++ % 3 < 2) return void request.socket.destroy()
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(request.url === '/oauth/token' ? '{"access_token": "token", "expires_in": 300}' : '{"data": []}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const outcome = await line.run([...api, '--json'], { env: { ...variables(), TRUSTWRIGHT_BASE_URL: url } })
  server.close()
  const notice = `${url} cannot be reached. Trying again for 30 s.\n`
  expect(outcome).toEqual({ code: 0, stdout: '{"data":[]}\n', stderr: notice.repeat(2) })
})

test('a file that cannot be uploaded is named', async () => {
  const file = join(line.dir, 'missing.csv')
  const args = ['bulk', 'run', file, '--validate-only', '--configuration', randomUUID(), '--external-id', 'number']
  const { stderr } = await line.run(args)
  expect(stderr).toMatch(/^\S+missing\.csv cannot be read: ENOENT/)
})

test.each([
  [['offers', 'create', '--configuration', 'ID', 'extra'], 'offers create has no argument "extra".'],
  [['completion', 'bash', 'extra'], 'completion has no argument "extra".'],
  [['bulk', 'show', 'ID', 'extra'], 'bulk show has no argument "extra".'],
  [['api', 'GET', '/v1/users', 'extra'], 'api has no argument "extra".'],
  [['config', 'plan', 'tenant'], 'config plan has no argument "tenant". Did you mean "--folder tenant"?'],
  [['doctor', '--typo'], `Unknown option '--typo'. "trustwright doctor --help" shows the options.\n`],
  [['bulk'], 'There is no command "bulk". The commands of bulk are run, list, show,'],
  [['bulk', 'begin', '--code'], 'There is no command "bulk begin". The commands of bulk are run,'],
  [['begin', '--secret', 'abc'], 'There is no command "begin". "trustwright --help" lists the commands.\n'],
  [['--version', 'extra'], '--version has no argument.'],
])('the words %j are refused with advice', async (args, message) => {
  const { code, stdout, stderr } = await line.run(args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.startsWith(message), stderr).toBe(true)
})

test.each(commands.filter(({ usage }) => !usage.includes('...')).map(({ name, usage }) => [name, usage] as const))(
  '%s refuses an argument after %j',
  (name, usage) => {
    const args = [...name.split(' '), ...usage.split(' ').filter(Boolean), 'extra/']
    return terminal.run(args).then(({ code, stderr }) => {
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${name} has no argument "extra/".`)])
    })
  },
)

test('a file of an option that cannot be read is named', async () => {
  const missing = join(line.dir, 'missing')
  for (const args of [
    ['login', '--base-url', service.origin, '--client-id', service.clientId, '--client-secret-file', missing],
    ['api', 'POST', '/v1/users', '--data', `@${missing}`],
  ])
    expect(await line.run(args)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^\S+missing cannot be read: ENOENT/),
    })
})

test('errors of a bulk issuance replace earlier errors, but no other file', async () => {
  const configuration = await compactConfiguration(service)
  const people = join(line.dir, 'people.csv')
  writeFileSync(people, 'number,given_name\n1,Ada\n2,\n')
  const errors = join(line.dir, 'errors.csv')
  const bulk = ['bulk', 'run', people, '--validate-only', '-c', configuration, '--external-id', 'number', '--json']
  const refusal = expect.stringContaining('people.csv exists and is not a file of errors')
  expect(await line.run([...bulk, '--errors', people])).toMatchObject({ code: 1, stdout: '', stderr: refusal })
  for (const _run of ['first', 'second']) {
    const { stdout } = await line.run([...bulk, '--errors', errors])
    const { id } = JSON.parse(stdout)
    expect(readFileSync(errors, 'utf8')).toMatch(/^row,externalId,column,code,message\r\n2,/)
    expect(await line.run(['bulk', 'errors', id, '--out', people])).toMatchObject({ code: 1, stderr: refusal })
    expect(await line.run(['bulk', 'errors', id, '--out', errors])).toMatchObject({ code: 0, stderr: '' })
  }
  expect(readFileSync(people, 'utf8')).toBe('number,given_name\n1,Ada\n2,\n')
})

test('an offer without a required claim is created with a warning', async () => {
  const configuration = await compactConfiguration(service)
  const { code, stdout, stderr } = await line.run(['offers', 'create', '-c', configuration])
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Offer: /) })
  expect(stderr).toMatch(/^Warning: given_name: The configuration \S+ requires the claim\. /)
})

test('a replay needs either a time or a delivery', async () => {
  const replay = ['webhooks', 'replay', randomUUID()]
  const stderr = expect.stringContaining('Give --since or --delivery')
  expect(await line.run(replay)).toMatchObject({ code: 1, stderr })
  expect(await line.run([...replay, '--since', '1h', '--delivery', randomUUID()])).toMatchObject({ code: 1, stderr })
})

test('the examples of the help name types of events that exist', () => {
  const examples = commands.flatMap((command) => command.examples)
  const named = examples.flatMap((example) => /--type ([A-Z_]+_(START|SUCCESS|FAIL))/.exec(example)?.[1] ?? [])
  const events = new Set<string>(routes.map(({ event }) => event).filter((event) => event !== undefined))
  expect(named).not.toEqual([])
  expect(named.filter((type) => !events.has(type.replace(/_(START|SUCCESS|FAIL)$/, '')))).toEqual([])
})

test('a command whose output has no reader any more, such as after head, ends without a message', async () => {
  const script = 'exec 3> >(true); wait $!; "$0" "$1" completion bash >&3; echo $?'
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script, process.execPath, program])
  expect({ stdout, stderr }).toEqual({ stdout: '1\n', stderr: '' })
})
