import { hash, randomBytes } from 'node:crypto'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerEvidence } from '../../../api/ecosystems/evidence/download.ts'
import { appendChunk, insertEvidence } from '../../../db/repos/ecosystems/evidence.ts'
import { evidenceChunks, participantEvidence } from '../../../db/tables/ecosystems/evidence.ts'
import { plusMs } from '../../../shared/clock.ts'
import { newId } from '../../../shared/ids.ts'
import { eventually, type Service, startService, type TestTenant, tokenOf } from '../../harness/harness.ts'
import { type FormEntry, pdf, uploadTo } from '../../harness/uploads.ts'
import { newEcosystem, newParticipant } from './factories.ts'

/** The size of the parts in which a file is stored. */
const chunkBytes = 262_144

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const mostBytes = 10_000_000
// The parser of the form holds back the last bytes if they can be the beginning of the boundary.
const mostHeldBack = 5
const bytesOf = (size: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(size - 9)])

async function newSubject(settings: Record<string, unknown> = {}) {
  const tenant = await service.addTenant(settings)
  const ecosystem = await newEcosystem(tenant)
  const participant = await newParticipant(tenant, ecosystem)
  const path = `${participant}/evidence`
  const upload = (...entries: FormEntry[]) => uploadTo(tenant.operator, path, ...entries)
  const listed = async () => (await tenant.operator.get(path)).body.data
  return { tenant, operator: tenant.operator, ecosystem, participant, path, upload, listed }
}

const ofTenant = ({ id }: TestTenant) =>
  service.deps.db.read.select().from(participantEvidence).where(eq(participantEvidence.tenantId, id))
const chunksOf = ({ id }: TestTenant) => service.deps.db.read.$count(evidenceChunks, eq(evidenceChunks.tenantId, id))

/** Runs the purge job now. */
async function purge(): Promise<void> {
  const { bus } = service.deps
  const id = `now-${newId()}`
  await bus.send('purgeExpired', {}, { id })
  await eventually(async () => (await bus.queue('upkeep').getJob(id)) === undefined)
}

async function download({ host, clientId, clientSecret }: TestTenant, path: string) {
  const authorization = `Bearer ${await tokenOf(service.origin, host, clientId, clientSecret)}`
  const answer = await request(`${service.origin}${path}/download`, { headers: { host, authorization } })
  return { status: answer.statusCode, headers: answer.headers, bytes: Buffer.from(await answer.body.arrayBuffer()) }
}

/** Starts an upload whose file arrives in pieces. */
async function slowUpload({ host, clientId, clientSecret }: TestTenant, path: string) {
  const authorization = `Bearer ${await tokenOf(service.origin, host, clientId, clientSecret)}`
  const { port } = new URL(service.origin)
  const headers = { host, authorization, 'content-type': 'multipart/form-data; boundary=x' }
  const sending = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false })
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  sending.on('response', resolve).on('error', reject)
  promise.catch(() => {})
  sending.write('--x\r\nContent-Disposition: form-data; name="file"; filename="slow.pdf"\r\n\r\n')
  return {
    write: (bytes: Buffer | string) => void sending.write(bytes),
    abort: () => void sending.destroy(),
    async end() {
      sending.end('\r\n--x--\r\n')
      const answer = await promise
      return { status: answer.statusCode, body: JSON.parse(await text(answer)) }
    },
  }
}

test('a PDF is uploaded, listed, shown, renamed, downloaded unchanged and deleted', async () => {
  const { tenant, operator, path, upload, listed } = await newSubject()
  const bytes = bytesOf(2 * chunkBytes + 7)
  const made = await upload(['file', pdf(bytes, 'Vertrag ä.pdf')], ['fileDescription', ' A contract '])
  const view = {
    id: expect.any(String),
    filename: 'Vertrag ä.pdf',
    fileDescription: 'A contract',
    uploadedBy: { clientId: tenant.clientId },
    uploadedAt: expect.stringMatching(/Z$/),
  }
  expect(made.status).toBe(201)
  expect(made.body).toStrictEqual(view)
  const one = `${path}/${made.body.id}`
  expect((await operator.get(one)).body).toStrictEqual(made.body)
  expect(await listed()).toStrictEqual([made.body])

  const { status, headers, bytes: got } = await download(tenant, one)
  expect([status, got.equals(bytes)]).toEqual([200, true])
  expect(headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': String(bytes.length),
    'content-disposition': `attachment; filename="Vertrag _.pdf"; filename*=UTF-8''Vertrag%20%C3%A4.pdf`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'no-store',
    'repr-digest': `sha-256=:${hash('sha256', bytes, 'base64')}:`,
  })

  expect((await operator.put(`${one}?partial=true`, {})).body).toStrictEqual(made.body)
  const changed = { filename: 'a "b"; c.html', fileDescription: '' }
  expect((await operator.put(one, changed)).body).toStrictEqual({ ...made.body, ...changed })
  expect((await download(tenant, one)).headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': String.raw`attachment; filename="a \"b\"; c.html.pdf"`,
  })

  const consumer = await tenant.as('dts-consumer')
  expect(await consumer.get(one)).toMatchObject({ status: 200 })
  expect(await consumer.delete(one)).toMatchObject({ status: 403 })
  const answers = await Promise.all([operator.delete(one), operator.delete(one), operator.delete(one)])
  expect(answers.map((answer) => answer.status).sort()).toEqual([204, 404, 404])
  expect(await operator.get(one)).toMatchObject({ status: 404 })
  expect(await operator.put(one, {})).toMatchObject({ status: 404 })
  expect(await download(tenant, one)).toMatchObject({ status: 404 })
  expect(await listed()).toEqual([])
  await purge()
  expect([await ofTenant(tenant), await chunksOf(tenant)]).toEqual([[], 0])
})

test('pages contain complete uploads in the order of completion', async () => {
  const { operator, path, upload } = await newSubject()
  for (const name of ['a', 'b', 'c']) {
    await upload(['fileDescription', name], ['file', pdf('%PDF-2.0', `${name}.pdf`)])
    service.clock.advance(10)
  }
  const first = await operator.get(`${path}?limit=2`)
  const second = await operator.get(`${path}?limit=2&cursor=${first.body.nextCursor}`)
  const names = [first, second].map(({ body }) => body.data.map((each: { filename: string }) => each.filename))
  expect(names).toEqual([['a.pdf', 'b.pdf'], ['c.pdf']])
})

describe('refuses, and stores nothing of,', () => {
  test.each<[string, FormEntry[], number, string]>([
    ['a file that does not begin as a PDF', [['file', pdf(` %PDF-1.7 ${'x'.repeat(2000)}`)]], 415, 'file'],
    ['an HTML page', [['file', pdf('<html>%PDF-1.7')]], 415, 'file'],
    ['an empty file', [['file', pdf('')]], 415, 'file'],
    ['no file', [['fileDescription', 'x']], 400, 'file'],
    [
      'two files',
      [
        ['file', pdf()],
        ['file', pdf()],
      ],
      400,
      'file',
    ],
    [
      'a long description before the file',
      [
        ['fileDescription', 'x'.repeat(1001)],
        ['file', pdf()],
      ],
      400,
      'fileDescription',
    ],
    [
      'a long description after the file',
      [
        ['file', pdf()],
        ['fileDescription', 'x'.repeat(1001)],
      ],
      400,
      'fileDescription',
    ],
    [
      'two descriptions',
      [
        ['fileDescription', 'x'],
        ['file', pdf()],
        ['fileDescription', 'x'],
      ],
      400,
      'fileDescription',
    ],
    [
      'an unknown field',
      [
        ['file', pdf()],
        ['other', 'x'],
      ],
      400,
      'other',
    ],
    ['a name with a direction override', [['file', pdf(undefined, 'fdp.\u202eexe.pdf')]], 400, 'file'],
    ['a long name', [['file', pdf(undefined, `${'x'.repeat(256)}.pdf`)]], 400, 'file'],
    [
      'one byte too many',
      [
        ['file', pdf(bytesOf(mostBytes + 1))],
        ['fileDescription', 'x'],
      ],
      413,
      'file',
    ],
  ])('%s', async (_what, entries, status, param) => {
    const { tenant, upload, listed } = await newSubject()
    expect(await upload(...entries)).toMatchObject({ status, body: { details: [{ param, location: 'body' }] } })
    expect(await listed()).toEqual([])
    await purge()
    expect([await ofTenant(tenant), await chunksOf(tenant)]).toEqual([[], 0])
    // The next upload uses the same connection or a new one.
    expect(await upload(['file', pdf()])).toMatchObject({ status: 201 })
  })

  test('a request that is not a form or names an unknown participant', async () => {
    const { operator, ecosystem, path } = await newSubject()
    expect(await operator.post(path, { file: '%PDF-1.7' })).toMatchObject({ status: 415 })
    const unknown = `${ecosystem}/participants/${newId()}/evidence`
    expect(await uploadTo(operator, unknown, ['file', pdf()])).toMatchObject({
      status: 404,
      body: { details: [{ param: 'participantId' }] },
    })
  })

  test.each(['', 'a/b.pdf', 'a\\b.pdf', '..', 'a\r\nb', 'a\u2066b', 'a\0b', 'x'.repeat(256), 5])(
    'the file name %j',
    async (filename) => {
      const { operator, path, upload } = await newSubject()
      const { body } = await upload(['file', pdf()])
      const answer = await operator.put(`${path}/${body.id}`, { filename, fileDescription: 'changed' })
      expect(answer).toMatchObject({ status: 400, body: { details: [{ param: 'filename', location: 'body' }] } })
      expect((await operator.get(`${path}/${body.id}`)).body).toStrictEqual(body)
    },
  )
})

test('a file name loses its folders, and a file without a name receives one', async () => {
  const { operator, path, upload } = await newSubject()
  expect((await upload(['file', pdf(undefined, '../../b.pdf')])).body.filename).toBe('b.pdf')
  const body = '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n%PDF-1.7\r\n--x--'
  const { body: made } = await operator.post(path, body, { 'content-type': 'multipart/form-data; boundary=x' })
  expect(made.filename).toBe('evidence.pdf')
})

test('the largest file is stored in chunks, invisible until it is complete, and read chunk by chunk', async () => {
  const { tenant, operator, path, listed } = await newSubject()
  const bytes = bytesOf(mostBytes)
  const sending = await slowUpload(tenant, path)
  const half = 20 * chunkBytes
  sending.write(bytes.subarray(0, half + mostHeldBack))
  await eventually(async () => (await chunksOf(tenant)) === 20)
  const [begun] = await ofTenant(tenant)
  expect(begun).toMatchObject({ state: 'uploading', sizeBytes: half })
  expect(await listed()).toEqual([])
  const one = `${path}/${begun!.id}`
  expect(await operator.get(one)).toMatchObject({ status: 404 })
  expect(await operator.delete(one)).toMatchObject({ status: 404 })
  expect(await download(tenant, one)).toMatchObject({ status: 404 })

  sending.write(bytes.subarray(half + mostHeldBack))
  expect(await sending.end()).toMatchObject({ status: 201, body: { filename: 'slow.pdf', fileDescription: '' } })
  expect((await download(tenant, one)).bytes.equals(bytes)).toBe(true)
  const [row] = await ofTenant(tenant)
  let reads = 0
  const counting = new Proxy(service.deps.db.read, {
    get(target, name) {
      if (name === 'select') reads++
      return Reflect.get(target, name)
    },
  })
  // Boundary: the answer is a stream.
  const { stream } = answerEvidence(counting, row!).body as { stream: AsyncIterable<Buffer> }
  for await (const chunk of stream) {
    expect(chunk.length).toBe(chunkBytes)
    break
  }
  expect(reads).toBeLessThan(4)
  await operator.delete(one)
  await purge()
  expect(await chunksOf(tenant)).toBe(0)
})

test('an aborted upload is removed, and the upload of a crashed process is removed after its deadline', async () => {
  const { tenant, ecosystem, path, listed, participant } = await newSubject()
  const sending = await slowUpload(tenant, path)
  sending.write(bytesOf(3 * chunkBytes))
  await eventually(async () => (await chunksOf(tenant)) >= 2)
  sending.abort()
  await eventually(async () => (await ofTenant(tenant))[0]?.state === 'removed')
  await purge()
  expect([await ofTenant(tenant), await chunksOf(tenant)]).toEqual([[], 0])

  const { db, clock } = service.deps
  const [ecosystemId, participantId] = [ecosystem.split('/').at(-1)!, participant.split('/').at(-1)!]
  const [id, at] = [newId(), clock.now()]
  const expiresAt = plusMs(at, 60_000)
  const of = { tenantId: tenant.id, ecosystemId, participantId }
  const append = (position: number) =>
    db.tx((tx) => appendChunk(tx, tenant.id, id, { position, content: Buffer.of(1), expiresAt }))
  await db.tx((tx) =>
    insertEvidence(tx, { id, ...of, filename: 'a', uploadedBy: 'b', uploader: 'client', expiresAt, createdAt: at }),
  )
  expect(await append(0)).toBe(true)
  await purge()
  expect([await listed(), await append(1)]).toEqual([[], true])
  service.clock.advance(61_000)
  await purge()
  expect([await ofTenant(tenant), await chunksOf(tenant), await append(2)]).toEqual([[], 0, false])
})

test.each(['participant', 'ecosystem'] as const)(
  'a deleted %s removes its evidence, including running uploads',
  async (owner) => {
    const subject = await newSubject()
    const { tenant, operator, path, upload } = subject
    for (let at = 0; at < 3; at++) await upload(['file', pdf(bytesOf(10 * chunkBytes))])
    const sending = await slowUpload(tenant, path)
    const bytes = bytesOf(3 * chunkBytes)
    sending.write(bytes.subarray(0, 2 * chunkBytes + mostHeldBack))
    await eventually(async () => (await chunksOf(tenant)) === 32)
    expect(await operator.delete(subject[owner])).toMatchObject({ status: 204 })
    sending.write(bytes.subarray(2 * chunkBytes + mostHeldBack))
    expect(await sending.end()).toMatchObject({ status: 404 })
    // A removed upload receives no more chunks.
    if (owner === 'participant') expect(await chunksOf(tenant)).toBeLessThanOrEqual(32)
    await eventually(async () => {
      await purge()
      return (await ofTenant(tenant)).length + (await chunksOf(tenant)) === 0
    })
  },
)

test.each(['participant', 'ecosystem'] as const)('an upload stores nothing after its %s was deleted', async (owner) => {
  const subject = await newSubject()
  const { tenant, operator, path } = subject
  const { uploads } = service.deps
  const begin = uploads.begin
  const begun = new Promise<void>((resolve) => {
    uploads.begin = (tenantId) => {
      resolve()
      return begin(tenantId)
    }
  })
  const sending = await slowUpload(tenant, path)
  const bytes = bytesOf(chunkBytes + 1)
  sending.write(bytes.subarray(0, 1000))
  await begun
  uploads.begin = begin
  expect(await operator.delete(subject[owner])).toMatchObject({ status: 204 })
  sending.write(bytes.subarray(1000))
  expect(await sending.end()).toMatchObject({ status: 404, body: { details: [{ param: `${owner}Id` }] } })
  expect((await ofTenant(tenant)).filter(({ state }) => state !== 'removed')).toEqual([])
  await purge()
  expect([await ofTenant(tenant), await chunksOf(tenant)]).toEqual([[], 0])
})

describe('a tenant', () => {
  const noRoom = (text: string) => ({ status: 409, body: { message: expect.stringContaining(text) } })

  test('cannot exceed its limit of files, even with concurrent uploads, and deleting files makes room', async () => {
    const { operator, path, upload } = await newSubject({ limits: { participantEvidence: 2 } })
    const answers = await Promise.all([1, 2, 3, 4].map(() => upload(['file', pdf()])))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
    expect(answers.find(({ status }) => status === 409)).toMatchObject(noRoom('2 evidence files'))
    const made = answers.find(({ status }) => status === 201)
    await operator.delete(`${path}/${made!.body.id}`)
    expect(await upload(['file', pdf()])).toMatchObject({ status: 201 })
  })

  test('cannot exceed its limit of bytes over the files of all participants', async () => {
    const { tenant, operator, ecosystem, upload } = await newSubject({ limits: { evidenceBytes: 1000 } })
    const another = `${await newParticipant(tenant, ecosystem)}/evidence`
    expect(await upload(['file', pdf(bytesOf(600))])).toMatchObject({ status: 201 })
    const answers = await Promise.all([1, 2, 3].map(() => uploadTo(operator, another, ['file', pdf(bytesOf(400))])))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(await upload(['file', pdf(bytesOf(9))])).toMatchObject(noRoom('1000 bytes of evidence'))
  })

  test('has a limit of concurrent uploads, which does not affect other tenants', async () => {
    const { tenant, path, upload } = await newSubject()
    const sending = await Promise.all([1, 2, 3, 4, 5].map(() => slowUpload(tenant, path)))
    for (const each of sending) each.write(bytesOf(chunkBytes + mostHeldBack))
    await eventually(async () => (await chunksOf(tenant)) === 5)
    expect(await upload(['file', pdf()])).toMatchObject({ status: 429, headers: { 'retry-after': '5' } })
    expect(await (await newSubject()).upload(['file', pdf()])).toMatchObject({ status: 201 })
    for (const each of sending) expect(await each.end()).toMatchObject({ status: 201 })
    expect(await upload(['file', pdf()])).toMatchObject({ status: 201 })
  })
})
