import { z } from 'zod'
import { exampleOf } from './openapi-examples.ts'
import { type JsonSchema, nameParts, removeRedundantKeywords } from './openapi-names.ts'
import { responsesOf } from './representations/representations.ts'
import type { Route } from './route.ts'

/** A schema with a valid example, if its fields have examples. */
export interface DocumentedSchema {
  schema: JsonSchema
  example?: unknown
}

/** The JSON Schemas of requests and responses. Objects and enums are components. */
export interface Schemas {
  components: Record<string, JsonSchema>
  /** `more` adds members. The name of the schema then ends in `suffix`. */
  bodyOf(body: z.ZodType, more?: { suffix: string; properties: Record<string, JsonSchema> }): DocumentedSchema
  ofResponse(response: z.ZodType): DocumentedSchema
  /** Returns the members of a params, query or headers schema. */
  membersOf(schema: z.ZodType): { name: string; required: boolean; schema: JsonSchema }[]
}

/** A named body that no route accepts. */
export interface Named {
  name: string
  body: z.ZodType
}

export function collectSchemas(routes: readonly Route[], others: readonly Named[] = []): Schemas {
  const names = nameBodies(routes, others)
  const components: Record<string, JsonSchema> = {}
  const print = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    const { $schema, ...printed } = z.toJSONSchema(schema, {
      unrepresentable: 'any',
      io,
      override({ zodSchema, jsonSchema }) {
        const displaySchema = z.globalRegistry.get(zodSchema)?.['x-shown-as']
        // Boundary: only `shownAs` sets this member.
        if (displaySchema)
          Object.assign(jsonSchema, print((displaySchema as () => z.ZodType)(), io), { 'x-shown-as': undefined })
        removeRedundantKeywords(jsonSchema)
        const name = names.get(zodSchema)
        if (name !== undefined) jsonSchema.title = name
      },
    })
    return printed
  }
  const show = (printed: JsonSchema, io: 'input' | 'output'): DocumentedSchema => {
    const example = exampleOf(printed)
    return { schema: nameParts(printed, io, components), ...(example !== undefined && { example }) }
  }
  const answers = new Map<z.ZodType, DocumentedSchema>()
  const ofResponse = (response: z.ZodType): DocumentedSchema => {
    const documented = answers.get(response) ?? show(print(response, 'output'), 'output')
    answers.set(response, documented)
    return documented
  }
  // Responses come first, so that they get the names without `Request`.
  for (const response of routes.flatMap(responsesOf)) ofResponse(response)
  return {
    components,
    bodyOf: (body, more) => show(extended(print(body, 'input'), more), 'input'),
    ofResponse,
    membersOf(schema) {
      const printed = print(schema, 'input')
      const required = Array.isArray(printed.required) ? printed.required : []
      return Object.entries(members(printed)).map(([name, each]) => {
        const example = exampleOf(each)
        const examples = example !== undefined && !('default' in each) && { examples: [example] }
        const named = nameParts(each, 'input', components, 'keepDefault')
        return { name, required: required.includes(name), schema: { ...named, ...examples } }
      })
    },
  }
}

/** Returns the names of bodies, of pages and of the items of pages. */
function nameBodies(routes: readonly Route[], others: readonly Named[]): Map<z.core.$ZodType, string> {
  const names = new Map<z.core.$ZodType, string>(others.map(({ name, body }) => [body, name]))
  const taken = new Set<string>(names.values())
  function register(schema: z.ZodType, preferredName: string, otherwise: string): string {
    const existingName = names.get(schema) ?? titleOf(schema)
    if (existingName !== undefined) return existingName
    const name = [preferredName, otherwise].find((each) => !taken.has(each)) ?? `${otherwise}${taken.size}`
    taken.add(name)
    names.set(schema, name)
    return name
  }
  for (const route of inNamingOrder(routes)) {
    const noun = nounOf(route)
    const operation = pascal(route.operation)
    if (route.body) register(route.body, `${noun}Request`, `${operation}Request`)
    for (const response of responsesOf(route)) {
      const item = itemOf(response)
      if (!item) register(response, noun, `${operation}Response`)
      else if (!names.has(response))
        names.set(
          response,
          `${item instanceof z.ZodObject ? register(item, singular(noun), `${operation}Item`) : noun}Page`,
        )
    }
  }
  return names
}

function titleOf(schema: z.ZodType): string | undefined {
  return schema.meta()?.title
}

/** Sorts routes that retrieve one resource first, so that their responses get the plain name of the resource. */
function inNamingOrder(routes: readonly Route[]): Route[] {
  const rank = ({ method, path }: Route) => (method === 'GET' && /:\w+$/.test(path) ? 0 : method === 'GET' ? 1 : 2)
  return [...routes].sort((a, b) => rank(a) - rank(b))
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

/** Returns the schema of the items of a page. */
function itemOf(response: z.ZodType): z.core.$ZodType | undefined {
  if (!(response instanceof z.ZodObject) || !('nextCursor' in response.shape)) return undefined
  const { data } = response.shape
  return data instanceof z.ZodArray ? data.element : undefined
}

function extended(
  printed: JsonSchema,
  more: { suffix: string; properties: Record<string, JsonSchema> } | undefined,
): JsonSchema {
  if (!more) return printed
  const { title, properties, required, ...others } = printed
  const names = Object.keys(more.properties)
  return {
    ...others,
    title: String(title).replace(/Request$/, '') + more.suffix,
    properties: { ...more.properties, ...Object(properties) },
    required: [...names, ...(Array.isArray(required) ? required : [])],
  }
}

function members({ properties }: JsonSchema): Record<string, JsonSchema> {
  // Boundary: `properties` of a JSON Schema is a record of schemas.
  return (properties ?? {}) as Record<string, JsonSchema>
}
