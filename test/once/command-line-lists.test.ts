import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { claimLinks } from '../../db/tables/issuance/claim-links.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually, joinService } from '../harness/harness.ts'
import { newTerminal } from '../harness/terminal.ts'

const service = await joinService()
const { baseUrl, clientId, clientSecret, operator } = service
const line = newTerminal({ default: { baseUrl, clientId, clientSecret } })
afterAll(async () => {
  line.end()
  await service[Symbol.asyncDispose]()
})
const card = await compactConfiguration(service, { display: [{ name: 'Student card' }] })
const [first, second] = [
  await compactConfiguration(service, { display: [{ name: 'Library card' }] }),
  await compactConfiguration(service, { display: [{ name: 'Library card' }] }),
]
const valuesOf = ({ stdout }: { stdout: string }) =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text))

test('configurations are listed, and their names are accepted instead of their ids', async () => {
  const listed = await line.run(['configurations', 'list'])
  expect(listed).toMatchObject({ code: 0, stderr: '' })
  expect(listed.stdout).toMatch(new RegExp(`^${card}  compact           Student card  `, 'm'))
  expect((await line.run(['configurations', 'list', '--credential-profile', 'mobile'])).stdout).toBe('')
  const byName = ['offers', 'create', '-c', 'Student card', '--claims', '{"given_name": "Ada"}', '--json']
  const [offer] = valuesOf(await line.run(byName))
  const { body } = await operator.get(`/v1/openid/offers/${offer.id}/details`)
  expect(body.credentials).toEqual([card])
  const output = await line.run(['credentials', 'find', '-c', 'Student card'])
  expect(output).toEqual({ code: 0, stdout: '', stderr: '' })
})

test.each([
  ['offers', 'create'],
  ['offers', 'list'],
  ['credentials', 'find'],
])('%s %s refuses an unknown name, and one of several configurations', async (...command) => {
  const unknown = await line.run([...command, '--configuration', 'Student crad'])
  const advice = 'Did you mean "Student card"? "trustwright configurations list" shows the names and the ids.\n'
  const stderr = `No configuration has the name "Student crad". ${advice}`
  expect(unknown).toEqual({ code: 1, stdout: '', stderr })
  const ambiguous = await line.run([...command, '--configuration', 'Library card'])
  expect(ambiguous).toMatchObject({ code: 1, stdout: '' })
  expect(ambiguous.stderr).toMatch(/^2 configurations have the name "Library card"\. Give one of the ids:\n/)
  for (const id of [first, second]) expect(ambiguous.stderr).toContain(`  ${id}  compact  `)
})

test('offers are listed, the newest first, and shown with their timeline', async () => {
  const create = ['offers', 'create', '-c', first, '--claims', '{"given_name": "Ada"}', '--json']
  const [older] = valuesOf(await line.run([...create, '--label', 'A-1']))
  const [newer] = valuesOf(await line.run([...create, '--label', 'A-2', '--code']))
  const listed = await line.run(['offers', 'list', '-c', first])
  const lineOf = (id: string, label: string) => `${id}  usable   20\\S+Z  pre-authorized  ${label}\n`
  expect(listed.stdout).toMatch(new RegExp(`^${lineOf(newer.id, 'A-2')}${lineOf(older.id, 'A-1')}$`))
  expect(valuesOf(await line.run(['offers', 'list', '--user', older.userId, '--json']))).toMatchObject([
    { id: older.id, label: 'A-1' },
  ])
  expect((await line.run(['offers', 'list', '--state', 'claimed'])).stdout).toBe('')
  expect((await line.run(['offers', 'list', '--state', 'new'])).stderr).toBe(
    '--state must be usable, spent, claimed, ended or expired\n',
  )
  const output = await line.run(['offers', 'show', older.id, '--qr'])
  expect(output.stdout).toMatch(
    /^[ █▀▄\n]{200,}\nState: {10}usable\nKind: {11}pre-authorized\nConfigurations: [\w-]{36}\n/,
  )
  expect(output.stdout).toMatch(
    /\nLabel: {10}A-1\nCreated: .*\nExpires: .*\nOffer: {10}openid-credential-offer:.*\nPage: /,
  )
  const code = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:pre-authorized_code',
    'pre-authorized_code': 'x',
  })
  await service.anonymous.post('/v1/oauth/token', code)
  const timeline = await eventually(async () => {
    const { stdout } = await line.run(['offers', 'timeline', older.id])
    return stdout !== '' && stdout
  })
  expect(timeline).toMatch(/^20\S+Z {2}success {2}\w+/)
  expect(valuesOf(await line.run(['offers', 'timeline', older.id, '--json']))).toEqual([
    expect.arrayContaining([expect.objectContaining({ outcome: 'success' })]),
  ])
  expect((await line.run(['offers', 'show', randomUUID()])).stderr).toMatch(/\(404, /)
  expect((await line.run(['offers', 'timeline'])).stderr).toContain('Give the id of one offer')
})

test('claim links are listed and renewed by row or external id', async () => {
  const made = await operator.post('/v1/claim-links', {
    ...{ configurationIds: [card], claims: { given_name: 'Ada' }, externalId: '2026-1', transactionCode: true },
  })
  const { bulkIssuanceId, link, transactionCode } = made.body
  const all = await line.run(['links', 'list'])
  expect(all.stdout).toMatch(new RegExp(`^${bulkIssuanceId}  1  open       ends 20\\S+Z  2026-1$`, 'm'))
  expect(all.stdout).not.toContain(link)
  expect(valuesOf(await line.run(['links', 'list', '--external-id', '2026-1', '--json']))).toMatchObject([
    { bulkIssuanceId, row: 1, state: 'open' },
  ])
  expect((await line.run(['links', 'list', bulkIssuanceId, '--state', 'revoked'])).stdout).toBe('')
  const renewed = await line.run(['links', 'renew', bulkIssuanceId, '--external-id', '2026-1', '--expires-in', '12h'])
  expect(renewed).toMatchObject({ code: 0, stderr: '' })
  const [, address, code] = /^1 {2}(\S+) {2}code (\d{6}) {2}ends 20\S+Z\n$/.exec(renewed.stdout) ?? []
  expect(address).toMatch(/\/l\/[\w-]{44}$/)
  expect([address, code]).not.toEqual([link, transactionCode])
  const partly = await line.run(['links', 'renew', bulkIssuanceId, '2', '1', '--json'])
  expect(partly).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Row 2: .+\n$/) })
  expect(valuesOf(partly)).toMatchObject([{ row: 1 }])
  const expiresAt = new Date(service.deps.clock.now().getTime() - 1)
  const isOfBulk = eq(claimLinks.bulkId, bulkIssuanceId)
  await service.deps.db.tx((tx) => tx.update(claimLinks).set({ expiresAt }).where(isOfBulk))
  expect(await line.run(['links', 'renew', bulkIssuanceId, '--expired'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Renewed 1 expired link until 20\S+Z\. /),
  })
  expect(await line.run(['links', 'renew', bulkIssuanceId, '--expired'])).toMatchObject({
    code: 0,
    stdout: 'No link has expired, so none was renewed.\n',
  })
  for (const [args, message] of [
    [[], 'Give the rows of the links, or --external-id, or only --expired'],
    [['1', '--expired'], 'or only --expired'],
    [['one'], 'A row must be a number from 1, and not one'],
    [['--external-id', 'none'], 'has no link with the external id none'],
  ] as const)
    expect((await line.run(['links', 'renew', bulkIssuanceId, ...args])).stderr).toContain(message)
})

test('a filter by signer that finds nothing says so, and where the ids of signers are', async () => {
  const { code, stderr } = await line.run(['credentials', 'find', '--signer', 'abc'])
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr:
      'No credential of the signer abc matches. The ids of signers are in "trustwright certificates list" and, for keys of DIDs, in "trustwright keys list".\n',
  })
})

test('wallet families are listed with what they do not read, and one that cannot read the issuer ends with 1', async () => {
  const all = await line.run(['readers', 'list'])
  expect(all).toMatchObject({ code: 0, stderr: '' })
  expect(all.stdout.match(/^[a-z-]+ +(reads|cannot read) /gm)).toHaveLength(6)
  expect(all.stdout).toContain(`  - The configuration ${card} has the format cwt. `)
  const ofIos = await line.run(['readers', 'list', '--family', 'eudi-ios'])
  expect(ofIos).toMatchObject({ code: 1, stderr: '', stdout: expect.stringMatching(/^eudi-ios +cannot read +EUDI/) })
  const [multipaz] = valuesOf(await line.run(['readers', 'list', '--family', 'multipaz', '--json']))
  expect(multipaz).toMatchObject({ family: 'multipaz', canRead: true })
  expect(await line.run(['readers', 'list', '--family', 'lissi'])).toMatchObject({ code: 1, stdout: '' })
})
