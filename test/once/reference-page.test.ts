import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../shared/access/roles.ts'
import { productVersion } from '../../shared/process/product-version.ts'
import { hasChromium, openBrowser } from '../harness/chromium.ts'
import { type Service, startService } from '../harness/harness.ts'
import { createOneOfEach, type Things } from '../harness/one-of-each.ts'
import { randomFrom } from '../harness/random-from.ts'
import { useTenant } from '../harness/used-tenant.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read any member of the document
type Json = any

interface Operation {
  method: string
  path: string
  printed: Json
}

/** All operations, or so many random ones. */
const operationCount = Number(process.env.OPERATIONS ?? Number.POSITIVE_INFINITY)
const seed = Number(process.env.SEED ?? 1)
/** The most that the page reads of a tenant. An admin of a tenant that has one of each needs almost as many. */
const maxReads = 60

let service: Service
let things: Things
let browser: Browser
beforeAll(async () => {
  if (!hasChromium) return
  service = await startService()
  things = await createOneOfEach(service, service)
  await useTenant(service, service, things)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await service?.[Symbol.asyncDispose]()
})

interface Client {
  clientId: string
  clientSecret: string
}

/** Takes the place of Swagger UI for a page whose reads matter alone: to show the reference costs seconds of CPU time. */
const undrawn = 'globalThis.SwaggerUIBundle = () => ({ specActions: { updateJsonSpec() {} } })'

/** Runs in the page. Returns the number of operations with components, and those whose part lacks one. */
const readParts = `(async () => {
  const { partOf } = await import('/docs/part.js')
  const document = ui.specSelectors.specJson().toJS()
  const [faults, withComponents] = [[], []]
  for (const [path, methods] of Object.entries(document.paths))
    for (const method of Object.keys(methods)) {
      const part = partOf(document, ['paths', path, method])
      const named = [...JSON.stringify(part).matchAll(/"#\\/components\\/(\\w+)\\/([\\w.-]+)"/g)]
      if (named.length > 0) withComponents.push(path)
      const isWhole = named.every(([, kind, name]) => part.components[kind]?.[name] !== undefined)
      if (!isWhole || part.paths[path]?.[method] === undefined) faults.push(method + ' ' + path)
    }
  return { count: withComponents.length, faults }
})()`

/** Opens the reference, with the session of a client if there is one. `reads` are the answers to the requests of the page. */
async function open(client?: Client, { isDrawn = true } = {}) {
  const page = await (await browser.newContext()).newPage()
  const contentType = 'text/javascript'
  if (!isDrawn) await page.route('**/swagger-ui-bundle.js', (route) => route.fulfill({ contentType, body: undrawn }))
  if (client) {
    const data = { clientId: client.clientId, clientSecret: client.clientSecret }
    await page.context().request.post(`${service.origin}/console/session`, { headers: { 'X-Console': '1' }, data })
  }
  const reads: string[] = []
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    // Without a session, the browser reports answers with 401 before the login.
    const isExpected = !client && /status of (401|404)/.test(message.text())
    if (message.type() === 'error' && !isExpected) faults.push(message.text())
  })
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (/^\/v\d\//.test(pathname)) reads.push(`${response.status()} ${pathname}`)
  })
  await page.goto(`${service.origin}/docs#tag/openid4vci`)
  if (client) await page.getByText('Signed in as').waitFor()
  if (isDrawn) await page.locator('.opblock-tag').first().waitFor()
  return { page, reads, faults }
}

/** The operations that a signed-in admin of a tenant can call. */
function operationsOf({ paths }: Json): Operation[] {
  return Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods)
      .filter(([, { security, description }]) => {
        const isOfOperators = security?.some((scheme: object) => 'clientCredentials' in scheme)
        return isOfOperators && !description.includes('platform host')
      })
      .map(([method, printed]) => ({ method, path, printed })),
  )
}

/** Deletions are last. There, a part comes before its whole, which is before it in the reference. */
function turnOf({ operation, position }: { operation: Operation; position: number }): number {
  return operation.method === 'delete' ? 10_000 - position : position
}

/** Makes the request that the page sends for an operation with unchanged fields. */
function requestOf({ method, path, printed }: Operation) {
  const parameters: Json[] = printed.parameters ?? []
  const fieldOf = ({ example, schema }: Json) => example ?? schema.examples?.[0] ?? schema.example ?? schema.default
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(fieldOf(parameters.find((each) => each.name === name))),
  )
  const sent: Json[] = parameters.filter((each) => each.in === 'query' && fieldOf(each) !== undefined)
  const query = new URLSearchParams(Object.fromEntries(sent.map((each) => [each.name, String(fieldOf(each))])))
  const [mediaType] = Object.keys(printed.requestBody?.content ?? {})
  const example = mediaType && printed.requestBody.content[mediaType].example
  return { method: method.toUpperCase(), url: `${filled}?${query}`, mediaType, example }
}

/** Sends a request in the page, with the session of the console. */
async function sendIn(page: Page, request: ReturnType<typeof requestOf>) {
  return page.evaluate(async ({ method, url, mediaType, example }) => {
    const headers: Record<string, string> = { 'X-Console': '1' }
    const isForm = mediaType === 'multipart/form-data'
    const form = new FormData()
    const file = url.includes('/evidence') ? '%PDF-1.7\n' : 'number,given_name\n1,Ada\n'
    if (isForm)
      for (const [name, value] of Object.entries<Json>(example))
        if (name === 'file') form.append(name, new Blob([file]), 'file')
        else form.append(name, value)
    else if (mediaType) headers['content-type'] = mediaType
    const text = typeof example === 'string' ? example : JSON.stringify(example)
    const body = isForm ? form : mediaType && text
    const response = await fetch(url, { method, headers, ...(body && { body }) })
    return { status: response.status, answer: (await response.text()).slice(0, 300) }
  }, request)
}

test('a user sees the version, logs in, and sends an example body unchanged', { tags: 'chromium' }, async () => {
  const { page, faults } = await open()
  const version = await page.locator('.info .version').first().innerText()
  expect(version.trim()).toBe(productVersion)
  await page.getByText('OpenID4VCI').first().waitFor()
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  const login = page.locator('.auth-container', { hasText: 'clientCredentials' })
  await login.getByLabel('client_id').fill(service.clientId)
  await login.getByLabel('client_secret').fill(service.clientSecret)
  await login.getByRole('button', { name: 'Apply' }).click()
  await login.getByText('Logout').waitFor()
  await login.getByRole('button', { name: 'Close' }).click()

  await page.locator('#operations-tag-Webhooks').click()
  const operation = page.locator('#operations-Webhooks-createWebhook')
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  const answer = operation.locator('.live-responses-table')
  await answer.waitFor()
  expect(await answer.innerText()).toContain('201')
  expect(faults).toEqual([])
  await page.context().close()
})

describe('the reference of a signed-in client', { tags: 'chromium' }, () => {
  let page: Page
  let document: Json

  test('has objects in the states that operations need, values that are free, and the present values', async () => {
    const { reads, faults, ...opened } = await open(service)
    page = opened.page
    document = await page.evaluate('ui.specSelectors.specJson().toJS()')
    expect(JSON.stringify(document)).not.toContain(service.clientId)
    const bulks = (await service.operator.get('/v1/bulk-issuances')).body.data
    const bulkOf = (path: string, method = 'post') => {
      const { example } = document.paths[`/v1/bulk-issuances/{id}${path}`][method].parameters[0]
      return bulks.find(({ id }: Json) => id === example)
    }
    const verbs = ['start', 'pause', 'resume', 'cancel', 'retry']
    expect(verbs.map((verb) => bulkOf(`/${verb}`).state)).toEqual(['ready', 'running', 'paused', 'ready', 'done'])
    expect(bulkOf('/rows/{row}/link').mode).toBe('links')
    expect(new Set(verbs.map((verb) => bulkOf(`/${verb}`).id)).size).toBe(verbs.length)
    expect(verbs.map((verb) => bulkOf(`/${verb}`).id)).not.toContain(bulkOf('', 'delete').id)

    await page.locator('#operations-tag-Bulk_issuance').click()
    const start = page.locator('#operations-Bulk_issuance-startBulkIssuance')
    await start.locator('.opblock-summary-control').click()
    await start.getByRole('button', { name: 'Try it out' }).click()
    expect(await start.getByPlaceholder('id').inputValue()).toBe(bulkOf('/start').id)

    const iacas = '/v2/credentials/mobile/iacas'
    const [, second] = (await service.operator.get(iacas)).body.data
    expect(document.paths[`${iacas}/{iacaId}`].delete.parameters[0].example).toBe(second.id)

    const configurations = '/v2/credentials/compact/configurations'
    const unused = (await service.operator.get(configurations)).body.data.at(-2)
    expect(document.paths[`${configurations}/{id}`].delete.parameters[0].example).toBe(unused.id)

    const bodyOf = (path: string, method: string) =>
      document.paths[path][method].requestBody.content['application/json'].example
    expect(bodyOf('/v2/credentials/mobile/status-lists/configurations', 'post')).toMatchObject({
      docType: 'org.example.member.1-2',
    })
    const inbox = '/v1/messaging/inboxes'
    const registered = (await service.operator.get(`${inbox}/${things.get(`${inbox}/:`)}/dids`)).body.data
    const own = (await service.operator.get('/v1/dids')).body.data.map(({ did }: Json) => did)
    const { did } = bodyOf(`${inbox}/{id}/dids`, 'post')
    expect([own.includes(did), registered.includes(did)]).toEqual([true, false])

    const provider = '/v1/users/authentication-providers'
    const { body: present } = await service.operator.get(`${provider}/${things.get(`${provider}/:`)}`)
    expect(bodyOf(`${provider}/{id}`, 'put').url).toBe(present.url)

    expect(reads.filter((read) => !read.startsWith('200 '))).toEqual([])
    expect(reads.length, reads.join('\n')).toBeLessThanOrEqual(maxReads)
    expect(faults).toEqual([])
  })

  test('an operation that a person opens is resolved without the other operations', async () => {
    const isOtherRead = await page.evaluate(async () => {
      const { ui } = globalThis as unknown as { ui: Json }
      let isRead = false
      const [own, other] = ['own', 'other'].map((operationId) => ({ get: { operationId, responses: {} } }))
      const paths = {
        '/own': own,
        get '/other'() {
          isRead = true
          return other
        },
      }
      const info = { title: 'Test', version: '1' }
      const { spec } = await ui.fn.resolveSubtree({ openapi: '3.1.0', info, paths }, ['paths', '/own', 'get'], {})
      return spec.operationId === 'own' && isRead
    })
    expect(isOtherRead).toBe(false)
  })

  test('the part of each operation has all components that it names', async () => {
    const { count, faults } = (await page.evaluate(readParts)) as { count: number; faults: string[] }
    expect(faults).toEqual([])
    expect(count).toBeGreaterThan(100)
  })

  test.each([[['dts-consumer', 'auditor']], [['viewer']]] as Role[][][])(
    'needs no more than the roles %s',
    async (roles) => {
      const client = { name: 'Another', roles }
      const { body } = await service.operator.post(`/v1/tenants/${service.id}/clients`, client)
      const { page: another, reads, faults } = await open(body, { isDrawn: false })
      expect(reads.length).toBeGreaterThan(1)
      expect(reads.filter((read) => !read.startsWith('200 '))).toEqual([])
      expect(faults).toEqual([])
      await another.context().close()
    },
  )

  test('at least 92 % of the operations succeed with the fields as they are', async () => {
    const random = randomFrom(seed)
    const chosen = operationsOf(document)
      .map((operation, position) => ({ operation, position, order: random() }))
      .sort((a, b) => a.order - b.order)
      .slice(0, operationCount)
      .sort((a, b) => turnOf(a) - turnOf(b))
      .map(({ operation }) => operation)
    const failed: string[] = []
    const send = async (operation: Operation) => {
      const request = requestOf(operation)
      const { status, answer } = await sendIn(page, request)
      if (status >= 300) failed.push(`${request.method} ${request.url} ${status} ${answer}`)
    }
    let reads: Operation[] = []
    for (const operation of chosen) {
      if (operation.method === 'get') reads.push(operation)
      else {
        await Promise.all(reads.map(send))
        reads = []
        await send(operation)
      }
    }
    await Promise.all(reads.map(send))
    expect(failed.length, failed.join('\n')).toBeLessThanOrEqual(chosen.length * 0.08)
  })
})
