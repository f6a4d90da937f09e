import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Api } from '../harness/api-client.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

interface Editable {
  what: string
  make(): Promise<{ operator: Api; path: string; bodies: [object, object, object] }>
}

const compact = (given: string) => ({ type: 'Licence', claimMappings: { [given]: { mapFrom: `claims.${given}` } } })
const hook = (name: string) => ({ events: ['OpenIdCredentialIssued'], url: `https://${name}.example/hook` })

const editables: Editable[] = [
  {
    what: 'configuration',
    async make() {
      const tenant = await service.addTenant()
      const id = await compactConfiguration(tenant, { type: 'Licence' })
      const path = `/v2/credentials/compact/configurations/${id}`
      return { operator: tenant.operator, path, bodies: [compact('one'), compact('two'), compact('three')] }
    },
  },
  {
    what: 'webhook',
    async make() {
      const { operator } = await service.addTenant()
      const { body } = await operator.post('/v1/webhooks', hook('first'))
      return { operator, path: `/v1/webhooks/${body.id}`, bodies: [hook('one'), hook('two'), hook('three')] }
    },
  },
  {
    what: 'tenant',
    async make() {
      const { id } = await service.addTenant()
      const alias = (name: string) => ({ aliases: [`${name}-${id.slice(-12)}.example`] })
      return {
        operator: service.platform,
        path: `/v1/tenants/${id}`,
        bodies: [alias('one'), alias('two'), alias('three')],
      }
    },
  },
]

test.each(editables)(
  'a second change of a $what for the same version is refused, and a change without a version overwrites',
  async ({ make }) => {
    const { operator, path, bodies } = await make()
    const [one, two, three] = bodies
    const read = await operator.get(path)
    const tag = String(read.headers.etag)
    expect(tag).toMatch(/^"[\w-]+"$/)
    expect(await operator.get(path, { 'if-none-match': tag })).toMatchObject({ status: 304 })

    const first = await operator.put(path, one, { 'if-match': tag })
    expect(first).toMatchObject({ status: 200, headers: { etag: (await operator.get(path)).headers.etag } })
    expect(first.headers.etag).not.toBe(tag)
    for (const stale of [tag, `W/${first.headers.etag}`, '"other"', 'other', ''])
      expect(await operator.put(path, two, { 'if-match': stale }), stale).toMatchObject({
        status: 412,
        body: { code: 'PreconditionFailed', message: expect.stringContaining('Read it again') },
      })
    expect((await operator.get(path)).headers.etag).toBe(first.headers.etag)

    const again = await operator.put(path, two, { 'if-match': `"other", ${first.headers.etag}` })
    expect(again.status).toBe(200)
    expect((await operator.put(path, three, { 'if-match': '*' })).status).toBe(200)
    expect((await operator.put(path, one)).status).toBe(200)
  },
)

test.each(editables)('of concurrent changes of a $what for the same version, one succeeds', async ({ make }) => {
  const { operator, path, bodies } = await make()
  const tag = String((await operator.get(path)).headers.etag)
  const racing = await Promise.all(
    Array.from({ length: 9 }, (_, at) => operator.put(path, bodies[at % 3] ?? {}, { 'if-match': tag })),
  )
  expect(racing.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 8 }, () => 412)])
})
