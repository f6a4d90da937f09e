import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hasChromium, openBrowser } from '../harness/chromium.ts'
import { startService } from '../harness/harness.ts'
import { createOneOfEach } from '../harness/one-of-each.ts'
import { randomFrom } from '../harness/random-from.ts'
import { newCredentials, newList } from '../harness/revocable.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read any member of the document
type Json = any

interface Operation {
  method: string
  path: string
  printed: Json
}

/** A choice of operations. The tenant of the test is the same for each. */
const seed = Number(process.env.SEED ?? 2)
const operationCount = Number(process.env.OPERATIONS ?? 25)

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

test.runIf(hasChromium)('23 of 25 random operations of the reference succeed with the fields as they are', async () => {
  await using service = await startService()
  const things = await createOneOfEach(service, service)
  for (const profile of ['compact', 'compact-semantic', 'web-semantic', 'mobile'] as const) {
    const configurationId = things.get(`/v2/credentials/${profile}/configurations/:`)
    const listId = await newList(service, service.id, profile)
    await newCredentials(service, service.id, { profile, listId, configurationId })
  }
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    const { clientId, clientSecret } = service
    const data = { clientId, clientSecret }
    await page.context().request.post(`${service.origin}/console/session`, { headers: { 'X-Console': '1' }, data })
    await page.goto(`${service.origin}/docs`)
    await page.getByText('Signed in as').waitFor()
    const document: Json = await page.evaluate('ui.specSelectors.specJson().toJS()')
    expect(JSON.stringify(document)).not.toContain(service.clientId)
    const random = randomFrom(seed)
    const chosen = operationsOf(document)
      .map((operation) => ({ operation, order: random() }))
      .sort((a, b) => a.order - b.order)
      .slice(0, operationCount)
      .map(({ operation }) => operation)
      // A deleted object has no other operation.
      .sort((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'))
    const failed: string[] = []
    for (const operation of chosen) {
      const request = requestOf(operation)
      const { status, answer } = await sendIn(page, request)
      if (status >= 300) failed.push(`${request.method} ${request.url} ${status} ${answer}`)
    }
    expect(failed.length, failed.join('\n')).toBeLessThanOrEqual(operationCount * 0.08)
  } finally {
    await browser.close()
  }
})
