import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { deflateSync, inflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'
import { pngRows } from '../../../api/credentials/verify/qr/image.ts'
import { createVerifiers, verifiers } from '../../../api/credentials/verify/verifiers.ts'
import { compactConfiguration, semanticConfiguration } from '../../harness/factories.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'
import { issued } from '../../harness/verifying.ts'

let service: SharedService
let credential: string
beforeAll(async () => {
  service = await joinService()
  const wasm = readFileSync(new URL(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm')))
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(wasm).buffer } })
  ;({ credential } = await issued(service, service, await compactConfiguration(service)))
})
afterAll(() => service[Symbol.asyncDispose]())

const path = '/v2/credentials/compact/verify'

async function qrCode(text: string, scale = 2): Promise<Buffer> {
  const { image } = await writeBarcode(text, { format: 'QRCode', scale })
  return Buffer.from(await image!.arrayBuffer())
}

/** Sends a form with fields before and after the file. */
async function send(
  file: string | Buffer,
  fields: [string, string][] = [],
  { to = path, behind = [] }: { to?: string; behind?: [string, string | Blob][] } = {},
) {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  form.append('file', new Blob([typeof file === 'string' ? file : Uint8Array.from(file)]), 'credential')
  for (const [name, value] of behind) form.append(name, value)
  const encoded = new Response(form)
  const body = Buffer.from(await encoded.arrayBuffer())
  return service.operator.post(to, body, { 'content-type': encoded.headers.get('content-type')! })
}

test('the service accepts a credential as text or QR code image in a form, and as text in JSON', async () => {
  const verified = { status: 200, body: { verified: true, decoded: { iss: service.did } } }
  expect(await send(credential)).toMatchObject(verified)
  expect(await send(`${credential}\n`)).toMatchObject(verified)
  expect(await send(await qrCode(credential))).toMatchObject(verified)
  expect(await service.operator.post(path, { payload: credential })).toMatchObject(verified)
  // The QR code of the photograph contains other text.
  const jpeg = readFileSync(join(import.meta.dirname, '../../fixtures/qr-code.jpg'))
  expect(await send(jpeg)).toMatchObject({ status: 200, body: { error: { type: 'MalformedCredential' } } })

  const semantic = await issued(service, service, await semanticConfiguration(service))
  const to = '/v2/credentials/compact-semantic/verify'
  expect(await send(await qrCode(semantic.credential), [], { to })).toMatchObject({
    status: 200,
    body: { verified: true, reason: [] },
  })
})

test('a form can have fields after the file, and only one file', async () => {
  const behind: [string, string][] = [['trustedIssuers', 'did:web:other.example']]
  expect(await send(credential, [], { behind })).toMatchObject({ body: { error: { type: 'UntrustedIssuer' } } })
  expect(await send(credential, [], { behind: [['file', new Blob(['another'])]] })).toMatchObject({
    status: 400,
    body: { details: [{ param: 'file', msg: 'Must not have more than one file' }] },
  })
  expect(await send(credential, [], { behind: [['colour', 'red']] })).toMatchObject({
    status: 400,
    body: { details: [{ param: 'colour' }] },
  })
})

test('form fields set the checks, and trusted issuers are repeated fields or a JSON array', async () => {
  const trusted = async (...values: string[]) => {
    const { status, body } = await send(
      credential,
      values.map((value) => ['trustedIssuers', value]),
    )
    return status === 200 ? (body.error?.type ?? 'verified') : [status, body.details[0].param]
  }
  expect(await trusted()).toBe('verified')
  expect(await trusted('did:web:other.example')).toBe('UntrustedIssuer')
  expect(await trusted(service.did)).toBe('verified')
  expect(await trusted('did:web:other.example', service.did)).toBe('verified')
  expect(await trusted(JSON.stringify(['did:web:other.example', service.did]))).toBe('verified')
  expect(await trusted('["did:web:other.example"')).toEqual([400, 'trustedIssuers'])
  expect(await trusted('[1]')).toEqual([400, 'trustedIssuers'])

  expect(await send(credential, [['checkRevocation', 'maybe']])).toMatchObject({
    status: 400,
    body: { details: [{ param: 'checkRevocation' }] },
  })
  expect(await send(credential, [['assertValidFrom', 'false']])).toMatchObject({
    status: 200,
    body: { verified: true },
  })
})

test('invalid input is refused with the name of the field', async () => {
  const refused = (param: string) => ({ status: 400, body: { details: [{ param, location: 'body' }] } })
  expect(await service.operator.post(path, {})).toMatchObject(refused('payload'))
  expect(await service.operator.post(path, { payload: 1 })).toMatchObject(refused('payload'))
  expect(await service.operator.post(path, new URLSearchParams({ payload: 'x' }))).toMatchObject({ status: 415 })
  expect(await send(Buffer.from([0xff, 0xfe, 0, 1]))).toMatchObject({ status: 415 })
  expect(await send('x'.repeat(100_001))).toMatchObject({ status: 413 })
  expect(await send(Buffer.alloc(5_000_001, 'x'))).toMatchObject({ status: 413 })
  const png = await qrCode(credential)
  expect(await send(png.subarray(0, 200))).toMatchObject(refused('file'))
  expect(await send(Buffer.concat([png.subarray(0, 8), Buffer.alloc(100)]))).toMatchObject(refused('file'))
  expect(await send(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4]))).toMatchObject(refused('file'))
})

test('an image with too many pixels or with more data than its header declares is not decoded', async () => {
  const tooMany = { status: 400, body: { details: [{ param: 'file', msg: expect.stringContaining('pixels') }] } }
  expect(await send(png(100_000, 100_000))).toMatchObject(tooMany)
  expect(await send(png(4_000, 4_000))).toMatchObject(tooMany)
  const jpegHeader = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc2, 0, 17, 8, 0xff, 0xff, 0xff, 0xff, 3]
  expect(await send(Buffer.from([...jpegHeader, ...Buffer.alloc(20)]))).toMatchObject(tooMany)
  const code = await qrCode(credential)
  const rows = inflateSync(pngRows(code))
  const withRows = (all: Buffer) =>
    Buffer.concat([code.subarray(0, 33), chunk('IDAT', deflateSync(all)), chunk('IEND')])
  expect(await send(withRows(rows))).toMatchObject({ status: 200, body: { verified: true } })
  const bomb = withRows(Buffer.concat([rows, Buffer.alloc(20_000_000)]))
  expect(await send(bomb)).toMatchObject({
    status: 400,
    body: { details: [{ msg: expect.stringContaining('no readable QR code') }] },
  })
})

test('an image that a busy service cannot read receives 503 instead of a verdict', async () => {
  const threads = service.deps.services.of(verifiers)
  const original = { ...threads }
  onTestFinished(() => void Object.assign(threads, original))
  for (const limits of [
    { cpuMs: 60_000, withinMs: 1 },
    { cpuMs: 0, withinMs: 60_000 },
  ]) {
    Object.assign(threads, createVerifiers(limits))
    const retryable = { status: 503, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } }
    expect(await send(await qrCode(credential))).toMatchObject(retryable)
  }
})

test('the service answers other requests while it reads images', async () => {
  const threads = service.deps.services.of(verifiers)
  const original = { ...threads }
  const [begun, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // A thread gets its image after the other requests were answered.
  const hold = (thread: Worker) => {
    const post = thread.postMessage.bind(thread)
    thread.postMessage = (image: Buffer) => {
      begun.resolve()
      void answered.promise.then(() => post(image))
    }
  }
  process.on('worker', hold)
  onTestFinished(() => {
    process.off('worker', hold)
    Object.assign(threads, original)
  })
  Object.assign(threads, createVerifiers({ cpuMs: 60_000, withinMs: 300_000 }))

  const image = send(await qrCode(credential))
  await begun.promise
  for (let times = 0; times < 5; times++)
    expect(await service.anonymous.get('/.well-known/did.json')).toMatchObject({ status: 200 })
  answered.resolve()
  expect(await image).toMatchObject({ status: 200, body: { verified: true } })
})

/** A grey PNG with this size in its header. The rows can differ. */
function png(width: number, height: number, rows = Buffer.alloc(10)): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND')])
}

/** The reader ignores the checksum. */
function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
}
