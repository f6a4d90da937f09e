import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { certificateContent } from '../../api/ecosystems/participants/certificate-content.ts'
import { openDatabase } from '../../db/client.ts'
import { chunksOf } from '../../db/repos/chunks.ts'
import { findListedParticipants } from '../../db/repos/ecosystems/listed-participants.ts'
import { insertTrustedList } from '../../db/repos/ecosystems/trusted-lists.ts'
import { certificates } from '../../db/tables/certificates/certificates.ts'
import { participantCertificates } from '../../db/tables/ecosystems/participant-certificates.ts'
import { participants } from '../../db/tables/ecosystems/participants.ts'
import { plusMs, systemClock } from '../../shared/clock.ts'
import { trustedListPayload } from '../../shared/formats/trusted-lists/build-list.ts'
import { buildCertificate, newSerialNumber } from '../../shared/formats/x509/build-certificate.ts'
import { nameOf } from '../../shared/formats/x509/name.ts'
import { newId, newOrderedId } from '../../shared/ids.ts'
import { createLog } from '../../shared/log/log.ts'
import { createKeyring } from '../../workers/signing/keys/keyring.ts'
import { entriesOf } from '../../workers/signing/trusted-lists/entries.ts'
import { createListDrafter } from '../../workers/signing/trusted-lists/list-drafter.ts'
import { publishTrustedList } from '../../workers/signing/trusted-lists/publish-trusted-list.ts'
import { testSigner } from '../harness/test-signer.ts'
import { knownSigner } from './known-signer.ts'
import type { Issuer, Publication } from './trusted-lists.ts'

/**
 * A child process. For each issuer in a message it adds certificates and answers with the time to publish them
 * (`Publication`).
 */
const log = createLog({ process: 'bench', level: 'silent', pretty: false })
const db = openDatabase(process.env.DATABASE_URL ?? '', { survives: 'powerLoss' })
process.on('message', async (issuer: Issuer) => process.send?.(await measure(issuer)))
process.on('disconnect', () => process.exit())
process.send?.('ready')

const runs = 15

async function measure({ participantId, count }: Issuer): Promise<Publication> {
  const [participant] = await db.read.select().from(participants).where(eq(participants.id, participantId))
  if (!participant) throw new Error('there is no such participant')
  const { tenantId, ecosystemId } = participant
  await fill(participant, count)
  const signerCache = await knownSigner(db, { tenantId, kind: 'vical-signer' })
  const caId = signerCache.values().next().value?.caId ?? ''
  const keyring = createKeyring([randomBytes(32)])
  const draftOnThread = createListDrafter(process.env.DATABASE_URL ?? '')
  const deps = { db, clock: systemClock, log, keyring, signerCache, draftOnThread, publicScheme: 'http' } as const
  const [publish, assemble, join]: [number[], number[], number[]] = [[], [], []]
  for (let run = 0; run < runs; run++) {
    join.push(await timed(() => joined(participant)))
    assemble.push(await timed(() => assembled(participant)))
    const listId = newOrderedId(new Date())
    const row = {
      id: listId,
      tenantId,
      ecosystemId,
      kind: 'vical',
      isAutoPublished: false,
      createdAt: new Date(),
    } as const
    await db.tx((tx) => insertTrustedList(tx, row))
    publish.push(await timed(() => publishTrustedList(deps, { tenantId, listId })))
  }
  // The service's own signer publishes the lists that follow.
  await db.tx((tx) => tx.delete(certificates).where(eq(certificates.caId, caId)))
  return { count, publishMs: median(publish), assembleMs: median(assemble), joinMs: median(join) }
}

type Participant = typeof participants.$inferSelect

/** Builds the payload from the rows and their stored entries, like the service. */
async function assembled({ tenantId, ecosystemId }: Participant): Promise<Buffer> {
  const date = new Date()
  const participants = await findListedParticipants(db.read, { tenantId, ecosystemId, role: 'issuer', at: date })
  const entries = entriesOf('vical', participants)
  return trustedListPayload({ kind: 'vical', provider: 'Benchmark', number: 1, date, entries })
}

/** Reads and joins the stored entries without a list around them. */
async function joined({ tenantId, id }: Participant): Promise<Buffer> {
  const { entry, participantId } = participantCertificates
  const rows = await db.read
    .select({ entry })
    .from(participantCertificates)
    .where(and(eq(participantCertificates.tenantId, tenantId), eq(participantId, id)))
  return Buffer.concat(rows.map((each) => each.entry))
}

async function fill({ tenantId, ecosystemId, id: participantId }: Participant, count: number): Promise<void> {
  const ofParticipant = eq(participantCertificates.participantId, participantId)
  const missing = count - (await db.read.$count(participantCertificates, ofParticipant))
  const createdAt = new Date()
  const holder = {
    tenantId,
    ecosystemId,
    participantId,
    docTypes: null,
    active: true,
    source: 'operator',
    createdAt,
  } as const
  for (const chunk of chunksOf(Array.from({ length: missing }, (_, position) => position))) {
    const authorities = await Promise.all(chunk.map((position) => newAuthority(`Authority ${position}`)))
    const rows = authorities.map((pem) => ({
      ...{ id: newId(), ...holder },
      ...certificateContent(pem, 'issuer', 'certificatePem'),
    }))
    await db.tx((tx) => tx.insert(participantCertificates).values(rows))
  }
}

async function newAuthority(commonName: string): Promise<string> {
  const key = testSigner(generateKeyPairSync('ec', { namedCurve: 'P-256' }))
  const subject = { country: 'NZ', commonName, organisationName: 'Benchmark' }
  const at = new Date()
  const url = 'https://bench.example'
  const der = await buildCertificate({
    ...{ kind: 'iaca', subject, publicKey: key.publicKey, issuer: { name: nameOf(subject), key } },
    ...{ serialNumber: newSerialNumber(), notBefore: plusMs(at, -3_600_000), notAfter: plusMs(at, 30 * 86_400_000) },
    ...{ subjectUrl: url, issuerUrl: url, crlUrl: url },
  })
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function median(times: number[]): number {
  return times.toSorted((one, other) => one - other)[times.length >> 1] ?? Number.NaN
}
