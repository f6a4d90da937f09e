import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url).href

/** Where Node finds each import of the database and its tables, and of which format, with these modules loaded first. */
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
    for (const file of ['db/client.ts', 'db/schema.ts', 'db/engine/migrate-database.ts']) await import(${JSON.stringify(root)} + file)
    console.log(JSON.stringify(found))`
  const words = [...preloaded.flatMap((url) => ['--import', url]), '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, words, { maxBuffer: 16e6 })
  return JSON.parse(stdout)
}

test('Drizzle is resolved as Node.js resolves it', async () => {
  const [quick, plain] = await Promise.all([resolved(`${root}db/engine/quick-drizzle.ts`), resolved()])
  expect(Object.keys(plain).length).toBeGreaterThan(500)
  expect(quick).toEqual(plain)
})
