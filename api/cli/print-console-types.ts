import { readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { printOpenApi } from '../http/openapi.ts'
import { tags } from '../operations/reference/tags.ts'
import { documentedWebhooks } from '../operations/reference/webhooks.ts'
import { routes } from '../routes.ts'

/** `npm run console:types`: writes the types that the console calls the API by, of the OpenAPI document that the routes print. */
export const typesFile = new URL('../console/app/api.d.ts', import.meta.url)

/** The types as they should be now; without the words of the reference, which change more often than the types. */
export function printTypes(): Promise<string> {
  const document = JSON.stringify(printOpenApi(routes, { productVersion: '0', tags, webhooks: documentedWebhooks }))
  return typesOf(JSON.parse(document, withoutWords))
}

/** A property of a body may have the same name: it is a schema, and no text. */
function withoutWords(name: string, value: unknown): unknown {
  const isText = (name === 'description' || name === 'summary') && typeof value === 'string'
  return isText || name === 'examples' || name === 'example' ? undefined : value
}

/** As `npx openapi-typescript` prints them; it needs an API of TypeScript that version 7 does not have. */
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

if (import.meta.main) {
  const types = await printTypes()
  if (types !== readFileSync(typesFile, { encoding: 'utf8', flag: 'a+' })) writeFileSync(typesFile, types)
}
