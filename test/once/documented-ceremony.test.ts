import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { blocksOf, endDocumented, linkProject, readAll, startDocumented, startShell } from '../harness/documented.ts'
import { freePort } from '../harness/redis.ts'
import { verifyIssuerSigned } from '../verifiers/mdoc-verifiers.ts'

/** Runs the commands of the guide of the ceremony in one shell against `npm start`. Only the port differs. */
const dir = mkdtempSync(join(tmpdir(), 'trustwright-documented-'))
let service: ChildProcess | undefined
let shell: ChildProcess | undefined
afterAll(async () => {
  await endDocumented({ service, shell })
  rmSync(dir, { recursive: true, force: true })
})

test('the guide goes from an empty folder to a driving licence', { tags: ['pkcs11', 'minisign'] }, async () => {
  linkProject(dir)
  const port = await freePort()
  service = await startDocumented(dir, port)
  // The tag of this test needs the built module, which other tests use meanwhile.
  const blocks = blocksOf('docs/ceremony.md').map((block) =>
    block.replace('npm run --silent pkcs11:build\n', '').replace(/\b3000\b/g, String(port)),
  )
  shell = startShell(dir, blocks)
  const output = readAll(shell)
  shell.stdin?.end()
  const [code] = await once(shell, 'exit')
  expect(code, output()).toBe(0)
  expect(output()).toContain('root.pem: OK\n')
  expect(output()).toContain('safe/signer/signer.pem: OK\n')
  expect(output()).toContain('safe/root is a complete ceremony')
  const [credential, root] = ['safe/licence.txt', 'safe/root/root.pem'].map((file) =>
    readFileSync(join(dir, file), 'utf8'),
  )
  await verifyIssuerSigned(credential!.trim(), root!)
})
