import { X509Certificate } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { isMade } from '../../db/repos/certificates/certificates.ts'
import { findCrl, findRevoked } from '../../db/repos/certificates/crls.ts'
import { certificates } from '../../db/tables/certificates/certificates.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { eventually, type TestTenant } from '../harness.ts'
import { crlOf, iacas, newIaca, signersPath } from '../hierarchy.ts'
import { verifyStrictly } from '../openssl.ts'
import { type Processes, type ProcessName, startProcesses } from '../processes.ts'

/** What a killed worker was doing is taken over by another after ten seconds and more. */
const drainMs = 60_000
const victims: ProcessName[] = ['signing', 'web', 'signing', 'worker', 'signing', 'web']

let service: Processes
beforeAll(async () => {
  service = await startProcesses()
}, 120_000)
afterAll(() => service?.[Symbol.asyncDispose]())

interface Answered {
  iacaId: string
  root: string
  leaf: string
  path: string
  isRevoked: boolean
}

/** Makes signers and revokes them, one after the other, until it is over; what was answered is kept. */
async function hierarchyOf(tenant: TestTenant, answered: Answered[], isOver: () => boolean): Promise<void> {
  const iaca = await newIaca(tenant)
  const { operator } = tenant
  while (!isOver()) {
    const made = await operator.post(signersPath('document-signer'), { iacaId: iaca.id }).catch(() => undefined)
    if (made?.status === 201) {
      const path = `${signersPath('document-signer')}/${made.body.id}`
      const one = { iacaId: iaca.id, root: iaca.certificatePem, leaf: made.body.certificatePem, path, isRevoked: false }
      answered.push(one)
      const revoked = await operator.post(`${path}/revoke`, {}).catch(() => undefined)
      one.isRevoked = revoked?.status === 200
      // One that was not revoked signs nothing more, and goes on counting to the limit.
      await operator.put(path, { active: false }).catch(() => undefined)
    }
    await sleep(20)
  }
}

test('whichever process is killed, no key is without its certificate, and what was revoked is on a CRL whose number rose', {
  timeout: 240_000,
}, async () => {
  onTestFailed(() => console.error(service.troubles().slice(-20_000)))
  const { db } = service
  const tenants = [service.tenant, await service.addTenant(), await service.addTenant()]
  const answered: Answered[] = []
  let isOver = false
  const numbers = new Map<string, number[]>()
  const watcher = async () => {
    while (!isOver) {
      for (const { id } of tenants) {
        const [iaca] = await db.read
          .select({ id: certificates.id })
          .from(certificates)
          .where(and(eq(certificates.tenantId, id), eq(certificates.kind, 'iaca')))
        const crl = iaca && (await findCrl(db.read, id, iaca.id))
        if (crl) numbers.set(id, [...(numbers.get(id) ?? []), crl.number])
      }
      await sleep(20)
    }
  }
  const running = [...tenants.map((tenant) => hierarchyOf(tenant, answered, () => isOver)), watcher()]
  for (const victim of victims) {
    await sleep(500 + Math.random() * 1_500)
    await service.kill(victim)
    await service.start(victim)
  }
  isOver = true
  await Promise.all(running)

  expect(answered.filter(({ isRevoked }) => isRevoked).length).toBeGreaterThan(0)
  for (const tenant of tenants) {
    const all = await db.read.select().from(certificates).where(eq(certificates.tenantId, tenant.id))
    const iaca = all.find(({ kind }) => kind === 'iaca')!
    // What nobody was answered about is on the CRL as well.
    await eventually(async () => {
      const revoked = await findRevoked(db.read, tenant.id, iaca.id)
      return revoked.every(({ publishedAt }) => publishedAt !== null)
    }, drainMs)
    const made = all.filter(isMade)
    expect(new Set(made.map(({ serialNumber }) => serialNumber)).size).toBe(made.length)
    const owners = await db.read
      .select({ id: keys.ownerId })
      .from(keys)
      .where(and(eq(keys.tenantId, tenant.id), eq(keys.ownerKind, 'certificate')))
    expect(owners.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort())
    const seen = numbers.get(tenant.id)!
    expect(seen).toEqual([...seen].sort((one, other) => one - other))

    const revoked = new Set((await findRevoked(db.read, tenant.id, iaca.id)).map(({ serialNumber }) => serialNumber))
    const crl = await crlOf(service, tenant, iaca.id)
    for (const { leaf, root } of answered.filter((each) => each.iacaId === iaca.id && each.isRevoked).slice(-3)) {
      expect(revoked).toContain(new X509Certificate(leaf).serialNumber.toLowerCase())
      expect(await verifyStrictly({ leaf, root, crl })).toContain('certificate revoked')
    }
    expect((await tenant.operator.get(`${iacas}/${iaca.id}`)).status).toBe(200)
  }
})
