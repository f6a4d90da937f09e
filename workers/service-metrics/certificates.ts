import { Gauge } from 'prom-client'
import { countEnding } from '../../db/repos/certificates/certificates.ts'
import { findDueCrls } from '../../db/repos/certificates/crls.ts'
import { plusMs } from '../../shared/clock.ts'
import { type CertificateKind, certificateProfiles } from '../../shared/formats/x509/profiles.ts'
import type { WorkerDeps } from '../jobs/handlers.ts'
import { serviceMetricsRegistry } from './registry.ts'

const ending = new Gauge({
  name: 'trustwright_certificates_ending',
  help: 'Active certificates that end in less than 14 days, by kind. The service renews its own signers sooner. If the value is above 0, act.',
  labelNames: ['kind'] as const,
  registers: [serviceMetricsRegistry],
})
const crlsDue = new Gauge({
  name: 'trustwright_crls_due',
  help: 'CRLs that lack a revocation or are a day old. Above 0 for seconds at most. The maximum is 1000.',
  labelNames: [],
  registers: [serviceMetricsRegistry],
})

const kinds = Object.keys(certificateProfiles) as CertificateKind[]
const warnedBeforeMs = 14 * 24 * 3_600_000
const maxCrls = 1_000

/** Measures the metrics of certificates. They are left out if the database is unavailable. */
export async function measureCertificates({ db, clock }: Pick<WorkerDeps, 'db' | 'clock'>): Promise<void> {
  const at = clock.now()
  try {
    for (const kind of kinds) ending.set({ kind }, await countEnding(db.read, kind, at, plusMs(at, warnedBeforeMs)))
    crlsDue.set((await findDueCrls(db.read, at, maxCrls)).length)
  } catch {
    ending.reset()
    crlsDue.remove()
  }
}
