import { readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { printOpenApi } from '../http/openapi.ts'
import { tags } from '../operations/reference/tags.ts'
import { documentedWebhooks } from '../operations/reference/webhooks.ts'
import { routes } from '../routes.ts'

/** `npm run console:types`: generates the API types of the console from the OpenAPI document of the routes. */
export const typesFile = new URL('./app/api.d.ts', import.meta.url)

/** Returns the current types, without descriptions, because descriptions change more often than types. */
export function printTypes(): Promise<string> {
  const document = JSON.stringify(printOpenApi(routes, { productVersion: '0', tags, webhooks: documentedWebhooks }))
  return typesOf(JSON.parse(document, withoutDescriptions))
}

/** Removes texts and examples. A body property named `description` is a schema, not a text, and stays. */
function withoutDescriptions(name: string, value: unknown): unknown {
  const isText = (name === 'description' || name === 'summary') && typeof value === 'string'
  return isText || name === 'examples' || name === 'example' ? undefined : value
}

/** Returns the output of `openapi-typescript`. That package needs a TypeScript API that version 7 does not have. */
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
