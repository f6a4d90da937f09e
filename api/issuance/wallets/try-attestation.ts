import type { z } from 'zod'
import { findOAuthClientByClientId, type OAuthClientRow } from '../../../db/repos/issuance/wallets.ts'
import { Problem } from '../../../shared/errors.ts'
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
  chain: 'Its certificate leads to one of these',
  signature: 'The key of its certificate has signed it',
  times: 'It is valid now',
  client: 'Its sub is the client',
  key: 'It attests a key that can be used',
}

const possession: Record<AttestedClient['possession'], string> = {
  pop: 'With each request the wallet has to prove that it has the key, in the header OAuth-Client-Attestation-PoP',
  dpop: 'With each request the wallet has to prove that it has the key, by a DPoP proof of it',
  either:
    'With each request the wallet has to prove that it has the key, in the header OAuth-Client-Attestation-PoP or by a DPoP proof of it',
}

/** Checks an attestation as the token endpoint does, which asks for a proof of its key besides. Nothing of it is kept. */
export async function tryAttestation(
  deps: Deps,
  tenant: Tenant,
  { clientAttestation, clientId: namedId }: z.output<typeof AttestationToTest>,
): Promise<Tried> {
  const headers = { 'oauth-client-attestation': clientAttestation }
  const begun: AttestationCheck[] = ['form']
  const checks: Check[] = []
  const toldOf = (all: AttestationCheck[]): Check[] =>
    all.map((check) => ({ check, result: 'passed', message: passed[check] }))
  try {
    const clientId = namedId ?? attestedClientId(headers) ?? ''
    const registered = await findOAuthClientByClientId(deps.db.read, tenant.id, clientId)
    const rules = await rulesFor(deps, tenant, registered)
    if (!rules) return untold(tenant, registered)
    checks.push(rootsCheck(registered, rules.roots.length))

    begun.length = 0
    attestedKey(deps, tenant, { clientId, ...rules }, headers, (check) => begun.push(check))
    checks.push(...toldOf(begun), { check: 'possession', result: 'unknown', message: possession[rules.possession] })
    return { works: true, checks }
  } catch (error) {
    if (!(error instanceof Problem) || error.problem !== 'invalid_client_attestation') throw error
    const refusing = begun.pop() ?? 'form'
    checks.push(...toldOf(begun), { check: refusing, result: 'failed', message: error.message })
    return { works: false, checks }
  }
}

/** Where there is nothing to check attestations by, wallets come without, unless they have to have one. */
function untold({ profile }: Tenant, registered: OAuthClientRow | undefined): Tried {
  const isRequired = registered?.attestation.required || profile === 'haip'
  const found = `${walletOf(registered)}, and there are neither roots of its own nor wallet providers`
  const message = isRequired
    ? `${found}: no attestation of it can be accepted, and it needs one`
    : `${found}: an attestation of it is not looked at, and it needs none`
  return { works: !isRequired, checks: [{ check: 'roots', result: isRequired ? 'failed' : 'unknown', message }] }
}

/** Under which certificates the attestation is looked for. */
function rootsCheck(registered: OAuthClientRow | undefined, count: number): Check {
  const wallet = walletOf(registered)
  const certificates = count === 1 ? 'certificate' : 'certificates'
  const isOwn = (registered?.attestation.rootCertificates.length ?? 0) > 0
  const whose = isOwn
    ? `with ${count} ${certificates} of its own`
    : `so that those of wallet providers count: ${count} ${certificates}`
  return { check: 'roots', result: 'passed', message: `${wallet}${isOwn ? ' ' : ', '}${whose}` }
}

function walletOf(registered: OAuthClientRow | undefined): string {
  return registered ? `The wallet ${registered.name} is registered` : 'Nobody has registered this client'
}
