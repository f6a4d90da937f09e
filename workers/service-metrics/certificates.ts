import { Gauge } from 'prom-client'
import { countEnding } from '../../db/repos/certificates/certificates.ts'
import { findDueCrls } from '../../db/repos/certificates/crls.ts'
import { plusMs } from '../../shared/clock.ts'
import { type CertificateKind, certificateProfiles } from '../../shared/formats/x509/profiles.ts'
import type { WorkerDeps } from '../handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const ending = new Gauge({
  name: 'trustwright_certificates_ending',
  help: 'Active certificates that end in less than 14 days, by kind. Signers that the service makes are followed by others sooner: more than 0, and somebody has to act.',
  labelNames: ['kind'] as const,
  registers: [serviceMetricsRegistry],
})
const crlsDue = new Gauge({
  name: 'trustwright_crls_due',
  help: 'CRLs that miss a revocation or are a day old; for seconds at most. 1000 means so many or more.',
  labelNames: [],
  registers: [serviceMetricsRegistry],
})

const kinds = Object.keys(certificateProfiles) as CertificateKind[]
const warnedBeforeMs = 14 * 24 * 3_600_000
const mostCrls = 1_000

/** Looks at the database; where that is away, the metrics say nothing of certificates. */
export async function measureCertificates({ db, clock }: Pick<WorkerDeps, 'db' | 'clock'>): Promise<void> {
  const at = clock.now()
  try {
    for (const kind of kinds) ending.set({ kind }, await countEnding(db.read, kind, at, plusMs(at, warnedBeforeMs)))
    crlsDue.set((await findDueCrls(db.read, at, mostCrls)).length)
  } catch {
    ending.reset()
    crlsDue.remove()
  }
}
