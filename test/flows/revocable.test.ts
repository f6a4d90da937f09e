import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { statusEntries } from '../../db/tables/status/entries.ts'
import { statusLists } from '../../db/tables/status/lists.ts'
import { newId } from '../../shared/ids.ts'
import { compactConfiguration, newOffer, semanticConfiguration, webConfiguration } from '../harness/factories.ts'
import { joinService, type SharedService } from '../harness/harness.ts'
import {
  fetchDidDocument,
  isValidInList,
  type JsonLdStatus,
  readBits,
  verifyCwt,
  verifyCwtBytes,
} from '../verifiers/outside-verifiers.ts'
import { collectWithLibrary, newHolderKey } from '../wallets/wallet.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** The status list and index that a credential names. */
interface Said {
  index: number
  url: string
}

async function collect(configurationId: string, copies = 1) {
  const offer = await newOffer(service, [configurationId])
  const { credentials } = await collectWithLibrary(offer.uri, { key: await newHolderKey(), by: 'did', copies })
  return { userId: offer.userId, credentials: credentials.map(({ credential }) => credential) }
}

async function saidByCwt(credential: unknown): Promise<Said | undefined> {
  const { claims } = verifyCwt(credential, await fetchDidDocument(service.anonymous))
  const status = claims.get(-65537) as Map<number, unknown> | undefined
  return status && { index: status.get(2) as number, url: status.get(3) as string }
}

async function entryOf({ index, url }: Said) {
  const listId = url.slice(url.lastIndexOf('/') + 1)
  const [entry] = await service.deps.db.read
    .select()
    .from(statusEntries)
    .where(
      and(eq(statusEntries.tenantId, service.id), eq(statusEntries.listId, listId), eq(statusEntries.position, index)),
    )
  return entry
}

test('the last indexes of a list are allocated, and then the next list is opened', async () => {
  const { db } = service.deps
  const kind = 'compact-semantic'
  const list = { id: newId(), tenantId: service.id, kind, number: 1, size: 1_000_000, taken: 999_998 } as const
  const permutationKey = Buffer.alloc(32, 7).toString('base64url')
  await db.tx((tx) => tx.insert(statusLists).values({ ...list, permutationKey, createdAt: new Date() }))
  await collect(await semanticConfiguration(service, { revocable: true }), 5)
  const entries = await db.read.select().from(statusEntries).where(eq(statusEntries.tenantId, service.id))
  expect(entries).toHaveLength(5)
  expect(entries.filter(({ listId }) => listId === list.id)).toHaveLength(2)
  const lists = await db.read
    .select()
    .from(statusLists)
    .where(and(eq(statusLists.tenantId, service.id), eq(statusLists.kind, kind)))
  expect(lists.map(({ number }) => number).sort()).toEqual([1, 2])
})

describe('a revocable credential names its status list and index, and has an entry there', () => {
  test.each([
    ['compact', compactConfiguration],
    ['compact-semantic', semanticConfiguration],
  ] as const)('%s', async (profile, configuration) => {
    const { userId, credentials } = await collect(await configuration(service, { revocable: true }))
    const said = await saidByCwt(credentials[0])
    expect(said?.index).toBeGreaterThanOrEqual(0)
    expect(said?.index).toBeLessThan(1_000_000)
    expect(said?.url).toMatch(
      new RegExp(`^${service.baseUrl}/v2/credentials/${profile}/revocation-lists/[0-9a-f-]{36}$`),
    )
    const { body } = await service.operator.get(`/v1/users/${userId}/credentials`)
    expect(await entryOf(said!)).toMatchObject({ credentialId: body.data[0].id, status: 'valid' })
    expect(await fetch(said!.url)).toMatchObject({ status: 200 })
  })

  test('web-semantic', async () => {
    const { userId, credentials } = await collect(await webConfiguration(service, { revocable: true }))
    const { credentialStatus } = credentials[0] as unknown as { credentialStatus: Record<string, string> }
    const { revocationListIndex: index, revocationListCredential: url } = credentialStatus
    expect(credentialStatus).toEqual({
      id: `${url}#${index}`,
      type: 'RevocationList2020Status',
      revocationListIndex: expect.stringMatching(/^\d{1,6}$/),
      revocationListCredential: expect.stringContaining(
        `${service.baseUrl}/v2/credentials/web-semantic/revocation-lists/`,
      ),
    })
    const { body } = await service.operator.get(`/v1/users/${userId}/credentials`)
    expect(await entryOf({ index: Number(index), url: url! })).toMatchObject({ credentialId: body.data[0].id })
    expect(await fetch(url!)).toMatchObject({ status: 200 })
  })
})

describe('the status list of a credential is signed by a key of its issuer, and its entry is valid', () => {
  test.each([
    ['compact', compactConfiguration],
    ['compact-semantic', semanticConfiguration],
  ] as const)('%s', async (profile, configuration) => {
    const { credentials } = await collect(await configuration(service, { revocable: true }))
    const said = (await saidByCwt(credentials[0]))!
    const did = await fetchDidDocument(service.anonymous)
    const { claims } = verifyCwtBytes(Buffer.from(await (await fetch(said.url)).arrayBuffer()), did)
    expect([...claims.keys()]).toEqual([1, 6, 4, -65538])
    expect(claims.get(1)).toBe(service.did)
    expect(Number(claims.get(4)) - Number(claims.get(6))).toBe(2 * 86_400)
    expect(readBits(claims.get(-65538))).toEqual({ size: 1_000_000, positions: [] })

    const { body } = await service.anonymous.get(`/v2/credentials/${profile}/revocation-lists`)
    expect(body[0].data.map(({ url }: { url: string }) => url)).toContain(said.url)
  })

  test('web-semantic', async () => {
    const { credentials } = await collect(await webConfiguration(service, { revocable: true }))
    const { credentialStatus } = credentials[0] as unknown as { credentialStatus: JsonLdStatus }
    const list = await (await fetch(credentialStatus.revocationListCredential)).json()
    expect(await isValidInList(credentialStatus, list, await fetchDidDocument(service.anonymous))).toBe(true)
  })
})

test('a credential that is not revocable has no status', async () => {
  const { credentials } = await collect(await compactConfiguration(service))
  expect(await saidByCwt(credentials[0])).toBeUndefined()
})

test('the copies of a batch have different indexes', async () => {
  const { credentials } = await collect(await compactConfiguration(service, { revocable: true }), 20)
  const indices = (await Promise.all(credentials.map(saidByCwt))).map((said) => said?.index ?? Number.NaN)
  expect(new Set(indices).size).toBe(20)
  // Twenty of a million at random lie so close together once in some 10^50 times.
  expect(Math.max(...indices) - Math.min(...indices)).toBeGreaterThan(2_000)
})
