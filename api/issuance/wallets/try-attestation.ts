import type { z } from 'zod'
import { findOAuthClientByClientId, type OAuthClientRow } from '../../../db/repos/issuance/wallets.ts'
import { followsHaip } from '../../../shared/domain/tenancy/protocol-profiles.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import {
  type AttestationCheck,
  type AttestedClient,
  attestedClientId,
  attestedKey,
} from '../proofs/client-attestation.ts'
import type { AttestationTestView, AttestationToTest } from './schemas.ts'
import { rulesFor } from './wallet-authentication.ts'

type Tried = z.output<typeof AttestationTestView>
type Check = Tried['checks'][number]

const passed: Record<AttestationCheck, string> = {
  form: 'It is a client attestation',
  chain: 'Its certificate chain leads to a trusted certificate',
  signature: 'Its signature was made with the key of its certificate',
  times: 'It is valid now',
  client: 'Its sub is the client',
  key: 'It attests a usable key',
}

const possession: Record<AttestedClient['possession'], string> = {
  pop: 'In each request, the wallet must prove possession of the key in the header OAuth-Client-Attestation-PoP',
  dpop: 'In each request, the wallet must prove possession of the key by a DPoP proof',
  either:
    'In each request, the wallet must prove possession of the key in the header OAuth-Client-Attestation-PoP or by a DPoP proof',
}

/** Checks an attestation like the token endpoint, which additionally requires a proof of possession. Stores nothing. */
export async function tryAttestation(
  deps: Deps,
  tenant: Tenant,
  { clientAttestation, clientId: namedId }: z.output<typeof AttestationToTest>,
): Promise<Tried> {
  const headers = { 'oauth-client-attestation': clientAttestation }
  const begun: AttestationCheck[] = ['form']
  const checks: Check[] = []
  const passedChecks = (all: AttestationCheck[]): Check[] =>
    all.map((check) => ({ check, result: 'passed', message: passed[check] }))
  try {
    const clientId = namedId ?? attestedClientId(headers) ?? ''
    const registered = await findOAuthClientByClientId(deps.db.read, tenant.id, clientId)
    const rules = await rulesFor(deps, tenant, registered)
    if (!rules) return resultWithoutRoots(tenant, registered)
    checks.push(rootsCheck(registered, rules.roots.length))

    begun.length = 0
    attestedKey(deps, tenant, { clientId, ...rules }, headers, (check) => begun.push(check))
    checks.push(...passedChecks(begun), {
      check: 'possession',
      result: 'unknown',
      message: possession[rules.possession],
    })
    return { works: true, checks }
  } catch (error) {
    if (!(error instanceof Problem) || error.problem !== 'invalid_client_attestation') throw error
    const refusing = begun.pop() ?? 'form'
    checks.push(...passedChecks(begun), { check: refusing, result: 'failed', message: error.message })
    return { works: false, checks }
  }
}

/** Returns the result without trusted certificates: the attestation is ignored, unless the wallet must have one. */
function resultWithoutRoots({ profile }: Tenant, registered: OAuthClientRow | undefined): Tried {
  const isRequired = registered?.attestation.required || followsHaip(profile)
  const start = `${walletOf(registered)}, and neither root certificates of the wallet nor wallet providers are configured`
  const message = isRequired
    ? `${start}: the wallet needs an attestation, but none can be accepted`
    : `${start}: an attestation is ignored, and the wallet needs none`
  return { works: !isRequired, checks: [{ check: 'roots', result: isRequired ? 'failed' : 'unknown', message }] }
}

/** Reports the certificates against which the attestation is checked. */
function rootsCheck(registered: OAuthClientRow | undefined, count: number): Check {
  const wallet = walletOf(registered)
  const certificates = `${count} ${count === 1 ? 'certificate' : 'certificates'}`
  const isOwn = (registered?.attestation.rootCertificates.length ?? 0) > 0
  const whose = isOwn
    ? `with ${certificates} of its own`
    : `so the ${certificates} of wallet providers ${count === 1 ? 'is' : 'are'} used`
  return { check: 'roots', result: 'passed', message: `${wallet}${isOwn ? ' ' : ', '}${whose}` }
}

function walletOf(registered: OAuthClientRow | undefined): string {
  return registered ? `The wallet ${registered.name} is registered` : 'This client is not registered'
}
