import { isKeyBound } from '../../../shared/domain/issuance/profiles.ts'
import { followsHaip } from '../../../shared/domain/tenancy/protocol-profiles.ts'
import {
  type Evidence,
  type Finding,
  looked,
  memberText,
  notApplicable,
  type Requirement,
  toBeTested,
} from './finding.ts'
import { authenticationMethods, setProfile } from './issuance-requirements.ts'

const testAttestation = 'Check an attestation of each wallet with POST /v1/openid/client-attestations/test'
const trustKeyAttestations = 'Add the root certificates of key attestations to keyAttestationRoots of the tenant'
const collectWithAttestation =
  'Collect a credential with a key attestation. The timeline of the offer names the check that refuses it'

/** The requirements of sections 4.4 and 4.5 of HAIP 1.0. */
export const walletRequirements = {
  refresh_tokens: {
    clause: 'HAIP 1.0, section 4.4',
    level: 'should',
    text: 'Refresh tokens are supported',
    check({ metadata: { server } }) {
      const grants = server.grant_types_supported
      return looked(grants.includes('refresh_token'), memberText('grant_types_supported', grants))
    },
  },
  wallet_authentication: {
    clause: 'HAIP 1.0, section 4.4.1',
    level: 'must',
    text: 'Every wallet authenticates at the token endpoint',
    check: authenticationMethods,
    change: setProfile,
  },
  wallet_trust: {
    clause: 'HAIP 1.0, section 4.4.1',
    level: 'must',
    text: 'The tenant trusts a certificate that wallet attestations lead to',
    check: ({ walletProviders, hasAttestedWallet }) =>
      looked(
        walletProviders > 0 || hasAttestedWallet,
        `Wallet providers: ${walletProviders}. Registered wallets with root certificates: ${hasAttestedWallet ? 'some' : 'none'}`,
      ),
    change: 'Add a wallet provider, or a wallet with the root certificates of its attestations',
  },
  wallet_attestation_chain: {
    clause: 'HAIP 1.0, section 4.4.1',
    level: 'must',
    text: 'Wallet attestations have their certificate chain in x5c, without the trust anchor',
    check: () => toBeTested(),
    test: testAttestation,
  },
  wallet_attestation_subject: {
    clause: 'HAIP 1.0, section 4.4.1',
    level: 'must',
    text: 'The sub of wallet attestations is shared by all instances, and no attestation is used at two issuers',
    check: () => toBeTested(),
    test: 'Compare the attestations that two installations of a wallet send, and those that one installation sends to two issuers',
  },
  wallet_client_id: {
    clause: 'HAIP 1.0, section 4.4.1',
    level: 'must',
    text: 'The client_id of a pushed request is the sub of the wallet attestation',
    check: () => toBeTested(),
    test: 'Push a request with another client_id. The answer is 401 with invalid_client_attestation',
  },
  key_attestation: {
    clause: 'HAIP 1.0, section 4.5.1',
    level: 'must',
    text: 'Key attestations are accepted in the proof types jwt and attestation',
    check: ifKeyBound(({ metadata: { issuer } }) => {
      const bound = Object.values(issuer.credential_configurations_supported).filter(
        (each) => each.proof_types_supported,
      )
      const types = bound.map(({ proof_types_supported: supported }) => Object.keys(supported ?? {}))
      const isMet = types.every((names) => names.includes('jwt') && names.includes('attestation'))
      return looked(isMet, memberText('proof_types_supported', [...new Set(types.flat())]))
    }),
    change: trustKeyAttestations,
  },
  key_attestation_x5c: {
    clause: 'HAIP 1.0, section 4.5.1',
    level: 'must',
    text: 'Key attestations have the certificate of their key in x5c',
    check: ifKeyBound(() => toBeTested()),
    test: collectWithAttestation,
  },
  key_attestation_chain: {
    clause: 'HAIP 1.0, section 4.5.1',
    level: 'must',
    text: 'The chain of key attestations has no trust anchor, and the signer is not self-signed',
    check: ifKeyBound(() => toBeTested()),
    test: collectWithAttestation,
  },
  single_key_attestation: {
    clause: 'HAIP 1.0, section 4.5.1',
    level: 'should',
    text: 'All keys of a batch are attested in one key attestation',
    check: ifKeyBound(({ tenant: { profile, settings } }) => {
      const isMet = followsHaip(profile) && settings.keyAttestationRoots.length > 0
      const roots = `keyAttestationRoots: ${settings.keyAttestationRoots.length}`
      return looked(isMet, `profile of the tenant: ${profile}. ${roots}`)
    }),
    change: `${setProfile}, and add the root certificates of key attestations`,
  },
} as const satisfies Record<string, Requirement>

function ifKeyBound(check: Requirement['check']): (evidence: Evidence) => Finding {
  return (evidence) =>
    evidence.configurations.some(isKeyBound)
      ? check(evidence)
      : notApplicable('No credential configuration is bound to a key of the holder')
}
