import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../api/routes.ts'
import type { ApiResponse } from '../../harness/api-client.ts'
import { type Service, startService } from '../../harness/harness.ts'

const documented = routes.filter(({ undocumented }) => !undocumented)

let service: Service
// biome-ignore lint/suspicious/noExplicitAny: tests read any member of the document
let document: any
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)

beforeAll(async () => {
  service = await startService()
  document = (await service.anonymous.get('/openapi.json')).body
  ajv.addSchema({ $id: 'document', ...document })
})
afterAll(() => service[Symbol.asyncDispose]())

function operation(method: string, path: string) {
  return document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
}

/** Returns a response and its path in the document. Errors refer to components. */
function responseAt(method: string, path: string, status: number | string) {
  const own = operation(method, path).responses[status]
  if (!own?.$ref) {
    const at = `paths/${pointer(path.replaceAll(/:(\w+)/g, '{$1}'))}/${method.toLowerCase()}/responses/${status}`
    return { response: own, at }
  }
  const name = own.$ref.split('/').at(-1)
  return { response: document.components.responses[name], at: `components/responses/${name}` }
}

/** Fails if the document does not contain the answer of `method path`. */
function expectDocumented(method: string, path: string, { status, headers, body }: ApiResponse): void {
  const { response: described, at } = responseAt(method, path, status)
  expect(described, `${method} ${path} ${status}`).toBeDefined()
  const mediaType = String(headers['content-type'] ?? '').split(';')[0] ?? ''
  if (body === undefined) {
    expect(described.content).toBeUndefined()
    return
  }
  const validate = ajv.getSchema(`document#/${at}/content/${pointer(mediaType)}/schema`)
  if (!validate) throw new Error(`${method} ${path} ${status} is not documented as ${mediaType}`)
  expect([validate(body), validate.errors]).toEqual([true, null])
}

/** A segment of a JSON pointer in a URI fragment (RFC 6901, section 6). */
function pointer(segment: string): string {
  return encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'))
}

test('the document is valid OpenAPI 3.1 with the versions of the interface and of the product', async () => {
  expect(await new Validator({ strict: false }).validate(structuredClone(document))).toMatchObject({ valid: true })
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '12.22.0', 'x-product-version': version } })
  expect(document.info.description).toContain('Its management API has version 1.36.0')
})

test('the document contains each operation once by its name, and nothing else', () => {
  const printed = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>)
  const names = printed.flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
  expect(names.sort()).toEqual(documented.map((route) => route.operation).sort())
  expect(new Set(names).size).toBe(names.length)
})

test.each(documented.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
  const printed = operation(route.method, route.path)
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const parameters = (printed.parameters ?? []).filter((each: { in: string }) => each.in === 'path')
  expect(parameters.map(({ name }: { name: string }) => name)).toEqual(inPath)
  expect(printed.summary.length).toBeGreaterThan(5)
  expect(printed.responses).toHaveProperty(String(route.status))
  if (route.access.kind === 'operators') {
    expect(printed.security).toEqual([{ clientCredentials: [] }, { bearerAuth: [] }])
    for (const role of route.access.roles) expect(printed.description).toContain(`\`${role}\``)
    expect(responseAt(route.method, route.path, 401).response.content).toHaveProperty(['text/plain'])
    expect(responseAt(route.method, route.path, 403).response.content).toBeUndefined()
  }
  if (route.access.kind === 'wallet') expect(printed.security).toEqual([{ holderToken: [] }])
  if (route.access.kind === 'anyone') expect(printed.security).toEqual([])
})

test('answers of the service match the document', async () => {
  const configurations = '/v2/credentials/web-semantic/configurations'
  const { operator, anonymous } = service
  const auditor = await service.as('auditor')
  const created = await operator.post(configurations, {
    name: 'Course',
    type: 'Course',
    issuer: { name: 'University' },
    claimMappings: { name: { defaultValue: 'Ann' } },
    expiresIn: { days: 1 },
  })
  const id = `${configurations}/:id`
  const path = `${configurations}/${created.body.id}`
  const clients = '/v1/tenants/:tenantId/clients'
  expectDocumented('POST', configurations, created)
  expectDocumented('POST', configurations, await operator.post(configurations, { name: 1 }))
  expectDocumented('POST', configurations, await operator.post(configurations, '{'))
  expectDocumented('POST', configurations, await operator.post(configurations, 'x'.repeat(100_001)))
  expectDocumented('POST', configurations, await operator.post(configurations, new URLSearchParams({ a: 'b' })))
  expectDocumented('POST', configurations, await anonymous.post(configurations, {}))
  expectDocumented('POST', configurations, await auditor.post(configurations, {}))
  expectDocumented('GET', configurations, await operator.get(`${configurations}?limit=1`))
  expectDocumented('GET', configurations, await operator.get(`${configurations}?limit=0`))
  expectDocumented('GET', id, await operator.get(path))
  expectDocumented('GET', id, await operator.get(`${configurations}/none`))
  expectDocumented('DELETE', id, await operator.delete(path))
  expectDocumented('DELETE', id, await operator.delete(path))
  expectDocumented('GET', clients, await operator.get(`/v1/tenants/${service.id}/clients`))
  expectDocumented('GET', '/v1/tenants', await service.platform.get('/v1/tenants'))
  expectDocumented('POST', '/oauth/token', await anonymous.post('/oauth/token', { client_id: 'x' }))
  expectDocumented('POST', '/oauth/token', await anonymous.post('/oauth/token', new URLSearchParams({ a: 'b' })))
  expectDocumented('GET', '/health/ready', await anonymous.get('/health/ready'))
  expectDocumented('GET', '/openapi.json', await anonymous.get('/openapi.json'))
  const metadata = '/.well-known/openid-credential-issuer'
  expectDocumented('GET', metadata, await anonymous.get(metadata))
  expectDocumented('GET', metadata, await anonymous.get(metadata, { accept: 'application/jwt' }))
})

test('a request for the root path is redirected to the reference', async () => {
  expect(await service.anonymous.get('/')).toMatchObject({ status: 302, headers: { location: '/docs' } })
})

test('the reference loads only its own files and has no inline script', async () => {
  const { status, headers, body } = await service.anonymous.get('/docs')
  expect(status).toBe(200)
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
  expect(body).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=|style=/)
  const references = [...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, reference]) => reference)
  expect(references.length).toBeGreaterThan(3)
  for (const reference of references) {
    if (reference === 'data:,') continue
    expect(reference).toMatch(/^\//)
    expect(await service.anonymous.get(reference)).toMatchObject({ status: 200 })
  }
})
