import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { publishedListsCache } from '../../api/status/revocation-lists/published.ts'
import type { Database } from '../../db/client.ts'
import { dialect } from '../../db/columns.ts'
import { publishList } from '../../workers/signing/lists/publish-list.ts'
import { crlOf, newIaca, signersPath } from '../certificates/hierarchy.ts'
import { mdlConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { waitingForLocks } from '../harness/locks.ts'
import { type IssuedMobile, issueMobile, readNow, setMobileStatus } from '../harness/mobile-status.ts'
import { openChanges, publishedRow, signingDeps } from '../harness/published.ts'
import { verifyStrictly } from '../verifiers/openssl.ts'

let service: Service
beforeAll(async () => {
  // What is published, these tests publish.
  service = await startService({ roles: ['signing'] })
})
afterAll(() => service[Symbol.asyncDispose]())

interface Given {
  tenant: TestTenant
  root: { id: string; certificatePem: string }
  issued: IssuedMobile
  listId: string
}

async function newTokenList(): Promise<Given> {
  const tenant = await service.addTenant()
  const root = await newIaca(tenant)
  const [issued] = await issueMobile(service, tenant, await mdlConfiguration(tenant, { includeStatus: true }))
  return { tenant, root, issued: issued!, listId: issued!.reference!.uri.split('/').at(-2)! }
}

const publish = ({ tenant, listId }: Given, db: Database = service.deps.db) =>
  publishList(signingDeps(service, { db }), { tenantId: tenant.id, listId })
const published = ({ tenant, listId }: Given) => publishedRow(service.deps.db, tenant.id, listId)

const signers = signersPath('status-list-signer')
const revoke = ({ tenant }: Given, signerId: string) => tenant.operator.post(`${signers}/${signerId}/revoke`, {})

/** Whether the list's signer is certified by its IACA, and the IACA's CRL does not name it. */
async function verdictOn({ tenant, root }: Given, leaf: string): Promise<string> {
  return verifyStrictly({ leaf, root: root.certificatePem, crl: await crlOf(service, tenant, root.id) })
}

/** A database whose write transactions wait: before they begin, or when they have written all and are not committed. */
function gated(where: 'before' | 'inside') {
  const { db } = service.deps
  const [gate, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const pause = () => {
    reached.resolve()
    return gate.promise
  }
  const waiting: Database = {
    ...db,
    async tx(work) {
      if (where === 'before') await pause()
      return db.tx(async (tx) => {
        const result = await work(tx)
        if (where === 'inside') await pause()
        return result
      })
    },
  }
  return { db: waiting, open: gate.resolve, reached: reached.promise }
}

test('a revoked signer signs nothing more, and its lists are signed by another signer', async () => {
  const tokenList = await newTokenList()
  const { tenant, issued } = tokenList
  const { uri, idx } = issued.reference!
  const first = await readNow(service, tenant, uri)
  const { signerId } = await published(tokenList)
  expect(await verdictOn(tokenList, first.signer)).toBe('leaf.pem: OK\n')

  await setMobileStatus(tenant, issued.id, 'invalid')
  const gate = gated('before')
  const under = publish(tokenList, gate.db)
  await gate.reached
  expect(await revoke(tokenList, signerId!)).toMatchObject({ status: 200, body: { revoked: true } })
  gate.open()
  await expect(under).rejects.toThrow('no longer in use')
  expect(await published(tokenList)).toMatchObject({ version: 1, signerId })
  // Of the credential, and of the signer.
  expect(await openChanges(service.deps.db, tokenList.listId)).toBe(2)

  expect(await publish(tokenList)).toBe('published')
  const second = await published(tokenList)
  expect(second.version).toBe(2)
  expect(second.signerId).not.toBe(signerId)
  expect(await openChanges(service.deps.db, tokenList.listId)).toBe(0)
  const all = (await tenant.operator.get(signers)).body.data
  expect(all.map(({ id }: { id: string }) => id).sort()).toEqual([signerId, second.signerId].sort())
  service.deps.caches.of(publishedListsCache).clear()
  const token = await readNow(service, tenant, uri)
  expect(token.set).toEqual({ [idx]: 1 })
  expect(await verdictOn(tokenList, token.signer)).toBe('leaf.pem: OK\n')
  expect(await verdictOn(tokenList, first.signer)).toContain('certificate revoked')
})

test('a version that is committed at the moment of the revocation is followed by one of another signer', async () => {
  const tokenList = await newTokenList()
  const { signerId: first } = await published(tokenList)
  // Now the second one signs, whom nothing that is published names yet.
  await tokenList.tenant.operator.put(`${signers}/${first}`, { active: false })
  const gate = gated('inside')
  // The first transaction makes the signer, the second publishes.
  await publish(tokenList).catch(() => undefined)
  const { signerId: second } = await published(tokenList)
  expect(second).not.toBe(first)
  await tokenList.tenant.operator.put(`${signers}/${second}`, { active: false })
  const third = (await tokenList.tenant.operator.post(signers, { iacaId: tokenList.root.id })).body.id
  const under = publish(tokenList, gate.db)
  await gate.reached
  const transactions = vi.spyOn(service.deps.db, 'tx')
  const revoking = revoke(tokenList, third)
  if (dialect === 'postgres') await eventually(async () => (await waitingForLocks(service)) > 0)
  // SQLite has one writer at a time. The transaction of the revocation waits until it can write.
  else await eventually(async () => transactions.mock.calls.length > 0)
  gate.open()
  expect(await under).toBe('published')
  expect(await revoking).toMatchObject({ status: 200 })
  expect((await published(tokenList)).signerId).toBe(third)
  expect(await openChanges(service.deps.db, tokenList.listId)).toBe(1)
  await publish(tokenList)
  expect([first, second, third]).not.toContain((await published(tokenList)).signerId)
})

test('the lists of a deactivated or deleted signer are signed again', async () => {
  const tokenList = await newTokenList()
  const { tenant } = tokenList
  const { signerId } = await published(tokenList)
  expect(await publish(tokenList)).toBe('unneeded')
  await tenant.operator.put(`${signers}/${signerId}`, { active: false })
  expect(await tenant.operator.delete(`${signers}/${signerId}`)).toMatchObject({ status: 204 })
  expect(await publish(tokenList)).toBe('published')
  expect((await published(tokenList)).signerId).not.toBe(signerId)
  expect(await publish(tokenList)).toBe('unneeded')
})
