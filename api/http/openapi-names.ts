export type JsonSchema = Record<string, unknown>

/** What a printed schema does not need to say. */
export function plain(schema: JsonSchema): void {
  const { type, format } = schema
  // A format or a type says what its pattern would; members may be added to answers, so none is forbidden.
  if ((format !== undefined && format !== 'password') || type === 'integer') delete schema.pattern
  if (schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  // A member of any name is one of any name.
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames
}

/**
 * The schema with each part that has a title in its place: a reference to the component of that name, which is added to
 * `components`. A part that is another one in requests than in answers, where defaults are filled in, ends in `Request` there.
 *
 * Defaults are told in words: types that are made of the document would take a member with a default for one that has to be there.
 */
export function nameParts(
  schema: JsonSchema,
  io: 'input' | 'output',
  components: Record<string, JsonSchema>,
  defaults?: 'keepDefault',
): JsonSchema {
  const { title, examples, 'x-examples': own, default: byItself, 'x-about': about, description: said, ...rest } = schema
  const core = withParts(rest, (part) => nameParts(part, io, components))
  const isTold = io === 'input' && byItself !== undefined && !defaults
  const told = isTold ? sentences(said, `Default: ${inWords(byItself)}`) : said
  const kept = {
    ...(told !== undefined && { description: told }),
    ...(defaults && byItself !== undefined && { default: byItself }),
  }
  if (typeof title !== 'string') return { ...core, ...kept }
  const its = typeof about === 'string' ? about : isTold ? undefined : said
  const name = addComponent(components, title, io, { ...core, ...(its !== undefined && { description: its }) })
  const here = told !== its ? kept : {}
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
  throw new Error(`the reference has two schemas that are called ${title}`)
}

/** With `change` made to all schemas that are directly in it. */
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

function sentences(said: unknown, more: string): string {
  if (typeof said !== 'string') return more
  return `${said}${/[.!?]$/.test(said) ? '' : '.'} ${more}`
}

function inWords(value: unknown): string {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  if (isEmpty) return Array.isArray(value) ? 'an empty list' : 'an empty object'
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}
