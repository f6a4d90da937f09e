import type { TestTenant } from '../harness/harness.ts'
import { pdf, uploadTo } from '../harness/uploads.ts'
import { newEcosystem, newParticipant } from './ecosystems/factories.ts'
import { loteBody, wholeAddress } from './ecosystems/lote-bodies.ts'
import { madeAt, type Replaceable, rootPem } from './replaceable.ts'

async function participantOf(tenant: TestTenant): Promise<string> {
  return newParticipant(tenant, await newEcosystem(tenant), { isIssuer: true, isVerifier: true })
}

function participantCertificate(role: 'issuer' | 'verifier'): Replaceable {
  return {
    async make(tenant) {
      const path = `${await participantOf(tenant)}/${role}-certificates`
      return madeAt(path, { certificatePem: await rootPem() })(tenant)
    },
    full: { docTypes: ['org.iso.18013.5.1.mDL'], active: false },
    ...{ least: {}, reset: ['docTypes', 'active'] },
  }
}

function listConfiguration(kind: 'vical' | 'rical'): Replaceable {
  const least = { [`${kind}Provider`]: 'Aotearoa' }
  return {
    make: async (tenant) => `${await newEcosystem(tenant)}/${kind}s/configuration`,
    full: {
      ...{ ...least, autoPublish: { enabled: true, frequency: 'Daily' } },
      retention: { keepLast: 30, keepMonthly: true },
    },
    ...{ least, reset: ['autoPublish', 'retention'] },
  }
}

/** The PUT operations of ecosystems by name. */
export const replaceableEcosystems: Record<string, Replaceable> = {
  updateEcosystem: {
    make: (tenant) => newEcosystem(tenant),
    full: { name: 'Other', integrations: [{ format: 'VICAL', url: 'https://lists.example/vical' }] },
    ...{ least: { name: 'Other' }, reset: ['integrations'] },
  },
  updateParticipant: {
    make: participantOf,
    full: {
      ...{ name: 'Other', identifiers: { compact: 'did:web:other.example' }, isIssuer: true, isVerifier: true },
      ...{ isIssuerConstrained: false, isVerifierConstrained: false, status: 'Inactive', country: 'NZ' },
      ...{ stateOrProvince: 'Otago', contacts: [{ phoneNumber: '+64 4 555 0100' }] },
    },
    least: { name: 'Other' },
    reset: [
      ...['identifiers', 'isIssuer', 'isVerifier', 'isIssuerConstrained', 'isVerifierConstrained', 'status'],
      ...['country', 'stateOrProvince', 'contacts'],
    ],
  },
  updateParticipantIssuerCertificate: participantCertificate('issuer'),
  updateParticipantVerifierCertificate: participantCertificate('verifier'),
  updateParticipantEvidence: {
    async make(tenant) {
      const path = `${await participantOf(tenant)}/evidence`
      const { body } = await uploadTo(tenant.operator, path, ['file', pdf()])
      return `${path}/${body.id}`
    },
    full: { filename: 'other.pdf', fileDescription: 'The accreditation' },
    ...{ least: {}, reset: ['fileDescription'], kept: ['filename'] },
  },
  configureVical: listConfiguration('vical'),
  configureRical: listConfiguration('rical'),
  configureLote: {
    make: async (tenant) => `${await newEcosystem(tenant)}/lotes/pid-providers/configuration`,
    full: {
      ...{ ...loteBody(), schemeOperatorAddress: wholeAddress, autoPublish: { enabled: true, frequency: 'Daily' } },
      retention: { keepLast: 30, keepMonthly: true },
    },
    ...{ least: loteBody(), reset: ['autoPublish', 'retention', 'schemeOperatorAddress.postal.stateOrProvince'] },
  },
}
