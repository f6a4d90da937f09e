import { X509Certificate } from 'node:crypto'
import { dayMs, plusMs } from '../../shared/clock.ts'
import { certifierOf, type SignerKind } from '../../shared/formats/x509/profiles.ts'
import { signersPath } from '../certificates/hierarchy.ts'
import { keyRotation } from './key-rotation.ts'
import { must } from './outside.ts'
import { type CheckContext, renewedBy } from './published.ts'
import type { SimulatedTenant } from './tenants.ts'

/** The documentation names these times between the renewal of a signer and its end. */
const renewedBeforeDays: Record<SignerKind, number> = {
  ...{ 'document-signer': 30, 'status-list-signer': 60, 'sd-jwt-signer': 30, 'vical-signer': 60, 'rical-signer': 60 },
}

/** Requires that signers in use are renewed in time. A signer that ends with its authority has no successor. */
export async function requireSigners({ tenant, at }: CheckContext): Promise<void> {
  const operator = await tenant.operator()
  for (const [kind, days] of Object.entries(renewedBeforeDays) as [SignerKind, number][]) {
    const { data } = (await operator.get(signersPath(kind))).body
    for (const { active, certificatePem } of data) {
      if (!active || certificatePem === undefined) continue
      const signer = new X509Certificate(certificatePem)
      const root = tenant.authorities.find(
        (each) => each.kind === certifierOf(kind) && signer.checkIssued(each.certificate),
      )
      if (!root || signer.validToDate >= root.certificate.validToDate) continue
      const end = signer.validToDate.toISOString()
      must(
        at <= renewedBy(signer.validToDate, days * dayMs),
        `${tenant.name}: a ${kind} is not renewed in time, it ends at ${end}`,
      )
    }
  }
}

/** Encryption keys have a default. */
const rotatedAfterDays: Record<string, number> = {
  ...{ credentials: keyRotation.credentials.days, webhooks: keyRotation.webhooks.days },
  ...{ tokens: keyRotation.tokens.days, encryption: 30 },
}
interface KeyView {
  purpose: string
  createdAt: string
  retiredAt?: string | null
}

/** Longer than the time for which Redis is away. */
const lateForMs = 2 * dayMs

/** Requires that keys in use are not older than the tenant allows. */
export async function requireYoungKeys({ tenant, at }: CheckContext): Promise<void> {
  const [old] = await findOldKeys(tenant, plusMs(at, -lateForMs))
  must(old === undefined, `${tenant.name}: the key for ${old?.purpose} of ${old?.createdAt} is not rotated`)
}

/** Returns the keys in use that were to be rotated by a time. */
export async function findOldKeys(
  tenant: SimulatedTenant,
  by: Date,
): Promise<{ purpose: string; createdAt: string }[]> {
  const { data } = (await (await tenant.operator()).get('/v1/keys')).body as { data: KeyView[] }
  return data.filter(({ purpose, createdAt, retiredAt }) => {
    const days = rotatedAfterDays[purpose]
    return !retiredAt && days !== undefined && Date.parse(createdAt) < by.getTime() - days * dayMs
  })
}
