import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reader } from '../../db/client.ts'
import { chunksOf } from '../../db/repos/chunks.ts'
import { ecosystems } from '../../db/tables/ecosystems/ecosystems.ts'
import { participantCertificates } from '../../db/tables/ecosystems/participant-certificates.ts'
import { trustedListConfigurations } from '../../db/tables/ecosystems/trusted-lists.ts'
import { verifySign1 } from '../../shared/formats/cose.ts'
import { newId } from '../../shared/ids.ts'
import { queueDueTrustedLists } from '../../workers/publishing/queue-due-trusted-lists.ts'
import { trustedListSigner } from '../../workers/signing/certificates/signers.ts'
import { findDraftSource } from '../../workers/signing/trusted-lists/draft.ts'
import { createListDrafter } from '../../workers/signing/trusted-lists/list-drafter.ts'
import { bytesAt, newEcosystem, newListed, newType } from '../api/ecosystems/factories.ts'
import { newEcosystemCa } from '../certificates/hierarchy.ts'
import { type Service, startService } from '../harness/harness.ts'
import { signingDeps } from '../harness/published.ts'
import { parseTrustedList } from '../harness/trusted-list.ts'

let service: Service
let large: Awaited<ReturnType<typeof newLarge>>
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
  large = await newLarge()
})
afterAll(() => service[Symbol.asyncDispose]())

const docType = 'org.iso.18013.5.1.mDL'
const count = 600

/** An ecosystem with many certificates, which differ in their fingerprints alone. */
async function newLarge() {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  const [, , , ecosystemId = ''] = path.split('/')
  await newEcosystemCa(tenant)
  await tenant.operator.put(`${path}/vicals/configuration`, { vicalProvider: 'Provider' })
  const credentialId = await newType(tenant, path, { profile: 'mobile', type: docType })
  await newListed(tenant, path, 'issuer', { credentialId })
  const { db, clock } = service.deps
  const ofEcosystem = and(
    eq(participantCertificates.tenantId, tenant.id),
    eq(participantCertificates.ecosystemId, ecosystemId),
  )
  const [one] = await db.read.select().from(participantCertificates).where(ofEcosystem)
  const others = Array.from({ length: count - 1 }, () => ({ ...one!, id: newId(), fingerprint: newId() }))
  for (const chunk of chunksOf(others)) await db.tx((tx) => tx.insert(participantCertificates).values(chunk))
  const asked = { tenantId: tenant.id, ecosystemId, kind: 'vical' } as const
  const signing = { signer: await trustedListSigner(signingDeps(service), asked), date: clock.now() }
  return { tenant, path, signing, source: (await findDraftSource(db.read, asked))! }
}

/** The number of queries of this process. */
function counting(db: Reader): { reader: Reader; asked: () => number } {
  let asked = 0
  const select = (...columns: Parameters<Reader['select']>) => {
    asked++
    return db.select(...columns)
  }
  // Boundary: the overloads are as they were.
  return { reader: { ...db, select: select as Reader['select'] }, asked: () => asked }
}

test('a large list is drafted in a thread, and in this process if the thread fails', async () => {
  const { signing, source } = large
  const draft = async (databaseUrl: string) => {
    const { reader, asked } = counting(service.deps.db.read)
    const { content } = await createListDrafter(databaseUrl, { withinMs: 60_000 })(reader, source, signing)
    expect(verifySign1(content.content, signing.signer.key.publicKey).verified).toBe(true)
    const list = parseTrustedList(content.content, 'vical')
    expect(list).toMatchObject({ number: 1, provider: 'Provider' })
    expect(list.entries).toHaveLength(count)
    return asked()
  }
  const { databaseUrl } = service.deps.config
  // This process only counts them.
  expect(await draft(databaseUrl)).toBe(1)
  const nowhere = databaseUrl.startsWith('postgres') ? 'postgres://127.0.0.1:1/nowhere' : 'file:/dev/null/nowhere'
  expect(await draft(nowhere)).toBeGreaterThan(1)
})

test('a large list is published with all certificates', async () => {
  const { tenant, path } = large
  expect(await tenant.operator.post(`${path}/vicals`)).toMatchObject({ status: 201 })
  const { bytes } = await bytesAt(service, tenant, `${path}/vicals/public/latest`)
  expect(parseTrustedList(bytes, 'vical').entries).toHaveLength(count)
})

test('one run queues the due lists of many ecosystems', async () => {
  const { db, bus, clock } = service.deps
  const due = 700
  const createdAt = clock.now()
  const rows = Array.from({ length: due }, () => {
    return { id: newId(), tenantId: service.id, name: 'Due', policyModifiedAt: createdAt, createdAt }
  })
  const daily = { kind: 'vical', provider: 'Provider', autoPublishes: true, frequency: 'Daily', lastNumber: 0 } as const
  const configurations = rows.map(({ id: ecosystemId, tenantId }) => ({
    ...{ id: newId(), tenantId, ecosystemId, createdAt, autoPublishConfiguredAt: createdAt },
    ...daily,
  }))
  await db.tx(async (tx) => {
    for (const chunk of chunksOf(rows)) await tx.insert(ecosystems).values(chunk)
    for (const chunk of chunksOf(configurations)) await tx.insert(trustedListConfigurations).values(chunk)
  })
  await queueDueTrustedLists(service.deps)
  // A run comes every ten seconds: 560 in each are 10,000 in three minutes.
  expect(await bus.queue('signing-bulk').getJobCountByTypes('waiting', 'prioritized')).toBe(due)
  await bus.queue('signing-bulk').obliterate({ force: true })
})
