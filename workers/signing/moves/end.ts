import { type Database, openDatabase } from '../../../db/client.ts'
import { digestOfSummary, type MoveProof, readProof } from '../../../db/moves/proof.ts'
import { type ReceiverKeys, receiverFingerprint } from '../../../db/moves/receiver.ts'
import { listAuditEvents } from '../../../db/repos/operations/audit/audit.ts'
import { changesBy } from '../../../db/repos/operations/audit/audited.ts'
import { changeMove } from '../../../db/repos/tenancy/moves.ts'
import { findPlatformId } from '../../../db/repos/tenancy/tenants.ts'
import type { Clock } from '../../../shared/clock.ts'
import { Misconfigured } from '../../../shared/process/dependency.ts'

export interface EndOfMove {
  databaseUrl: string
  clock: Clock
  /** The text of the proof: a JWS in the compact form. */
  proof: string
  receiver: ReceiverKeys
  print(line: string): void
}

/** Ends a move at the old installation by the proof of the import: the tenant cannot change there again. Throws Misconfigured. */
export async function endMove({ databaseUrl, clock, print, ...proven }: EndOfMove): Promise<void> {
  const proof = await readProof(proven.proof, proven.receiver)
  const db = openDatabase(databaseUrl, { survives: 'powerLoss' })
  try {
    const platformId = await requireExport(db, proof, proven.receiver)
    const { tenantId, exportId } = proof
    await changesBy(
      { db, clock },
      { event: 'TENANT_MOVED' },
    )(async (tx, record) => {
      const moved = await changeMove(tx, tenantId, { from: 'moving', to: 'moved' })
      if (!moved) throw new Misconfigured(`The tenant ${tenantId} is not read-only here, or has moved already.`)
      for (const chain of [platformId, tenantId]) record(chain, { id: tenantId, exportId })
    })
    print(`The tenant ${tenantId} has moved. Here it can only be read. Delete it when all caches of DNS have ended.`)
  } finally {
    await db.close()
  }
}

const maxRows = 10_000
const [exported, started] = ['TENANT_EXPORT_AUDIT', 'TENANT_MOVE_START_AUDIT']

/** Returns the id of the platform. Throws if this installation has not made this export in this move, with the same rows and for this receiver. */
async function requireExport({ read }: Database, proof: MoveProof, receiver: ReceiverKeys): Promise<string> {
  const platformId = (await findPlatformId(read)) ?? ''
  const { rows } = await listAuditEvents(read, platformId, { types: [exported, started] }, maxRows)
  const ofExport = rows.find(({ type, data }) => type === exported && data.exportId === proof.exportId)
  if (!ofExport) throw new Misconfigured(`This installation has no export ${proof.exportId}.`)
  const isSame =
    ofExport.data.id === proof.tenantId &&
    ofExport.data.receiver === receiverFingerprint(receiver) &&
    ofExport.data.digest === digestOfSummary(proof)
  if (!isSame)
    throw new Misconfigured('The proof has other rows than the export, or another receiver. Do not delete the tenant.')
  // Not by time, because clocks can differ.
  const isOfLaterMove = ({ type, data, number }: (typeof rows)[number]) =>
    type === started && data.id === proof.tenantId && number > ofExport.number
  if (rows.some(isOfLaterMove))
    throw new Misconfigured(
      'The tenant was active again after the export, so that it can have changed. Do not delete the tenant. Delete the imported one, and move it again.',
    )
  return platformId
}
