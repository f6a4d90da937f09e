import { execFile } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { decodeJwt, importJWK, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { erasures } from '../../../db/tables/operations/erasures.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { newCredentials, newList } from '../../harness/revocable.ts'
import { runNow } from '../../harness/run-now.ts'
import { inherited } from '../../harness/started.ts'
import { python } from '../../verifiers/python.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Erases a user with two revocable credentials. */
async function eraseOne(tenant: TestTenant) {
  const { body: user } = await tenant.operator.post('/v1/users', { claims: { name: 'Ada Canary' } })
  const listId = await newList(service, tenant.id)
  await newCredentials(service, tenant.id, { userId: user.id, listId, count: 2 })
  const { status, headers } = await tenant.operator.delete(`/v1/users/${user.id}`)
  expect(status).toBe(204)
  return {
    userId: user.id as string,
    listId,
    id: headers['erasure-id'] as string,
    salt: headers['erasure-salt'] as string,
  }
}

const receiptOf = (tenant: TestTenant, id: string) =>
  eventually(async () => {
    const { body } = await tenant.operator.get(`/v1/erasures/${id}`)
    return body.receipt !== undefined && body
  })

async function publish(): Promise<void> {
  service.clock.advance(3_600_000)
  await runNow(service.deps.bus, 'queueDueCheckpoints', 'signing-bulk')
}

function run(program: string, words: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) =>
    execFile(program, words, { env: { ...inherited() } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, out: stdout.trim(), err: stderr.trim() }),
    ),
  )
}

/** Runs the command without a database. */
const verify = (...words: string[]) =>
  run(process.execPath, [join(import.meta.dirname, '../../../db/cli/verify-audit.ts'), ...words])

/** The program in the documentation. */
function programOf(folder: string): string {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/erasure.md'), 'utf8')
  const [, program = ''] = /```python\n([\s\S]*?)```/.exec(text) ?? []
  writeFileSync(join(folder, 'verify.py'), program)
  return join(folder, 'verify.py')
}

test('an erasure has a signed receipt that names what was removed and not the person', async () => {
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  const { id, salt, userId, listId } = await eraseOne(tenant)
  const { receipt, createdAt } = await receiptOf(tenant, id)
  const { keys } = (await tenant.anonymous.get('/v1/audit/jwks')).body
  const { payload } = await jwtVerify(receipt, await importJWK(keys[0], 'EdDSA'), { typ: 'erasure-receipt+jwt' })
  expect(payload).toMatchObject({
    ...{ iss: tenant.baseUrl, jti: id, credentials_revoked: 2, status_lists: [listId] },
    sub: createHmac('sha256', Buffer.from(salt, 'base64url')).update(userId).digest('base64url'),
    erased_at: Math.floor(Date.parse(createdAt) / 1000),
    rows: { users: 1, credentials: 2 },
  })
  const [row] = await service.deps.db.read.select().from(erasures).where(eq(erasures.id, id))
  for (const text of [userId, salt, 'Canary']) expect(JSON.stringify({ row, payload })).not.toContain(text)

  const { body: audit } = await tenant.operator.get('/v1/events?types=USER_DELETE_AUDIT')
  expect(audit.data[0].data).toEqual({ id: userId, erasureId: id })
  expect((await tenant.operator.get('/v1/erasures')).body.data).toEqual([{ id, createdAt, receipt }])
  expect((await other.operator.get('/v1/erasures')).body.data).toEqual([])
  expect(await other.operator.get(`/v1/erasures/${id}`)).toMatchObject({ status: 404 })
  expect(await (await tenant.as('issuer')).get(`/v1/erasures/${id}`)).toMatchObject({ status: 403 })
})

test('a refused deletion leaves no receipt', async () => {
  const tenant = await service.addTenant()
  const { userId } = await eraseOne(tenant)
  const again = await tenant.operator.delete(`/v1/users/${userId}`)
  expect(again).toMatchObject({ status: 404 })
  expect(again.headers).not.toHaveProperty('erasure-id')
  expect((await tenant.operator.get('/v1/erasures')).body.data).toHaveLength(1)
})

/** An erasure with its files for an offline verifier, and the words of commands that must be refused. */
async function provenErasure() {
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  const { id, salt, userId } = await eraseOne(tenant)
  await receiptOf(tenant, id)
  await eraseOne(other)
  expect((await receiptOf(tenant, id)).proof).toBeUndefined()
  await publish()
  const whole = await receiptOf(tenant, id)
  expect(whole.proof.hashes.length).toBeLessThanOrEqual(20)

  const folder = mkdtempSync(join(tmpdir(), 'trustwright-test-'))
  const file = (name: string, content: unknown) => {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
    return join(folder, name)
  }
  const receipt = file('receipt.json', whole)
  const checkpoint = file('checkpoint.txt', (await tenant.anonymous.get('/v1/audit/checkpoint')).body)
  const keys = file('jwks.json', (await tenant.anonymous.get('/v1/audit/jwks')).body)
  const { number } = decodeJwt<{ audit: { number: number } }>(whole.receipt).audit

  const [header, payload, signature] = whole.receipt.split('.')
  const changed = Buffer.from(payload, 'base64url')
    .toString()
    .replace('"credentials_revoked":2', '"credentials_revoked":3')
  const forged = { ...whole, receipt: [header, Buffer.from(changed).toString('base64url'), signature].join('.') }
  const moved = { ...whole, proof: { ...whole.proof, hashes: [...whole.proof.hashes, whole.proof.leaf] } }
  const others = (await other.anonymous.get('/v1/audit/checkpoint')).body
  const otherKeys = (await other.anonymous.get('/v1/audit/jwks')).body
  const bothKeys = { keys: [...JSON.parse(readFileSync(keys, 'utf8')).keys, ...otherKeys.keys] }
  const refusals: [words: string[], reason: string][] = [
    [[file('forged.json', forged), checkpoint, '--keys', keys], 'The receipt has no valid signature.'],
    [[receipt, checkpoint, '--keys', file('others.json', otherKeys)], 'The receipt has no valid signature.'],
    [[receipt, file('others.txt', others), '--keys', keys], 'The checkpoint has no valid signature.'],
    [
      [receipt, file('others.txt', others), '--keys', file('both.json', bothKeys)],
      'The checkpoint is of another tenant than the receipt.',
    ],
    [
      [file('moved.json', moved), checkpoint, '--keys', keys],
      `The checkpoint does not cover row ${number} of the audit with this receipt.`,
    ],
    [[receipt, checkpoint, '--keys', keys, `--user=${id}`, `--salt=${salt}`], 'The receipt is about another user.'],
    [[receipt, checkpoint, '--keys', keys, `--user=${userId}`, '--salt=-abc'], 'The receipt is about another user.'],
  ]
  const usage: typeof refusals = [
    [[receipt, checkpoint, '--keys', keys, '--user', userId, '--salt', '-abc'], "use '--salt=-XYZ'"],
    [[receipt, '--keys', keys], 'Name the files'],
    [[file('early.json', { ...whole, proof: undefined }), checkpoint, '--keys', keys], 'early.json has no proof yet. '],
    [[keys, checkpoint, '--keys', keys], 'is not a response of GET /v1/erasures/{id}.'],
  ]
  const size = whole.proof.size as number
  return { id, userId, salt, number, size, folder, receipt, checkpoint, keys, refusals, usage }
}

test('a receipt verifies offline with public keys alone, and a changed one is refused with the reason', async () => {
  const { userId, salt, number, size, receipt, checkpoint, keys, refusals, usage } = await provenErasure()
  const verified = await verify(receipt, checkpoint, '--keys', keys, `--user=${userId}`, `--salt=${salt}`)
  expect(verified).toMatchObject({ code: 0, err: '' })
  expect(verified.out).toMatch(`2 credentials revoked, row ${number} of ${size} of the audit`)
  for (const [words, reason] of [...refusals, ...usage]) {
    const { code, err } = await verify(...words)
    expect([code, err]).toEqual([1, expect.stringContaining(reason)])
    expect(err).not.toContain('    at ')
  }
})

test('the program in the documentation verifies the same', { tags: 'cryptography' }, async () => {
  const { id, userId, salt, number, size, folder, receipt, checkpoint, keys, refusals } = await provenErasure()
  const program = programOf(folder)
  const inPython = await run(python, [program, receipt, checkpoint, keys, userId, salt])
  expect(inPython).toEqual({
    code: 0,
    err: '',
    out: `Erasure ${id}: row ${number} of ${size} of the audit`,
  })
  for (const [words, reason] of refusals) {
    const values = words.filter((word) => word !== '--keys').map((word) => word.replace(/^--\w+=/, ''))
    const { code, err } = await run(python, [program, ...values])
    expect([code, err]).toEqual([1, reason])
  }
})

test('a deletion whose answer is lost is repeated with the salt of the caller', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const salt = randomBytes(32).toString('base64url')
  const newUser = async () => (await operator.post('/v1/users', { claims: {} })).body.id as string
  const erase = (id: string, sent: string) => operator.delete(`/v1/users/${id}`, { 'erasure-salt': sent })
  const [userId, otherId] = [await newUser(), await newUser()]
  const refused = await erase(userId, salt.slice(1))
  expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'Erasure-Salt', location: 'headers' }] } })

  const first = await erase(userId, salt)
  expect([first.status, first.headers['erasure-salt']]).toEqual([204, salt])
  const again = await erase(userId, salt)
  expect([again.status, again.headers['erasure-id']]).toEqual([204, first.headers['erasure-id']])
  expect(again.headers['erasure-salt']).toBe(salt)
  expect((await operator.get('/v1/erasures')).body.data).toHaveLength(1)

  expect(await erase(userId, randomBytes(32).toString('base64url'))).toMatchObject({ status: 404 })
  const other = await service.addTenant()
  expect(await other.operator.delete(`/v1/users/${userId}`, { 'erasure-salt': salt })).toMatchObject({ status: 404 })
  // The same salt for another user is another receipt.
  expect((await erase(otherId, salt)).headers['erasure-id']).not.toBe(first.headers['erasure-id'])
  const { receipt } = await receiptOf(tenant, first.headers['erasure-id'] as string)
  const subject = createHmac('sha256', Buffer.from(salt, 'base64url')).update(userId).digest('base64url')
  expect(decodeJwt(receipt).sub).toBe(subject)
})
