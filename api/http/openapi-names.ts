export type JsonSchema = Record<string, unknown>

/** Removes redundant keywords from a printed schema. */
export function removeRedundantKeywords(schema: JsonSchema): void {
  const { type, format } = schema
  // A format or an integer type implies its pattern. Later versions can add members to answers, so none is forbidden.
  if ((format !== undefined && format !== 'password') || type === 'integer') delete schema.pattern
  if (schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames
}

/**
 * Replaces each part that has a title by a reference to a component of that name, and adds it to `components`. If a part differs in
 * requests, where defaults are optional, its name there ends in `Request`.
 *
 * Writes defaults into descriptions. Type generators would treat a member with the keyword `default` as required.
 */
export function nameParts(
  schema: JsonSchema,
  io: 'input' | 'output',
  components: Record<string, JsonSchema>,
  defaults?: 'keepDefault',
): JsonSchema {
  const { title, examples, 'x-examples': own, default: value, 'x-about': about, description, ...rest } = schema
  const core = withParts(rest, (part) => nameParts(part, io, components))
  const hasText = io === 'input' && value !== undefined && !defaults
  const text = hasText ? joinSentences(description, `Default: ${inWords(value)}`) : description
  const kept = {
    ...(text !== undefined && { description: text }),
    ...(defaults && value !== undefined && { default: value }),
  }
  if (typeof title !== 'string') return { ...core, ...kept }
  const its = typeof about === 'string' ? about : hasText ? undefined : description
  const name = addComponent(components, title, io, { ...core, ...(its !== undefined && { description: its }) })
  const here = text !== its ? kept : {}
  return { $ref: `#/components/schemas/${name}`, ...here }
}

function addComponent(
  components: Record<string, JsonSchema>,
  title: string,
  io: 'input' | 'output',
  component: JsonSchema,
): string {
  const names = io === 'input' && !title.endsWith('Request') ? [title, `${title}Request`] : [title]
  for (const name of names) {
    components[name] ??= component
    if (JSON.stringify(components[name]) === JSON.stringify(component)) return name
  }
  throw new Error(`two schemas of the reference have the name ${title}`)
}

/** Applies `change` to the direct parts of a schema. */
function withParts(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const inPlace = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (keyword === 'properties') {
      const parts = Object.entries(Object(value)).map(([name, part]) => [name, change(part as JsonSchema)])
      return [keyword, Object.fromEntries(parts)]
    }
    if (lists.has(keyword) && Array.isArray(value)) return [keyword, value.map(change)]
    if (singles.has(keyword) && typeof value === 'object' && value) return [keyword, change(value as JsonSchema)]
    return [keyword, value]
  })
  return Object.fromEntries(inPlace)
}

const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const singles = new Set(['items', 'additionalProperties', 'propertyNames'])

function joinSentences(text: unknown, more: string): string {
  if (typeof text !== 'string') return more
  return `${text}${/[.!?]$/.test(text) ? '' : '.'} ${more}`
}

function inWords(value: unknown): string {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  if (isEmpty) return Array.isArray(value) ? 'an empty list' : 'an empty object'
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}
