import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { typesOf } from '../../api/cli/print-console-types.ts'
import { joinService } from '../harness/harness.ts'

const run = promisify(execFile)
const root = new URL('../../', import.meta.url).pathname

test('the tour in TypeScript compiles with the types of the reference and ends with a credential', async () => {
  await using service = await joinService()
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-tour-'))
  try {
    const { body } = await service.anonymous.get('/openapi.json')
    writeFileSync(join(dir, 'trustwright.d.ts'), await typesOf(body))
    copyFileSync(join(root, 'examples/tour.ts'), join(dir, 'tour.ts'))
    symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'))
    writeFileSync(join(dir, 'package.json'), JSON.stringify({ type: 'module' }))
    const compilerOptions = {
      ...{ strict: true, noEmit: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
      ...{ module: 'nodenext', target: 'es2024', lib: ['es2024', 'dom'], types: ['node'] },
      ...{ allowImportingTsExtensions: true, skipLibCheck: true },
    }
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['tour.ts'] }))

    const { origin: BASE, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = service
    const [checked, toured] = await Promise.all([
      run(join(root, 'node_modules/.bin/tsc'), [], { cwd: dir }).catch(({ stdout }) => ({ stdout })),
      run(process.execPath, ['tour.ts'], { cwd: dir, env: { ...process.env, BASE, CLIENT_ID, CLIENT_SECRET } }),
    ])
    expect(checked.stdout).toBe('')
    expect(toured.stdout).toMatch(/^CSC:\/1\/\w{100,}\n$/)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
