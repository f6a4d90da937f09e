import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { waitingForLocks } from '../../harness/locks.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

type Files = Record<string, Record<string, unknown>>
const source = {
  name: 'Register',
  url: 'https://source.example.org/',
  authorization: { type: 'api-key', value: { $secret: 'KEY' } },
}
const wallet = { name: 'Campus', redirectUris: ['https://wallet.example.org/callback'] }
const bundle = (objects: Files) => ({ format: 1, objects, secrets: { KEY: 'a-key-of-the-register' }, prune: true })

async function apply({ operator }: TestTenant, objects: Files) {
  const { basedOn, digest } = (await operator.post('/v1/configuration/plan', bundle(objects))).body
  return operator.post('/v1/configuration/apply', { ...bundle(objects), basedOn, digest })
}

/** The transaction of the next request writes, ends `written`, and commits after `commit` was called. */
function holdingCommit() {
  const { db } = service.deps
  const [written, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = (base: typeof db): typeof db => ({
    ...base,
    tx: (work, options) =>
      base.tx(async (tx) => {
        const result = await work(tx)
        written.resolve()
        await commit.promise
        return result
      }, options),
    until: (deadline) => holding(base.until(deadline)),
    withoutDeadline: base,
  })
  const restore = () => void Object.assign(service.deps, { db })
  onTestFinished(() => {
    commit.resolve()
    restore()
  })
  service.deps.db = holding(db)
  return { written: written.promise.then(restore), commit: () => commit.resolve() }
}

describe('on PostgreSQL', { tags: 'postgres' }, () => {
  test.each([
    {
      ...{ does: 'deletes', list: '/v1/claim-sources', path: 'claim-sources/register' },
      ...{ before: source, after: undefined },
      byHand: { ...source, name: 'By hand', authorization: { type: 'api-key', value: 'another-key-of-the-register' } },
    },
    {
      ...{ does: 'replaces', list: '/v1/openid/clients', path: 'wallets/campus' },
      ...{ before: { ...wallet, clientId: 'campus' }, after: { ...wallet, clientId: 'other' } },
      byHand: { ...wallet, name: 'By hand' },
    },
  ])(
    'an apply that $does an object while a change of it commits is refused, and the change stays',
    async ({ list, path, before, after, byHand }) => {
      const tenant = await service.addTenant()
      const { operator } = tenant
      expect(await apply(tenant, { [path]: before })).toMatchObject({ status: 200 })
      const [{ id }] = (await operator.get(list)).body.data
      const { written, commit } = holdingCommit()
      const changing = operator.put(`${list}/${id}`, byHand)
      await written
      const applying = apply(tenant, after ? { [path]: after } : {})
      await expect.poll(() => waitingForLocks(service)).toBe(1)
      commit()
      expect(await changing).toMatchObject({ status: 200 })
      const moved = [{ param: `basedOn.${path}`, msg: 'Was changed after the plan', location: 'body' }]
      expect(await applying).toMatchObject({ status: 412, body: { details: moved } })
      expect((await operator.get(list)).body.data).toMatchObject([{ id, name: 'By hand' }])
    },
  )
})
