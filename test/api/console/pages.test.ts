import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consolePages } from '../../../api/console/pages/routes.ts'
import { type Kernel, startKernel } from '../../harness/kernel.ts'

const folder = mkdtempSync(join(tmpdir(), 'trustwright-console-'))
const built = join(folder, 'built')
let kernel: Kernel
beforeAll(async () => {
  kernel = await startKernel(consolePages(built))
})
afterAll(async () => {
  await kernel[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const script = 'export const answer = 42'

/** Writes the files of a build, and a secret file beside them. */
function build(index: string): void {
  mkdirSync(join(built, 'assets'), { recursive: true })
  writeFileSync(join(built, 'index.html'), index)
  writeFileSync(join(folder, 'secret.js'), 'secret')
  for (const name of ['main-abc.js', 'main-abc.css', 'icon.svg', 'notes.txt']) {
    writeFileSync(join(built, 'assets', name), script)
    writeFileSync(join(built, 'assets', `${name}.gz`), gzipSync(script))
  }
}

test('without a build the console names the build command, and it serves a build as soon as it exists', async () => {
  const before = await kernel.ask('/console/')
  expect(before).toMatchObject({ status: 200, text: expect.stringContaining('npm run build') })
  build('<p>one</p>')
  expect(await kernel.ask('/console/')).toMatchObject({ status: 200, text: '<p>one</p>' })
  build('<p>two</p>')
  expect(await kernel.ask('/console/offers/12')).toMatchObject({ status: 200, text: '<p>two</p>' })
  const { status, headers } = await kernel.ask('/console')
  expect([status, headers.location]).toEqual([302, '/console/'])
  const { headers: redirect } = await kernel.ask('/console?tab=a%26b&tab=%C3%A4%0D%0A')
  expect(redirect.location).toBe('/console/?tab=%C3%A4%0D%0A')
})

test('the page is revalidated each time and runs only scripts of its own host', async () => {
  build('<p>page</p>')
  const { headers } = await kernel.ask('/console/events')
  expect(headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    'cross-origin-opener-policy': 'same-origin',
  })
  expect(await kernel.ask('/console/offers', { 'if-none-match': String(headers.etag) })).toMatchObject({ status: 304 })
})

test('assets are immutable and are sent compressed on request', async () => {
  build('')
  const plain = await kernel.ask('/console/assets/main-abc.js')
  expect(plain).toMatchObject({
    status: 200,
    text: script,
    headers: {
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    },
  })
  const style = await kernel.ask('/console/assets/main-abc.css', { 'accept-encoding': 'gzip' })
  expect(style.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'text/css; charset=utf-8' })
  expect(gunzipSync(style.bytes).toString()).toBe(script)
  expect((await kernel.ask('/console/assets/icon.svg')).headers['content-type']).toBe('image/svg+xml')
})

test.each(['main-other.js', 'notes.txt', '..%2F..%2Fsecret.js', '..%2Findex.html', '%00.js'])(
  'no other file is served: %s',
  async (name) => {
    build('')
    expect(await kernel.ask(`/console/assets/${name}`)).toMatchObject({ status: 404 })
  },
)
