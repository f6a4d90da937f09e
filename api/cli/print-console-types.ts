import { readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { printOpenApi } from '../http/openapi.ts'
import { tags } from '../operations/reference/tags.ts'
import { documentedWebhooks } from '../operations/reference/webhooks.ts'
import { routes } from '../routes.ts'

/**
 * `npm run console:types`: writes the types by which the client and the console call the API. They come from the OpenAPI document of the
 * routes. The file is not tracked. The type check writes it first.
 */
const typesFile = new URL('../../shared/client/api.d.ts', import.meta.url)

/** Writes the types if they have changed. */
export async function writeTypes(): Promise<void> {
  const types = await printTypes()
  if (types !== readFileSync(typesFile, { encoding: 'utf8', flag: 'a+' })) writeFileSync(typesFile, types)
}

/** Prints the types without descriptions and examples, which change more often than the types. */
function printTypes(): Promise<string> {
  const document = JSON.stringify(printOpenApi(routes, { productVersion: '0', tags, webhooks: documentedWebhooks }))
  return typesOf(JSON.parse(document, withoutDescriptions))
}

/** Removes descriptions and examples. A property of a body can be called `description`: its value is a schema, which stays. */
function withoutDescriptions(name: string, value: unknown): unknown {
  const isText = (name === 'description' || name === 'summary') && typeof value === 'string'
  return isText || name === 'examples' || name === 'example' ? undefined : value
}

/** Prints what `npx openapi-typescript` prints. Replaces the compiler API that it imports, which TypeScript 7 does not have. */
export async function typesOf(document: object): Promise<string> {
  const url = new URL('./typescript-api.ts', import.meta.url).href
  const hooks = registerHooks({
    resolve: (name, context, next) => (name === 'typescript' ? { url, shortCircuit: true } : next(name, context)),
  })
  try {
    const { default: openapiTypescript, astToString } = await import('openapi-typescript')
    // Boundary: the service prints OpenAPI.
    return astToString(await openapiTypescript(document as Parameters<typeof openapiTypescript>[0]))
  } finally {
    hooks.deregister()
  }
}

if (import.meta.main) await writeTypes()
