import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { inherited } from '../harness/started.ts'

const root = new URL('../../', import.meta.url).href

/** Returns the file and format of each import of the service, with these modules loaded first. */
async function resolved(...preloaded: string[]): Promise<Record<string, string>> {
  const script = `import { registerHooks } from 'node:module'
    const found = {}
    registerHooks({
      resolve(specifier, context, nextResolve) {
        const result = nextResolve(specifier, context)
        found[specifier + ' of ' + context.parentURL] = result.format + ' ' + result.url
        return result
      },
    })
    for (const file of ['api/serve.ts', 'workers/run-worker.ts', 'workers/signing/create-signing-deps.ts', 'db/engine/migrate-database.ts']) await import(${JSON.stringify(root)} + file)
    console.log(JSON.stringify(found))`
  const words = [...preloaded.flatMap((url) => ['--import', url]), '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, words, { env: { ...inherited() }, maxBuffer: 16e6 })
  return JSON.parse(stdout)
}

test('the service and its packages are resolved as Node.js resolves them', async () => {
  const [quick, plain] = await Promise.all([resolved(`${root}shared/quick-resolve.ts`), resolved()])
  expect(Object.keys(plain).length).toBeGreaterThan(2_000)
  expect(quick).toEqual(plain)
})
