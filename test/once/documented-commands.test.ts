import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { blocksOf, endDocumented, linkProject, readAll, startDocumented, startShell } from '../harness/documented.ts'
import { eventually } from '../harness/harness.ts'
import { freePort } from '../harness/redis.ts'
import { startKeycloak } from '../servers/keycloak.ts'
import { newBrowser } from '../servers/provider.ts'
import { startSmtpServer } from '../servers/smtp.ts'

/** Runs the commands of the pages of `tours` in one shell against `npm start`. Only the ports differ. */
const dir = mkdtempSync(join(tmpdir(), 'trustwright-documented-'))
let service: ChildProcess | undefined
let shell: ChildProcess | undefined

afterAll(async () => {
  await endDocumented({ service, shell })
  rmSync(dir, { recursive: true, force: true })
})

const [setUp, runTests] = blocksOf('README.md')
const tours = [
  'docs/tour.md',
  'docs/sd-jwt-vc.md',
  'docs/messaging.md',
  'docs/command-line.md',
  'docs/views.md',
  'docs/external-authorization-server.md',
  'docs/configuration-files.md',
  'docs/eudi.md',
  'docs/student-cards.md',
  'docs/send-claim-links.md',
  'docs/client.md',
  'docs/leaked-key.md',
  'docs/colleague-leaves.md',
]

test('the first two commands install, start and test', () => {
  expect(setUp).toBe('npm ci && npm start\n')
  expect(runTests).toBe('npm test\n')
})

test('every command of the tours has its documented result', async () => {
  linkProject(dir)
  const ports = { '3000': await freePort(), '4000': await freePort() }
  service = await startDocumented(dir, ports[3000], { OUTBOUND_ALLOW_LOOPBACK: '1' })

  await using keycloak = await startKeycloak(`http://localhost:${ports[3000]}`)
  const blocks = tours
    .flatMap(blocksOf)
    .map((block) => block.replaceAll('https://login.example.org', keycloak.origin))
    .map((block) => block.replace(/\b(3000|4000)\b/g, (port) => String(ports[port as keyof typeof ports])))
  await using mailServer = await startSmtpServer()
  shell = startShell(dir, blocks, { SMTP_URL: mailServer.url() })
  const output = readAll(shell)
  // The step that a user does in a browser.
  const [address] = await eventually(async () => output().match(/http:\S+authorize\?\S+/) ?? false)
  const { url } = await newBrowser(({ port }) => port === '4711').signIn(new URL(address), 'demo-ada')
  shell.stdin?.end(`${url.searchParams.get('code')}\n`)
  const [code] = await once(shell, 'exit')

  expect(code, output()).toBe(0)
  const answers = output()
    .split('\n')
    .flatMap((line) => (line.startsWith('{"') ? [JSON.parse(line)] : []))
  expect(answers.filter((answer) => 'code' in answer)).toEqual([])
  const credential = { credentials: [{ credential: expect.stringMatching(/^CSC:/) }] }
  for (const expected of [
    credential,
    { credential_issuer: `http://localhost:${ports[3000]}` },
    { event: expect.objectContaining({ type: 'OpenIdCredentialIssuedSummary' }) },
    { verified: true },
    { verified: false, error: expect.objectContaining({ type: 'Revoked' }) },
    { vicalIssueID: 1 },
    { token_type: 'Bearer', access_token: expect.any(String) },
    { subdomain: 'university' },
    { verified: false, failures: [expect.objectContaining({ check: 'Suspended' })] },
    { status: 'suspended' },
    { payload: expect.objectContaining({ body: { text: 'Welcome' } }), senderMatches: true },
    { userId: expect.any(String), isNew: true },
    { vct: expect.stringMatching(/types\/[\w-]+\/1$/), name: 'Student card' },
  ])
    expect(answers, output()).toContainEqual(expect.objectContaining(expected))
  expect(keycloak.tokens).toBe(1)
  expect(output()).toMatch(/^keys +passed /m)
  expect(output()).toMatch(/^eudi-ios +cannot read [\s\S]*has the format cwt/m)
  expect(output()).toContain('1000 letters are in letters.html.')
  expect(mailServer.mails.map(({ to }) => to)).toEqual([
    'you@university.example',
    ...['ada@student.example', 'konrad@student.example'],
  ])
})
