import { findCertificateTrust, findTrustingEcosystem } from '../../../db/repos/ecosystems/validation.ts'
import type { ParticipantRole } from '../../../db/tables/ecosystems/participants.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { providers } from '../ecosystems/access.ts'
import { fingerprintAsked } from './identifiers.ts'
import { ValidationRequest, ValidationView } from './schemas.ts'

export const validationRoutes = [
  validationOf('issuer', 'Issuer', 'issue'),
  validationOf('verifier', 'Verifier', 'verify'),
]

/** By the ecosystems as they are now, published or not. */
function validationOf(role: ParticipantRole, word: string, verb: string): Route {
  return defineRoute({
    operation: `validate${word}`,
    summary: `Whether somebody may ${verb} credentials of a type in any ecosystem`,
    tag: 'Ecosystems',
    method: 'POST',
    path: `/v1/ecosystems/${role}-validation`,
    access: providers,
    event: 'ECOSYSTEM_VALIDATE_PARTICIPANT',
    body: ValidationRequest,
    status: 200,
    response: ValidationView,
    problems: ['bad_request'],
    async handle({ tenantId, body: { profile, identifier, type }, deps }) {
      const trusting =
        profile === 'mobile'
          ? await findCertificateTrust(deps.db.read, tenantId, {
              ...{ role, type, fingerprint: fingerprintAsked(identifier), at: deps.clock.now() },
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
