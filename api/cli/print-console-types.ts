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
  return typesOf(withoutTexts(JSON.parse(document)))
}

const texts = ['description', 'summary', 'example', 'examples']

/** Removes descriptions and examples. In a map of properties these are names of properties, which stay. */
function withoutTexts<Part extends object>(part: Part, areProperties = false): Part {
  if (Array.isArray(part)) return part.map((each) => (isObject(each) ? withoutTexts(each) : each)) as Part
  const kept = Object.entries(part).filter(([name]) => areProperties || !texts.includes(name))
  const entries = kept.map(([name, value]) => {
    const isMap = name === 'properties' && !areProperties
    return [name, isObject(value) ? withoutTexts(value, isMap) : value]
  })
  return Object.fromEntries(entries)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Prints what `npx openapi-typescript` prints. */
export function typesOf(document: object): Promise<string> {
  return withTypescriptApi(async () => {
    const { default: openapiTypescript, astToString } = await import('openapi-typescript')
    // Boundary: the service prints OpenAPI.
    return astToString(await openapiTypescript(document as Parameters<typeof openapiTypescript>[0]))
  })
}

/** Runs `work`, which imports a generator. Replaces the compiler API that the generator imports, which TypeScript 7 does not have. */
export async function withTypescriptApi<Result>(work: () => Promise<Result>): Promise<Result> {
  const url = new URL('./typescript-api.ts', import.meta.url).href
  const hooks = registerHooks({
    resolve: (name, context, next) => (name === 'typescript' ? { url, shortCircuit: true } : next(name, context)),
  })
  try {
    return await work()
  } finally {
    hooks.deregister()
  }
}

if (import.meta.main) await writeTypes()
