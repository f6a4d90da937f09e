import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commands } from '../../api/cli/trustwright/commands.ts'
import { helpOf } from '../../api/cli/trustwright/help.ts'
import { type CommandLine, newCommandLine } from '../harness/command-line.ts'
import { activeIaca, compactConfiguration } from '../harness/factories.ts'
import { joinService, type SharedService } from '../harness/harness.ts'

let service: SharedService
let line: CommandLine
const trustwright: CommandLine['run'] = (...given) => line.run(...given)
const login: CommandLine['login'] = (...given) => line.login(...given)
beforeAll(async () => {
  service = await joinService()
  line = newCommandLine(service)
})
afterAll(async () => {
  line.end()
  await service[Symbol.asyncDispose]()
})

test('a profile is stored for its owner only, after the service accepted the secret', async () => {
  expect(await trustwright(['api', 'GET', '/v1/users'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/trustwright login/),
  })
  const refused = await login([], 'wrong')
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('401') })
  expect(() => statSync(line.config)).toThrow()
  const stored = await login()
  expect(stored).toMatchObject({ code: 0, stderr: '', stdout: `Stored the profile "default" in ${line.config}\n` })
  expect(statSync(line.config).mode & 0o777).toBe(0o600)
  expect(statSync(join(line.dir, 'folder')).mode & 0o777).toBe(0o700)

  const file = join(line.dir, 'secret')
  writeFileSync(file, `${service.clientSecret}\n`)
  const second = await login(['--profile', 'second', '--client-secret-file', file, '--json'], '')
  expect(JSON.parse(second.stdout)).toEqual({
    ...{ profile: 'second', baseUrl: service.origin, clientId: service.clientId, file: line.config },
  })
  expect(Object.keys(JSON.parse(readFileSync(line.config, 'utf8')).profiles)).toEqual(['default', 'second'])
  // Some editors save a file with a byte order mark.
  writeFileSync(line.config, `\ufeff${readFileSync(line.config, 'utf8')}`)
  const third = await trustwright(['api', 'GET', '/v1/users', '--profile', 'third'])
  expect(third).toMatchObject({ code: 1, stderr: expect.stringContaining('default, second') })
})

test.each(['http://issuer.example', 'issuer.example', 'ftp://localhost'])('the base URL %s is refused', async (url) => {
  const outcome = await trustwright(['login', '--base-url', url, '--client-id', 'id'], { input: 'secret' })
  expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('--base-url') })
})

test('any operation can be called, with a body from the command line, a file or standard input', async () => {
  await login()
  const body = { claims: { given_name: 'Ada' } }
  const file = join(line.dir, 'user.json')
  writeFileSync(file, JSON.stringify(body))
  for (const data of [JSON.stringify(body), `@${file}`, '-']) {
    const made = await trustwright(['api', 'post', '/v1/users', '--data', data], { input: JSON.stringify(body) })
    expect([made.code, JSON.parse(made.stdout)]).toMatchObject([0, body])
  }
  const { TRUSTWRIGHT_CONFIG } = { TRUSTWRIGHT_CONFIG: join(line.dir, 'none.json') }
  const { origin, clientId, clientSecret } = service
  const env = {
    ...{ TRUSTWRIGHT_CONFIG, TRUSTWRIGHT_BASE_URL: origin },
    ...{ TRUSTWRIGHT_CLIENT_ID: clientId, TRUSTWRIGHT_CLIENT_SECRET: clientSecret },
  }
  const listed = await trustwright(['api', 'GET', '/v1/users?limit=2', '--json'], { env })
  expect(JSON.parse(listed.stdout).data).toHaveLength(2)
})

test('members that the service does not know are named', async () => {
  await login()
  const data = JSON.stringify({ claims: {}, lable: 'x' })
  const made = await trustwright(['api', 'POST', '/v1/users?expnd=1', '--data', data])
  const stderr = 'The service does not know these members, and ignored them: expnd, lable\n'
  expect(made).toEqual({ code: 0, stdout: expect.stringContaining('"id"'), stderr })
})

test('an error has the message, the fields, the code and the request, and the exit code 1', async () => {
  await login()
  const outcome = await trustwright(['api', 'POST', '/v1/webhooks', '--data', '{}'])
  expect(outcome).toMatchObject({ code: 1, stdout: '' })
  expect(outcome.stderr).toMatch(/^Validation Error; .*url: Required.* \(400, BadRequest, request [\w-]{36}\)\n$/)
})

test('an offer is created and shown as a QR code', async () => {
  await login()
  const id = await compactConfiguration(service)
  const args = ['offers', 'create', '-c', id, '--claims', '{"given_name": "Ada"}', '--code']
  const output = await trustwright([...args, '--qr'])
  expect(output.code).toBe(0)
  expect(output.stdout).toMatch(
    /^[ █▀▄\n]{200,}\nOffer: {3}openid-credential-offer:.*\nPage: .*\nCode: {4}\d+\nExpires: 20/,
  )
  const offer = JSON.parse((await trustwright([...args, '--json'])).stdout)
  expect(offer).toMatchObject({ id: expect.any(String), transactionCode: expect.stringMatching(/^\d+$/) })
  for (const [change, reason] of [
    [['--claims', '[]'], 'a JSON object'],
    [['--claims', '{'], '--claims is not JSON'],
  ] as const) {
    const refused = await trustwright(['offers', 'create', '-c', id, ...change])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) })
  }
})

test('events are printed, also by type', async () => {
  await login()
  await trustwright(['api', 'POST', '/v1/users', '--data', '{}'])
  const read = async (...more: string[]) => (await trustwright(['events', 'tail', '--once', '--json', ...more])).stdout
  await expect.poll(() => read('--type', 'USER_CREATE_SUCCESS')).toContain('USER_CREATE_SUCCESS')
  const types = (await read('--type', 'USER_CREATE_SUCCESS'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type)
  expect(new Set(types)).toEqual(new Set(['USER_CREATE_SUCCESS']))
  expect((await trustwright(['events', 'tail', '--once'])).stdout).toMatch(/^20\S+Z {2}.+ {2}\([A-Z_]+\)$/m)
})

test('what is published is listed with its end', async () => {
  await login()
  await activeIaca(service)
  const { stdout } = await trustwright(['published', 'list', '--json'])
  const all: { kind: string; secondsLeft: number }[] = JSON.parse(stdout)
  const soonest = Math.min(...all.map(({ secondsLeft }) => secondsLeft))
  expect(all.length).toBeGreaterThan(0)
  const days = Math.floor(soonest / 86_400)
  expect((await trustwright(['published', 'list', '--ending', `${days}d`])).stdout.trim()).toBe('')
  expect((await trustwright(['published', 'list', '--ending', 'soon'])).stderr).toContain('--ending must be')
})

test('the help names each command, and each command has options and examples', async () => {
  const { code, stdout } = await trustwright([])
  expect(code).toBe(0)
  for (const command of commands) {
    const { name } = command
    expect(stdout).toContain(`  ${name}`)
    expect(helpOf(command)).toMatch(new RegExp(`^trustwright ${name} .*\\n\\nExamples:\\n {2}.*${name}`, 's'))
  }
  const help = (await trustwright(['offers', 'create', '--help'])).stdout
  for (const part of ['-c, --configuration NAME', '--qr', '--profile NAME', 'Examples:']) expect(help).toContain(part)
})

test('commands and options are completed in bash', async () => {
  const { stdout: script } = await trustwright(['completion', 'bash'])
  const complete = (...words: string[]) => {
    const typed = `COMP_WORDS=(trustwright ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}`
    const { stdout } = spawnSync('bash', ['-c', `${script}\n${typed}\n_trustwright; echo "\${COMPREPLY[@]}"`])
    return String(stdout).trim().split(' ')
  }
  expect(complete('o')).toEqual(['offers'])
  expect(complete('offers', '')).toEqual(['create', 'list', 'show', 'timeline'])
  expect(complete('offers', 'create', '--q')).toEqual(['--qr'])
  expect(complete('webhooks', 'replay', 'ID', '--status', '')).toEqual(['delivered', 'failed'])
  expect(complete('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh']))
  // Nothing is completed here, so that bash completes files.
  expect(complete('users', 'import', '--profile', '')).toEqual([''])
  for (const { name, options } of commands) {
    const words = name.split(' ')
    expect(complete(...words)).toContain(words.at(-1))
    expect(complete(...words, '--')).toEqual(expect.arrayContaining(Object.keys(options).map((each) => `--${each}`)))
  }
  for (const before of [['help'], ['--json'], ['--profile', 'test'], ['--profile', '=', 'test', '--json']])
    expect(complete(...before, 'offers', 'create', '--q')).toEqual(['--qr'])
  expect(complete('--profile', '')).toEqual([''])
  expect(complete('')).toEqual(expect.arrayContaining(['login', 'events', 'api', 'help', '--version']))
})

test('commands and options are completed in zsh', { tags: 'zsh' }, async () => {
  const { stdout: script } = await trustwright(['completion', 'zsh'])
  const complete = (...words: string[]) => {
    // `compadd -a` gets the name of an array with the choices.
    const shell = `compdef() { }; compadd() { shift; print -- \${(P)1} }; _files() { print files }\n${script}`
    const typed = `words=(trustwright ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}`
    return String(spawnSync('zsh', ['-c', `${shell}\n${typed}\n_trustwright`]).stdout)
      .trim()
      .split(' ')
  }
  expect(complete('offers', '')).toEqual(['create', 'list', 'show', 'timeline'])
  expect(complete('offers', 'create', '')).toContain('--qr')
  expect(complete('webhooks', 'replay', 'ID', '--status', '')).toEqual(['delivered', 'failed'])
  expect(complete('api', 'POST', '/v1/users', '--data', '')).toEqual(['files'])
  expect(complete('')).toEqual(expect.arrayContaining(['login', 'events', 'api']))
})
