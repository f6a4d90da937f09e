import { X509Certificate } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { isComplete } from '../../db/repos/certificates/certificates.ts'
import { findCrl, findRevokedCertificates } from '../../db/repos/certificates/crls.ts'
import { certificates } from '../../db/tables/certificates/certificates.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { crlOf, iacas, newIaca, signersPath } from '../certificates/hierarchy.ts'
import { eventually, type TestTenant } from '../harness/harness.ts'
import { type Processes, type ProcessName, startProcesses } from '../harness/processes.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { verifyStrictly } from '../verifiers/openssl.ts'

const victims: ProcessName[] = ['signing', 'web', 'signing', 'worker', 'signing', 'web']

let service: Processes
beforeAll(async () => {
  // A request whose process was killed ends after this time, and the load goes on.
  service = await startProcesses({ CREDENTIAL_DEADLINE_MS: '4000' })
})
afterAll(() => service?.[Symbol.asyncDispose]())

interface Answered {
  iacaId: string
  root: string
  leaf: string
  path: string
  isRevoked: boolean
}

/** Makes signers under an IACA and revokes them, one after the other, until it is over; what was answered is kept. */
async function useIaca(
  { operator }: TestTenant,
  iaca: { id: string; certificatePem: string },
  answered: Answered[],
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const made = await operator.post(signersPath('document-signer'), { iacaId: iaca.id }).catch(() => undefined)
    if (made?.status === 201) {
      const path = `${signersPath('document-signer')}/${made.body.id}`
      const one = { iacaId: iaca.id, root: iaca.certificatePem, leaf: made.body.certificatePem, path, isRevoked: false }
      answered.push(one)
      const revoked = await operator.post(`${path}/revoke`, {}).catch(() => undefined)
      one.isRevoked = revoked?.status === 200
      // A signer that was not revoked signs nothing more, and still counts for the limit.
      await operator.put(path, { active: false }).catch(() => undefined)
    }
    await sleep(20)
  }
}

test('whichever process is killed, no key is without its certificate, and revoked certificates are on a CRL with a higher number', async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
  const random = seededRandom()
  const { db } = service
  const tenants = [service.tenant, await service.addTenant(), await service.addTenant()]
  const answered: Answered[] = []
  let isOver = false
  const iacaOf = new Map<TestTenant, Awaited<ReturnType<typeof newIaca>>>()
  for (const tenant of tenants) iacaOf.set(tenant, await newIaca(tenant))
  const numbers = new Map<string, number[]>()
  const watcher = async () => {
    while (!isOver) {
      for (const [{ id }, iaca] of iacaOf) {
        const crl = await findCrl(db.read, id, iaca.id)
        if (crl) numbers.set(id, [...(numbers.get(id) ?? []), crl.number])
      }
      await sleep(20)
    }
  }
  const using = [...iacaOf].map(([tenant, iaca]) => useIaca(tenant, iaca, answered, () => isOver))
  const running = Promise.all([...using, watcher()])
  const revokedUnder = ({ id }: { id: string }) =>
    answered.filter(({ iacaId, isRevoked }) => iacaId === id && isRevoked).length
  for (const victim of victims) {
    const before = new Map([...iacaOf.values()].map((iaca) => [iaca, revokedUnder(iaca)]))
    await eventually(async () => [...before].every(([iaca, count]) => revokedUnder(iaca) > count))
    await sleep(random() * 1_500)
    await service.kill(victim)
    await service.start(victim)
  }
  isOver = true
  await running

  for (const [tenant, iaca] of iacaOf) {
    const all = await db.read.select().from(certificates).where(eq(certificates.tenantId, tenant.id))
    // Revocations without a response are on the CRL as well.
    await eventually(async () => {
      const revoked = await findRevokedCertificates(db.read, tenant.id, iaca.id)
      return revoked.every(({ publishedAt }) => publishedAt !== null)
    })
    const made = all.filter(isComplete)
    expect(new Set(made.map(({ serialNumber }) => serialNumber)).size).toBe(made.length)
    const owners = await db.read
      .select({ id: keys.ownerId })
      .from(keys)
      .where(and(eq(keys.tenantId, tenant.id), eq(keys.ownerKind, 'certificate')))
    expect(owners.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort())
    const seen = numbers.get(tenant.id)!
    expect(seen).toEqual([...seen].sort((one, other) => one - other))

    const revoked = new Set(
      (await findRevokedCertificates(db.read, tenant.id, iaca.id)).map(({ serialNumber }) => serialNumber),
    )
    const crl = await crlOf(service, tenant, iaca.id)
    for (const { leaf, root } of answered.filter((each) => each.iacaId === iaca.id && each.isRevoked).slice(-3)) {
      expect(revoked).toContain(new X509Certificate(leaf).serialNumber.toLowerCase())
      expect(await verifyStrictly({ leaf, root, crl })).toContain('certificate revoked')
    }
    expect((await tenant.operator.get(`${iacas}/${iaca.id}`)).status).toBe(200)
  }
})
