import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newEcosystem, newParticipant, newType } from '../api/ecosystems/factories.ts'
import { type CommandLine, newCommandLine } from '../harness/command-line.ts'
import { activeIaca, compactConfiguration, sdJwtConfiguration } from '../harness/factories.ts'
import { joinService, type SharedService } from '../harness/harness.ts'

const examples = join(import.meta.dirname, '../../examples/tenants')

// Each test has a service of its own, because the command line reaches only its first tenant by address.
let service: SharedService
let line: CommandLine
beforeEach(async () => {
  service = await joinService()
  line = newCommandLine(service)
  expect(await line.login()).toMatchObject({ code: 0 })
})
afterEach(async () => {
  line.end()
  await service[Symbol.asyncDispose]()
})

const inFolder = () => join(line.dir, 'tenant')
const config = (command: string, ...more: string[]) =>
  line.run(['config', command, '--folder', inFolder(), ...more], { env })
const env = { REGISTER_KEY: 'a-key-of-the-register-1' }

function write(path: string, text: string) {
  const file = join(inFolder(), path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
}

const register = `{
  // The register of the university.
  "name": "Register",
  "url": { "$var": "REGISTER_URL" },
  "authorization": { "type": "api-key", "value": { "$secret": "REGISTER_KEY" } },
}
`

test('a folder is planned, applied and planned again', async () => {
  write('claim-sources/register.jsonc', register)
  const variables = ['--var', 'REGISTER_URL=https://register.example.org/q']
  const planned = await config('plan', ...variables)
  expect(planned).toMatchObject({ code: 2, stdout: '+ create  claim-sources/register\n1 change\n', stderr: '' })
  expect(await config('apply', ...variables)).toMatchObject({ code: 1, stderr: expect.stringMatching(/--yes/) })
  expect(await config('apply', '--yes', ...variables)).toMatchObject({ code: 0, stdout: 'Made 1 change\n' })
  expect(await config('plan', ...variables)).toMatchObject({ code: 0 })
  write('claim-sources/register.jsonc', register.replace('"Register"', '"Other"'))
  expect((await config('plan', ...variables)).stdout).toContain('    name: "Register" -> "Other"\n')
  const file = join(line.dir, 'variables.json')
  writeFileSync(file, '{"REGISTER_URL": "https://other.example.org/"}')
  expect((await config('drift', '--var-file', file)).stdout).toContain('    url: "https://register')
})

test('more changes than one request makes are applied', async () => {
  const source = {
    url: 'https://register.example.org/',
    authorization: { type: 'api-key', value: { $secret: 'REGISTER_KEY' } },
  }
  const wallet = { redirectUris: ['https://wallet.example.org/callback'] }
  for (let at = 0; at < 501; at++) {
    write(`claim-sources/${at}.jsonc`, JSON.stringify({ name: `Source ${at}`, ...source }))
    write(`wallets/${at}.jsonc`, JSON.stringify({ name: `Wallet ${at}`, ...wallet }))
  }
  expect(await config('apply', '--yes')).toMatchObject({ code: 0, stdout: 'Made 1002 changes\n', stderr: '' })
  expect(await config('plan')).toMatchObject({ code: 0 })
})

test('a plan that was stored is applied only if nothing changed since', async () => {
  write('webhooks/crm.jsonc', '{"events": ["OpenIdCredentialIssued"], "url": "https://crm.example.org/"}')
  const plan = join(line.dir, 'plan.json')
  writeFileSync(plan, (await config('plan', '--json')).stdout)
  expect(await config('apply', '--yes', '--plan', plan)).toMatchObject({ code: 0 })
  const again = await config('apply', '--yes', '--plan', plan)
  expect(again).toMatchObject({ code: 1, stderr: 'webhooks/crm.jsonc:1: Was created after the plan\n' })
})

test('a plan that was stored is applied only with the files, variables and secrets that were reviewed', async () => {
  const variables = ['--var', 'REGISTER_URL=https://register.example.org/q']
  write('claim-sources/register.jsonc', register)
  const plan = join(line.dir, 'plan.json')
  writeFileSync(plan, (await config('plan', '--json', ...variables)).stdout)
  const apply = (...more: string[]) => config('apply', '--yes', '--plan', plan, ...more)
  const refused = { code: 1, stderr: expect.stringMatching(/Make a new plan/) }
  write('claim-sources/register.jsonc', register.replace('"Register"', '"Other"'))
  expect(await apply(...variables)).toMatchObject(refused)
  write('claim-sources/register.jsonc', register)
  expect(await apply('--var', 'REGISTER_URL=https://other.example.org/')).toMatchObject(refused)
  expect((await service.operator.get('/v1/claim-sources')).body.data).toEqual([])
  expect(await apply(...variables)).toMatchObject({ code: 0 })
  writeFileSync(plan, (await config('plan', '--json', ...variables)).stdout)
  const secrets = { REGISTER_KEY: 'another-key-of-the-register' }
  const folder = ['--folder', inFolder(), ...variables]
  const unreviewed = await line.run(['config', 'apply', '--yes', '--plan', plan, ...folder], { env: secrets })
  expect(unreviewed).toMatchObject(refused)
})

test('faults have the file and the line', async () => {
  write('claim-sources/register.jsonc', register.replace('"name": "Register"', '"name": 5'))
  write('webhooks/a.jsonc', '{\n  "url" "x"\n}')
  write('webhooks/Upper.jsonc', '{}')
  expect((await config('validate')).stderr).toBe(
    'webhooks/Upper.jsonc: No kind of object has files at this path. A name has lower-case letters, digits, - and _.\nwebhooks/a.jsonc:2: Not JSON: a colon is missing\n',
  )
  write('webhooks/a.jsonc', '{}')
  rmSync(join(inFolder(), 'webhooks/Upper.jsonc'))
  const { code, stderr } = await config('plan', '--var', 'REGISTER_URL=https://register.example.org/q')
  expect(code).toBe(1)
  expect(stderr.split('\n')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^claim-sources\/register\.jsonc:3: name: /),
      'webhooks/a.jsonc:1: url: Required',
    ]),
  )
  expect((await config('plan')).stderr).toContain(
    'claim-sources/register.jsonc:4: url: The variable REGISTER_URL has no value. Set it with --var or --var-file, or as the environment variable TRUSTWRIGHT_VAR_REGISTER_URL.\n',
  )
})

test('a plan shows the faults of all files at once, also if one is not JSON', async () => {
  write('claim-sources/register.jsonc', register.replace('"name": "Register"', '"name": 5'))
  write('claim-sources/broken.jsonc', '{\n  name: "Broken"\n}')
  const claimSourceId = '{"$ref": "claim-sources/broken"}'
  write('configurations/compact/card.jsonc', card.replace('"type"', `"claimSourceId": ${claimSourceId}, "type"`))
  write('webhooks/crm.jsonc', '{\n  "events": [],\n  "url": "https://crm.example.org/"\n}')
  write('webhooks/Upper.jsonc', '{}')
  write('webhooks/list.json', '[]')
  const { REGISTER_KEY: _left, ...noSecrets } = env
  const faults = [
    'claim-sources/broken.jsonc:2: Not JSON: names and texts have double quotes. Other values are numbers, true, false and null',
    'claim-sources/register.jsonc:3: name: Must be a string',
    'claim-sources/register.jsonc:4: url: The variable REGISTER_URL has no value. Set it with --var or --var-file, or as the environment variable TRUSTWRIGHT_VAR_REGISTER_URL.',
    'claim-sources/register.jsonc:5: authorization.value: The secret REGISTER_KEY has no value. Set it as the environment variable REGISTER_KEY.',
    'webhooks/Upper.jsonc: No kind of object has files at this path. A name has lower-case letters, digits, - and _.',
    expect.stringMatching(/^webhooks\/crm\.jsonc:2: events: /),
    'webhooks/list.json:1: Must be a JSON object',
  ]
  for (const command of [['plan', '--prune'], ['apply', '--yes'], ['drift']]) {
    const { code, stderr } = await line.run(['config', ...command, '--folder', inFolder()], { env: noSecrets })
    expect([code, stderr.trimEnd().split('\n')]).toEqual([1, faults])
  }
  const withoutService = { TRUSTWRIGHT_CONFIG: join(line.dir, 'none.json') }
  const { code, stderr } = await line.run(['config', 'plan', '--folder', inFolder()], { env: withoutService })
  const local = [0, 2, 3, 4, 6].map((at) => faults[at])
  expect([code, stderr.trimEnd().split('\n')]).toEqual([1, local])
})

test('an export has schemas that accept its files, and the next plan has only adoptions', async () => {
  await compactConfiguration(service)
  const iaca = await activeIaca(service)
  await sdJwtConfiguration(service, { signerCaId: iaca.id })
  const authorization = { type: 'api-key', value: env.REGISTER_KEY }
  await service.operator.post('/v1/claim-sources', { name: 'Register', url: 'https://r.example.org/', authorization })
  await service.operator.post('/v2/credentials/mobile/trusted-issuers', { certificatePem: iaca.certificatePem })
  const ecosystem = await newEcosystem(service)
  const credentialId = await newType(service, ecosystem, { profile: 'mobile', type: 'org.iso.18013.5.1.mDL' })
  const participant = await newParticipant(service, ecosystem, { isIssuer: true })
  await service.operator.post(`${participant}/issuer/credentials`, { credentialId })
  await service.operator.post(`${participant}/issuer-certificates`, { certificatePem: iaca.certificatePem })
  expect(await config('export')).toMatchObject({ code: 0 })
  expect(await config('export')).toMatchObject({ code: 1, stderr: expect.stringMatching(/is not empty/) })
  const names = readdirSync(inFolder(), { recursive: true }).map(String)
  expect(names).toEqual(
    expect.arrayContaining(['tenant.jsonc', 'trusted-issuers/test-iaca.pem', 'iacas/test-iaca.jsonc']),
  )
  for (const name of names.filter((each) => each.endsWith('.jsonc'))) {
    const file = join(inFolder(), name)
    const content = JSON.parse(readFileSync(file, 'utf8'))
    const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
    const validate = ajv.compile(JSON.parse(readFileSync(join(file, '..', content.$schema), 'utf8')))
    expect([name, validate(content), validate.errors]).toEqual([name, true, null])
    expect(validate({ ...content, typo: 1 })).toBe(false)
  }
  const secrets = { CLAIM_SOURCES_REGISTER: env.REGISTER_KEY }
  const refused = await line.run(['config', 'plan', '--folder', inFolder()], { env: secrets })
  expect(refused.stderr).toMatch(/^iacas\/test-iaca\.jsonc:1: This object was not made by files\. .*`--adopt`/m)
  const plan = await line.run(['config', 'plan', '--folder', inFolder(), '--adopt', '--json'], { env: secrets })
  expect(plan.stderr).toBe('')
  expect(new Set(JSON.parse(plan.stdout).changes.map(({ op }: { op: string }) => op))).toEqual(new Set(['adopt']))
})

test.each(readdirSync(examples))('the example %s is applied as it is', async (name) => {
  const folder = ['--folder', join(examples, name), '--var-file', join(examples, name, '.variables.json')]
  const secrets = { MEMBERS_KEY: 'a-key-of-the-members-list' }
  const applied = await line.run(['config', 'apply', '--yes', ...folder], { env: secrets })
  expect(applied).toMatchObject({ code: 0, stderr: '' })
  expect(await line.run(['config', 'plan', ...folder], { env: secrets })).toMatchObject({ code: 0, stderr: '' })
})

test('variables in a file are an object, not a list', async () => {
  write('claim-sources/register.jsonc', register)
  const file = join(line.dir, 'variables.json')
  writeFileSync(file, '["https://register.example.org/q"]')
  const stderr = `${file} must be a JSON object of texts\n`
  expect(await config('plan', '--var-file', file)).toEqual({ code: 1, stdout: '', stderr })
})

/** Makes a link in the folder of the files. Its text is relative to the folder of the link. */
function link(path: string, to: string) {
  mkdirSync(join(inFolder(), path, '..'), { recursive: true })
  symlinkSync(to, join(inFolder(), path))
}

const hook = '{"events": ["OpenIdCredentialIssued"], "url": "https://crm.example.org/"}'
const card = '{"type": "Card", "claimMappings": {"level": {"defaultValue": "B1"}}}'

test('links to files and folders inside the folder are read, and prune keeps their objects', async () => {
  write('target/card.jsonc', card)
  write('shared/hooks/crm.jsonc', hook)
  link('configurations/compact/card.jsonc', '../../target/card.jsonc')
  link('webhooks', 'shared/hooks')
  expect(await config('validate')).toEqual({ code: 0, stdout: 'The form of 2 files is right\n', stderr: '' })
  expect(await config('apply', '--yes', '--prune')).toMatchObject({ code: 0, stdout: 'Made 2 changes\n' })
  expect(await config('plan', '--prune')).toMatchObject({ code: 0, stderr: '' })
  expect((await service.operator.get('/v2/credentials/compact/configurations')).body.data).toHaveLength(1)
})

test('a link that cannot be read is named with the reason, and nothing is changed', async () => {
  writeFileSync(join(line.dir, 'outside.jsonc'), hook)
  link('webhooks/outside.jsonc', '../../outside.jsonc')
  link('webhooks/broken.jsonc', 'nothing.jsonc')
  link('webhooks/loop', '..')
  link('webhooks/all', line.dir)
  const stderr = [
    'webhooks/all: The symbolic link leads out of the folder',
    'webhooks/broken.jsonc: The symbolic link leads to nothing',
    'webhooks/loop: The symbolic link leads to a folder that contains it',
    'webhooks/outside.jsonc: The symbolic link leads out of the folder\n',
  ].join('\n')
  for (const command of [['validate'], ['plan', '--prune'], ['apply', '--prune', '--yes'], ['drift']])
    expect(await config(command[0] ?? '', ...command.slice(1))).toEqual({ code: 1, stdout: '', stderr })
})

test('a folder without files, and one that does not exist, end each command with 1', async () => {
  const missing = { code: 1, stdout: '', stderr: expect.stringMatching(/^\S+tenant cannot be read: ENOENT/) }
  const commands = [['validate'], ['plan', '--prune'], ['apply', '--prune', '--yes'], ['drift']]
  for (const [command = '', ...more] of commands) expect(await config(command, ...more)).toEqual(missing)
  write('.schemas/tenant.json', '{}')
  write('webhooks/crm.yaml', 'url: https://crm.example.org/')
  const leftOut = 'webhooks/crm.yaml is not read, because its name does not end with .jsonc, .json or .pem\n'
  const stderr = `${leftOut}${inFolder()} has no configuration files. Choose another folder with --folder.\n`
  for (const [command = '', ...more] of commands)
    expect(await config(command, ...more)).toEqual({ code: 1, stdout: '', stderr })
  write('webhooks/crm.jsonc', hook)
  expect(await config('validate')).toMatchObject({ code: 0, stderr: leftOut })
})

test('a variable reads only environment variables with its prefix, and options replace them', async () => {
  const source = (name: string) => register.replace('REGISTER_URL', name)
  write('claim-sources/register.jsonc', source('AWS_SECRET'))
  const machine = { AWS_SECRET: 'https://secret.example.org/', ...env }
  const plan = (more: Record<string, string> = {}, ...options: string[]) =>
    line.run(['config', 'plan', '--json', '--folder', inFolder(), ...options], { env: { ...machine, ...more } })
  const refused = await plan()
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('TRUSTWRIGHT_VAR_AWS_SECRET') })
  expect(refused.stderr).not.toContain('secret.example.org')
  write('claim-sources/register.jsonc', source('TRUSTWRIGHT_CLIENT_SECRET'))
  expect((await plan({ TRUSTWRIGHT_CLIENT_SECRET: 'x' })).stderr).toContain('TRUSTWRIGHT_VAR_TRUSTWRIGHT_CLIENT_SECRET')
  write('claim-sources/register.jsonc', source('URL'))
  const prefixed = { TRUSTWRIGHT_VAR_URL: 'https://prefixed.example.org/' }
  expect((await plan(prefixed)).stdout).toContain('"https://prefixed.example.org/"')
  expect((await plan(prefixed, '--var', 'URL=https://option.example.org/')).stdout).toContain('option.example.org')
})

test('files, variables and plans are read with a byte order mark, and other encodings are named', async () => {
  const mark = '\ufeff'
  write('claim-sources/register.jsonc', `${mark}${register}`)
  const variables = join(line.dir, 'variables.json')
  writeFileSync(variables, `${mark}{"REGISTER_URL": "https://register.example.org/q"}`)
  const plan = join(line.dir, 'plan.json')
  writeFileSync(plan, mark + (await config('plan', '--var-file', variables, '--json')).stdout)
  const applied = await config('apply', '--yes', '--var-file', variables, '--plan', plan)
  expect(applied).toEqual({ code: 0, stdout: 'Made 1 change\n', stderr: '' })
  writeFileSync(
    join(inFolder(), 'claim-sources/register.jsonc'),
    Buffer.from(register.replace('Register', 'Régister'), 'latin1'),
  )
  expect((await config('validate')).stderr).toBe('claim-sources/register.jsonc: Not UTF-8. Save the file in UTF-8.\n')
})
