import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { printOpenApi } from '../../api/http/openapi.ts'
import { tags } from '../../api/operations/reference/tags.ts'
import { documentedWebhooks } from '../../api/operations/reference/webhooks.ts'
import { routes } from '../../api/routes.ts'
import { webhookEventKinds } from '../../shared/domain/operations/webhook-events.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read any member of the document
type Json = any

const document: Json = JSON.parse(
  JSON.stringify(printOpenApi(routes, { productVersion: '0', tags, webhooks: documentedWebhooks })),
)
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'document', ...document })

interface Operation {
  name: string
  at: string
  tag: string
  printed: Json
}

const operations: Operation[] = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, printed]) => ({
    name: `${method.toUpperCase()} ${path}`,
    at: `paths/${pointer(path)}/${method}`,
    tag: printed.tags[0],
    printed,
  })),
)
const sent: Operation[] = Object.entries<Json>(document.webhooks).map(([event, { post }]) => ({
  name: event,
  at: `webhooks/${event}/post`,
  tag: post.tags[0],
  printed: post,
}))

/** A segment of a JSON pointer in a URI fragment (RFC 6901, section 6). */
function pointer(segment: string): string {
  return encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** The contents of a body or an answer: place, media type and content. */
function contentsOf({ at, printed }: Operation) {
  const answers = Object.entries<Json>(printed.responses).filter(([status, { $ref }]) => !$ref && status !== 'default')
  const bodies = [
    ...(printed.requestBody ? [[`${at}/requestBody`, printed.requestBody] as const] : []),
    ...answers.map(([status, answer]) => [`${at}/responses/${status}`, answer] as const),
  ]
  return bodies.flatMap(([place, body]) =>
    Object.entries<Json>(body.content ?? {}).map(([type, content]) => ({
      at: `${place}/content/${pointer(type)}`,
      type,
      content,
    })),
  )
}

/** Every schema in the document with its path: components and inline schemas. */
function schemas(): { at: string; schema: Json }[] {
  const schemas: { at: string; schema: Json }[] = []
  const visit = (schema: Json, at: string) => {
    if (typeof schema !== 'object' || schema === null) return
    schemas.push({ at, schema })
    for (const [name, member] of Object.entries(schema.properties ?? {})) visit(member, `${at}.${name}`)
    for (const part of ['items', 'additionalProperties']) visit(schema[part], `${at}/${part}`)
    for (const part of ['anyOf', 'oneOf', 'allOf'])
      for (const [index, each] of (schema[part] ?? []).entries()) visit(each, `${at}/${part}/${index}`)
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name)
  for (const { name, printed } of [...operations, ...sent])
    for (const each of printed.parameters ?? []) visit(each.schema, `${name} ${each.name}`)
  for (const operation of [...operations, ...sent])
    for (const { at, content } of contentsOf(operation)) visit(content.schema, at)
  return schemas
}

function resolved(schema: Json): Json {
  return schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema
}

describe('each JSON body and each JSON answer has an example', () => {
  test.each([...operations, ...sent].map((each) => [each.name, each] as const))(
    'the example is valid: %s',
    (_name, operation) => {
      for (const { at, type, content } of contentsOf(operation)) {
        if (!/json\b|form/.test(type)) continue
        expect(content, at).toHaveProperty('example')
        const validate = ajv.getSchema(`document#/${at}/schema`)
        expect([at, validate?.(content.example), validate?.errors]).toEqual([at, true, null])
      }
    },
  )
})

test('routes accept the example of their body', () => {
  for (const { operation, body } of routes) {
    const printed = operations.find((each) => each.printed.operationId === operation)
    if (!printed || !body) continue
    const { example } = Object.values<Json>(printed.printed.requestBody.content)[0]
    expect([operation, body.safeParse(example).error?.issues]).toEqual([operation, undefined])
  }
})

test('every field and every parameter has a description that says more than its name', () => {
  const named = schemas().flatMap(({ at, schema }) =>
    Object.entries<Json>(schema.properties ?? {}).map(([name, member]) => [`${at}.${name}`, name, member] as const),
  )
  const parameters = [...operations, ...sent].flatMap(({ name: of, printed }) =>
    (printed.parameters ?? []).map((each: Json) => [`${of} ${each.name}`, each.name, each] as const),
  )
  const bare = [...named, ...parameters].filter(([, name, described]) => {
    const words =
      described.description ?? resolved(described.$ref ? described : (described.schema ?? described)).description
    return !words || words.toLowerCase() === name.toLowerCase()
  })
  expect(bare.map(([at]) => at)).toEqual([])
})

test('identical objects and enumerations occur once, as a named component', () => {
  const roots = new Set(Object.keys(document.components.schemas))
  const inline = schemas().filter(({ at, schema }) => !roots.has(at) && (schema.properties || schema.enum?.length > 1))
  const places = Map.groupBy(inline, ({ schema: { description, examples, default: _, ...core } }) =>
    JSON.stringify(core),
  )
  const twins = [...places.values()].filter((each) => each.length > 1)
  expect(twins.map((each) => each.map(({ at }) => at))).toEqual([])
})

test('no member has a default, because generated types would require it in every request', () => {
  const members = schemas().flatMap(({ at, schema }) =>
    Object.entries<Json>(schema.properties ?? {}).map(([name, member]) => ({ at: `${at}.${name}`, member })),
  )
  expect(members.filter(({ member }) => 'default' in member).map(({ at }) => at)).toEqual([])
  const { properties, required } = document.components.schemas.WebSemanticConfigurationRequest
  expect(properties.persist.description).toContain('Default: `false`')
  expect(required).not.toContain('persist')
})

describe('tools that read the document', () => {
  const all = [...operations, ...sent]

  test('find the callers and a success or default answer of each operation', () => {
    const bare = all.filter(({ printed }) => !Array.isArray(printed.security))
    expect(bare.map(({ name }) => name)).toEqual([])
    const schemes = all.flatMap(({ printed }) => printed.security.flatMap(Object.keys))
    expect(Object.keys(document.components.securitySchemes)).toEqual(expect.arrayContaining(schemes))
    const isSuccess = (status: string) => /^2(\d\d|XX)$/.test(status) || status === 'default'
    const endless = all.filter(({ printed }) => !Object.keys(printed.responses).some(isSuccess))
    expect(endless.map(({ name }) => name)).toEqual([])
    expect(document.info).toMatchObject({ contact: { name: expect.any(String) }, license: { name: 'Apache-2.0' } })
  })

  test('find string parameters at the authorization endpoint and one type for each form field', () => {
    const authorizeParameters = document.paths['/v1/oauth/authorize'].get.parameters
    expect(authorizeParameters.filter(({ schema }: Json) => schema.type !== 'string')).toEqual([])
    const forms = all.flatMap((each) => contentsOf(each).filter(({ type }) => type.includes('urlencoded')))
    const fields = forms.flatMap(({ at, content }) =>
      Object.entries<Json>(resolved(content.schema).properties).map(([name, field]) => ({
        at: `${at} ${name}`,
        field,
      })),
    )
    expect(fields.length).toBeGreaterThan(10)
    const several = fields.filter(({ field }) => resolved(field).anyOf || resolved(field).oneOf)
    expect(several.map(({ at }) => at)).toEqual([])
  })

  test('find patterns that mean the same with and without the Unicode flag and that match the examples', () => {
    const patterns = schemas().filter(({ schema }) => schema.pattern !== undefined)
    const special = patterns.filter(({ schema: { pattern } }) => /\\p\{|\\u\{/i.test(pattern))
    expect(special.map(({ at }) => at)).toEqual([])
    for (const { at, schema } of patterns)
      for (const example of schema.examples ?? [])
        for (const flags of ['', 'u']) expect([at, new RegExp(schema.pattern, flags).test(example)]).toEqual([at, true])
  })
})

test('groups have descriptions, and operations have the order of their groups', () => {
  const order = document.tags.map(({ name }: { name: string }) => name)
  expect(document.tags.filter(({ description }: { description: string }) => description.length < 10)).toEqual([])
  const met = [...new Set([...operations, ...sent].map(({ tag }) => tag))]
  expect(met).toEqual(order)
})

test('the document has each kind of event that the service sends, with its headers', () => {
  expect(Object.keys(document.webhooks)).toEqual([...webhookEventKinds])
  for (const { printed } of sent) {
    const headers = printed.parameters.map(({ name }: { name: string }) => name)
    expect(headers).toEqual(expect.arrayContaining(['webhook-id', 'content-digest', 'signature-input', 'signature']))
    expect(Object.keys(printed.responses)).toContain('2XX')
  }
})

test('the document refers to every component', () => {
  const text = JSON.stringify(document)
  for (const kind of ['schemas', 'responses']) {
    const unused = Object.keys(document.components[kind]).filter(
      (name) => !text.includes(`"#/components/${kind}/${name}"`),
    )
    expect([kind, unused]).toEqual([kind, []])
  }
})
