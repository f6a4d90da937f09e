import { cancelCertificate } from '../../db/repos/certificates/cancel-certificate.ts'
import { findIncompleteCertificates } from '../../db/repos/certificates/certificates.ts'
import { findDueCrls } from '../../db/repos/certificates/crls.ts'
import { findEndingSigners } from '../../db/repos/certificates/signers.ts'
import { plusMs } from '../../shared/clock.ts'
import { renewalDeadline, signerKinds } from '../../shared/domain/certificates/certificates.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'

/** Few jobs at a time, so that they do not delay requests for signatures. */
const maxPerRun = 50
/** Longer than the deadline of any request. */
const createdWithinMs = 60_000

/**
 * Queues CRLs that lack a revocation or are a day old, and the renewal of signers that end soon. Removes certificates that were not created
 * in time because the requesting process ended.
 */
export async function queueDueCertificates(deps: WorkerDeps): Promise<void> {
  const { db, bus, clock } = deps
  const at = clock.now()
  const due = await findDueCrls(db.read, at, maxPerRun)
  if (due.length > 0)
    await bus.sendMany(
      'publishCrl',
      due.map((ref) => ({ payload: ref, options: { id: `crl-${ref.caId}` } })),
    )
  for (const kind of signerKinds) {
    const ending = await findEndingSigners(db.read, { kind, at, until: renewalDeadline(kind, at), limit: maxPerRun })
    if (ending.length > 0)
      await bus.sendMany(
        'renewSigners',
        ending.map((ref) => ({ payload: ref, options: { id: `${kind}-${ref.caId}` } })),
      )
  }
  for (const { tenantId, certificateId } of await findIncompleteCertificates(
    db.read,
    plusMs(at, -createdWithinMs),
    maxPerRun,
  )) {
    await cancelCertificate(deps, tenantId, certificateId)
  }
}
