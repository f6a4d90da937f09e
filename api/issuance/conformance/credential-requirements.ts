import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { isRevocable } from '../../../shared/domain/issuance/profiles.ts'
import {
  chainWithoutAnchor,
  type Evidence,
  type Finding,
  looked,
  memberText,
  notApplicable,
  type Requirement,
  toBeTested,
} from './finding.ts'

const setDraft14 = 'Set statusListFormat of the tenant to draft14'
const issueFirst = 'Issue a credential with a status, and read the report again'

/** The requirements of sections 5.3.1 and 6 to 8 of HAIP 1.0 for credentials. */
export const credentialRequirements = {
  mdoc_status: {
    clause: 'HAIP 1.0, section 5.3.1',
    level: 'must',
    text: 'The status of an mdoc has a mechanism of ISO/IEC 18013-5',
    check: ifRevocable('mobile', statusFormat),
    change: setDraft14,
  },
  sd_jwt_serialization: {
    clause: 'HAIP 1.0, section 6.1',
    level: 'must',
    text: 'SD-JWT VCs have the compact serialization',
    check: ifSdJwt(() => toBeTested()),
    test: 'Collect a credential. It is text whose parts are separated by ~',
  },
  validity: {
    clause: 'HAIP 1.0, section 6.1',
    level: 'should',
    text: 'SD-JWT VCs have exp, a status, or both',
    check: ifSdJwt(({ configurations }) => {
      const unlimited = configurations.filter((each) => each.profile === 'sd-jwt' && !isLimited(each))
      const names = unlimited.map(({ type }) => type).join(', ')
      return looked(
        unlimited.length === 0,
        `Configurations without expiresIn, validUntil and status: ${names || 'none'}`,
      )
    }),
    change: 'Set expiresIn, validUntil or revocable of these configurations',
  },
  holder_key: {
    clause: 'HAIP 1.0, section 6.1',
    level: 'must',
    text: 'SD-JWT VCs that are bound to a key have it in cnf as jwk',
    check({ metadata: { issuer } }) {
      const methods = Object.values(issuer.credential_configurations_supported).flatMap((each) =>
        each.format === 'dc+sd-jwt' ? (each.cryptographic_binding_methods_supported ?? []) : [],
      )
      if (methods.length === 0) return notApplicable('No configuration of an SD-JWT VC is bound to a key of the holder')
      const names = [...new Set(methods)]
      return looked(names.join() === 'jwk', memberText('cryptographic_binding_methods_supported', names))
    },
  },
  status_list: {
    clause: 'HAIP 1.0, section 6.1',
    level: 'must',
    text: 'The status of an SD-JWT VC is in a token status list',
    check: ifRevocable('sd-jwt', statusFormat),
    change: setDraft14,
  },
  status_list_x5c: {
    clause: 'HAIP 1.0, section 6.1',
    level: 'must',
    text: 'Token status lists have the certificate of their key in x5c',
    check: ifRevocable('sd-jwt', ({ statusChain }) =>
      statusChain
        ? looked(statusChain.length > 0, `x5c of the newest status list: ${statusChain.length} certificates`)
        : toBeTested('The tenant has no published status list of SD-JWT VCs'),
    ),
    test: issueFirst,
  },
  status_list_chain: {
    clause: 'HAIP 1.0, section 6.1',
    level: 'must',
    text: 'The chain of token status lists has no trust anchor, and the signer is not self-signed',
    check: ifRevocable('sd-jwt', ({ statusChain }) =>
      statusChain
        ? chainWithoutAnchor(statusChain, 'x5c of the newest status list')
        : toBeTested('The tenant has no published status list of SD-JWT VCs'),
    ),
    test: issueFirst,
  },
  status_index: {
    clause: 'HAIP 1.0, section 6.1',
    level: 'must',
    text: 'Each credential has a status list index of its own, which cannot be predicted',
    check: ifRevocable('sd-jwt', () => toBeTested()),
    test: 'Collect a batch of credentials, and compare the idx of their status',
  },
  sd_jwt_x5c: {
    clause: 'HAIP 1.0, section 6.1.1',
    level: 'must',
    text: 'SD-JWT VCs have the certificate chain of their signer in x5c',
    check: ifSdJwt(({ sdJwtSigners }) => {
      const missing = sdJwtSigners.filter(({ certificate }) => certificate === undefined)
      const ofAnyIaca = missing.some(({ caId }) => caId === undefined)
      if (missing.length > 0 && !ofAnyIaca)
        return toBeTested(`No signer yet below the IACA ${missing.map(({ caId }) => caId).join(', ')}`)
      return looked(!ofAnyIaca, `Signers of SD-JWT VCs: ${sdJwtSigners.length - missing.length}`)
    }),
    change: 'Activate an IACA: PUT /v2/credentials/mobile/iacas/{id} with active',
    test: 'Issue a credential below this IACA, and read the report again',
  },
  sd_jwt_chain: {
    clause: 'HAIP 1.0, section 6.1.1',
    level: 'must',
    text: 'The chain of SD-JWT VCs has no trust anchor, and the signer is not self-signed',
    check: ifSdJwt(({ sdJwtSigners }) => {
      const signers = sdJwtSigners.flatMap(({ certificate }) => certificate ?? [])
      if (signers.length === 0) return notApplicable('The tenant has no signer of SD-JWT VCs')
      return chainWithoutAnchor(signers, 'Signers of SD-JWT VCs')
    }),
  },
  signature_algorithms: {
    clause: 'HAIP 1.0, section 7',
    level: 'must',
    text: 'Wallet attestations, key attestations and proofs can be signed with ES256',
    check({ metadata: { issuer, server } }) {
      const attestations = server.client_attestation_signing_alg_values_supported
      const proofs = Object.values(issuer.credential_configurations_supported).flatMap(
        ({ proof_types_supported: types = {} }) =>
          Object.values(types).map((type) => type?.proof_signing_alg_values_supported ?? []),
      )
      const isMet = [attestations, ...proofs].every((algorithms) => algorithms.includes('ES256'))
      const ofProofs = [...new Set(proofs.flat())]
      const ofAttestations = memberText('client_attestation_signing_alg_values_supported', attestations)
      return looked(isMet, `${ofAttestations}. proof_signing_alg_values_supported: ${ofProofs.join(', ') || 'absent'}`)
    },
  },
  hash_algorithm: {
    clause: 'HAIP 1.0, section 8',
    level: 'must',
    text: 'The digests of SD-JWT VCs and mdocs have the algorithm SHA-256',
    check: ({ configurations }) =>
      configurations.some(({ profile }) => profile === 'sd-jwt' || profile === 'mobile')
        ? toBeTested()
        : notApplicable('The tenant has no configuration of an SD-JWT VC or mdoc'),
    test: 'Collect a credential, and read _sd_alg of the SD-JWT VC or digestAlgorithm of the mdoc',
  },
} as const satisfies Record<string, Requirement>

function isLimited(configuration: ConfigurationRow<'sd-jwt'>): boolean {
  const { expiresIn, validUntil } = configuration.settings
  return expiresIn !== undefined || validUntil !== undefined || isRevocable(configuration)
}

function statusFormat({ tenant: { settings } }: Evidence): Finding {
  const format = settings.statusListFormat
  return looked(format === 'draft14', `statusListFormat of the tenant: ${format}`)
}

function ifSdJwt(check: Requirement['check']): (evidence: Evidence) => Finding {
  return (evidence) =>
    evidence.configurations.some(({ profile }) => profile === 'sd-jwt')
      ? check(evidence)
      : notApplicable('The tenant has no configuration of an SD-JWT VC')
}

function ifRevocable(profile: 'sd-jwt' | 'mobile', check: Requirement['check']): (evidence: Evidence) => Finding {
  const what = profile === 'mobile' ? 'an mdoc' : 'an SD-JWT VC'
  return (evidence) =>
    evidence.configurations.some((each) => each.profile === profile && isRevocable(each))
      ? check(evidence)
      : notApplicable(`No configuration of ${what} gives a status`)
}
