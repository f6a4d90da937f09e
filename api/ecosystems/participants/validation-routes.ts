import { findCertificateTrust, findTrustingEcosystem } from '../../../db/repos/ecosystems/validation.ts'
import type { ParticipantRole } from '../../../db/tables/ecosystems/participants.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { providerAccess } from '../ecosystems/access.ts'
import { fingerprintFrom } from './identifiers.ts'
import { ValidationRequest, ValidationView } from './schemas.ts'

export const validationRoutes = [
  validationOf('issuer', 'Issuer', 'issue'),
  validationOf('verifier', 'Verifier', 'verify'),
]

/** Validates against the current state of the ecosystems, published or not. */
function validationOf(role: ParticipantRole, word: string, verb: string): Route {
  return defineRoute({
    operation: `validate${word}`,
    changesTenant: false,
    summary: `Validate that a participant of any ecosystem may ${verb} credentials of a type`,
    tag: 'Ecosystems',
    method: 'POST',
    path: `/v1/ecosystems/${role}-validation`,
    access: providerAccess,
    event: 'ECOSYSTEM_VALIDATE_PARTICIPANT',
    body: ValidationRequest,
    status: 200,
    response: ValidationView,
    problems: ['bad_request'],
    async handle({ tenantId, body: { profile, identifier, type }, deps }) {
      const trusting =
        profile === 'mobile' || profile === 'sd-jwt'
          ? await findCertificateTrust(deps.db.read, tenantId, {
              ...{ role, profile, type, fingerprint: fingerprintFrom(identifier), at: deps.clock.now() },
            })
          : await findTrustingEcosystem(deps.db.read, tenantId, { role, profile, identifier, type })
      return {
        validated: trusting !== undefined,
        ...(trusting && { policyVersion: trusting.policyModifiedAt.toISOString() }),
        identifier,
      }
    },
  })
}
