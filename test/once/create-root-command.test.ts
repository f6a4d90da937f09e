import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinWithCommandLine } from '../harness/command-line.ts'

let joined: Awaited<ReturnType<typeof joinWithCommandLine>>
beforeAll(async () => {
  joined = await joinWithCommandLine()
})
afterAll(() => joined?.end())

const createRoot = (...options: string[]) => joined.line.run(['certificates', 'create-root', ...options])

test('one command creates the root, a repeated one names it, and another root replaces it on request', async () => {
  expect(await createRoot()).toMatchObject({ code: 1, stderr: expect.stringContaining('--country is required') })
  const { body: settings } = await joined.service.operator.get('/v1/settings')
  const first = await createRoot('--country', 'NZ', '--json')
  expect(first).toMatchObject({ code: 0, stderr: '' })
  const root = JSON.parse(first.stdout)
  expect(root).toMatchObject({ active: true, certificateData: { commonName: `${settings.name} root`, country: 'NZ' } })
  const { data } = (await joined.service.operator.get('/v1/overview/signing-roots')).body
  expect(data).toMatchObject([{ iacaId: root.id }, { iacaId: root.id }])

  const repeated = await createRoot('--country', 'NZ')
  expect(repeated).toMatchObject({ code: 1, stderr: expect.stringContaining(`${root.id}) signs already`) })
  const next = await createRoot('--country', 'NZ', '--name', 'Next root', '--another')
  expect(next).toMatchObject({ code: 0, stdout: expect.stringContaining('Root:    Next root (NZ), active') })
})
