import { z } from 'zod'
import type { Route } from './route.ts'

export type JsonSchema = Record<string, unknown>

/** The JSON Schemas of what routes take and give; those of whole bodies stand once in `components` and are referred to. */
export interface Schemas {
  components: Record<string, JsonSchema>
  bodyOf(route: Route): JsonSchema | undefined
  ofResponse(response: z.ZodType): JsonSchema
  /** The members of a params or query schema. */
  membersOf(schema: z.ZodType): { name: string; required: boolean; schema: JsonSchema }[]
}

export function collectSchemas(routes: readonly Route[]): Schemas {
  const bodies = z.registry<{ id: string }>()
  const responses = z.registry<{ id: string }>()
  const taken = new Set<string>()

  function register(registry: typeof bodies, schema: z.ZodType, wanted: string, otherwise: string): void {
    if (registry.has(schema)) return
    const id = [wanted, otherwise].find((name) => !taken.has(name)) ?? `${otherwise}${taken.size}`
    taken.add(id)
    registry.add(schema, { id })
  }

  for (const route of inNamingOrder(routes)) {
    const noun = nounOf(route)
    if (route.body) register(bodies, route.body, `${noun}Request`, `${pascal(route.operation)}Request`)
    for (const response of responsesOf(route)) {
      const item = itemOf(response)
      if (item) register(responses, item, singular(noun), `${pascal(route.operation)}Item`)
      else register(responses, response, noun, `${pascal(route.operation)}Response`)
    }
  }

  const print = (schema: z.ZodType, io: 'input' | 'output') => clean(z.toJSONSchema(schema, { ...printing, io }))
  const refer = (registry: typeof bodies, schema: z.ZodType) => {
    const id = registry.get(schema)?.id
    if (id === undefined) throw new Error('a schema was not collected')
    return { $ref: refOf(id) }
  }
  return {
    components: { ...printRegistry(bodies, 'input'), ...printRegistry(responses, 'output') },
    bodyOf: ({ body }) => body && refer(bodies, body),
    ofResponse(response) {
      const item = itemOf(response)
      if (!item) return refer(responses, response)
      const page = print(response, 'output')
      return { ...page, properties: { ...members(page), data: { type: 'array', items: refer(responses, item) } } }
    },
    membersOf(schema) {
      const printed = print(schema, 'input')
      const required = Array.isArray(printed.required) ? printed.required : []
      return Object.entries(members(printed)).map(([name, each]) => ({
        name,
        required: required.includes(name),
        schema: each,
      }))
    },
  }
}

/** Routes that retrieve one thing come first: what they answer gets the plain name of the thing. */
function inNamingOrder(routes: readonly Route[]): Route[] {
  const rank = ({ method, path }: Route) => (method === 'GET' && /:\w+$/.test(path) ? 0 : method === 'GET' ? 1 : 2)
  return [...routes].sort((a, b) => rank(a) - rank(b))
}

function responsesOf({ response, representations }: Route): z.ZodType[] {
  const others = Object.values(representations?.statuses ?? {}).map((answer) => answer.response)
  return [response, ...others].filter((each) => each !== undefined)
}

/** `retrieveWebSemanticConfiguration` is about a `WebSemanticConfiguration`. */
function nounOf({ operation }: Route): string {
  return /[A-Z].*/.exec(operation)?.[0] ?? pascal(operation)
}

function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/s$/, '')
}

function pascal(operation: string): string {
  return operation.charAt(0).toUpperCase() + operation.slice(1)
}

/** What a page is a page of. */
function itemOf(response: z.ZodType): z.ZodObject | undefined {
  if (!(response instanceof z.ZodObject)) return undefined
  const { data } = response.shape
  return data instanceof z.ZodArray && data.element instanceof z.ZodObject ? data.element : undefined
}

/** A format or a type says what its pattern would; members may be added to answers, so none is forbidden. */
const printing: Pick<z.core.ToJSONSchemaParams, 'unrepresentable' | 'override'> = {
  unrepresentable: 'any',
  override({ jsonSchema }) {
    const { type, format } = jsonSchema
    if ((format !== undefined && format !== 'password') || type === 'integer') delete jsonSchema.pattern
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  },
}

function printRegistry(registry: z.core.$ZodRegistry<{ id: string }>, io: 'input' | 'output') {
  const { schemas } = z.toJSONSchema(registry, { ...printing, io, uri: refOf })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, clean(schema)]))
}

function refOf(id: string): string {
  return `#/components/schemas/${id}`
}

/** OpenAPI 3.1 names the dialect once for all schemas, and a component is found by its place. */
function clean({ $schema, $id, ...schema }: JsonSchema): JsonSchema {
  return schema
}

function members({ properties }: JsonSchema): Record<string, JsonSchema> {
  // Boundary: `properties` of a JSON Schema is a record of schemas.
  return (properties ?? {}) as Record<string, JsonSchema>
}
