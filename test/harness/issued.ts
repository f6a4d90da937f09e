import { randomUUID } from 'node:crypto'
import type { Deps } from '../../api/deps.ts'
import { addToOutbox, type OutboxEntry } from '../../db/outbox.ts'
import { credentials } from '../../db/tables/issuance/credentials.ts'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import type { Service } from './harness.ts'

export interface Issued {
  issuanceId: string
  credentialId: string
  userId: string
  sessionId: string
  configurationId: string
  offerId: string
  credential: string
}

const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const

/** Inserts what the signing process commits for this number of credentials in one transaction, with their outbox rows. */
export async function issueMany(
  { deps }: { deps: Pick<Deps, 'db' | 'bus' | 'clock'> },
  tenantId: string,
  count: number,
): Promise<Issued[]> {
  const at = deps.clock.now()
  const issued = Array.from({ length: count }, () => ({
    issuanceId: randomUUID(),
    credentialId: randomUUID(),
    userId: randomUUID(),
    sessionId: randomUUID(),
    configurationId: randomUUID(),
    offerId: randomUUID(),
    credential: `base32-${randomUUID()}`,
  }))
  await deps.db.tx(async (tx) => {
    for (const each of issued) {
      const { issuanceId, credentialId, userId, sessionId, configurationId, offerId, credential } = each
      const common = { tenantId, userId, sessionId, configurationId, offerId }
      await tx.insert(issuances).values({
        ...common,
        id: issuanceId,
        state: 'issued',
        holderKeys: [{ jwk: key }],
        credentials: [{ id: credentialId, format: 'cwt', credential }],
        requestedAt: at,
        endedAt: at,
      })
      await tx.insert(credentials).values({
        ...common,
        id: credentialId,
        issuanceId,
        profile: 'compact',
        type: 'Certificate',
        devicePublicKey: key,
        status: 'valid',
        issuedAt: at,
        validFrom: at,
        position: 0,
      })
    }
    const entries = issued.map(({ issuanceId }): OutboxEntry<'fanOut'> => {
      return { id: issuanceId, payload: { tenantId, kind: 'issuance', subjectId: issuanceId } }
    })
    await addToOutbox(tx, 'fanOut', entries, at)
  })
  deps.bus.poke()
  return issued
}

export async function issueOne(service: Service, tenantId = service.id): Promise<Issued> {
  const [issued] = await issueMany(service, tenantId, 1)
  return issued!
}
