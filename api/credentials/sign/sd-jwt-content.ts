import type { z } from 'zod'
import { type ConfigurationRow, findConfiguration } from '../../../db/repos/issuance/configurations.ts'
import { faultText, mapClaims } from '../../../shared/domain/issuance/claims/claim-faults.ts'
import type { ClaimSources } from '../../../shared/domain/issuance/claims/claim-values.ts'
import { mapValidity } from '../../../shared/domain/issuance/claims/mapped-validity.ts'
import { isRevocable, readProfileSettings } from '../../../shared/domain/issuance/profiles.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import { unknownReference } from '../../../shared/errors/unknown-reference.ts'
import { addDuration } from '../../../shared/formats/calendar-duration.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { type PublicJwk, parsePublicJwk } from '../../../shared/formats/jwk.ts'
import type { SdJwtContent } from '../../../shared/jobs/payloads.ts'
import type { Deps } from '../../deps.ts'
import type { NewSdJwt } from './sd-jwt-schemas.ts'

type Body = z.output<typeof NewSdJwt>

/**
 * Returns the content of an SD-JWT VC, and whether it gets an entry in a status list. Throws `bad_request` with the path of a claim that does
 * not fit the tree, and for a credential that would never be valid.
 */
export async function sdJwtContent(
  deps: Deps,
  tenantId: string,
  body: Body,
): Promise<{ content: SdJwtContent; revocable: boolean }> {
  const configuration = await configurationOf(deps, tenantId, body)
  const { type, settings } = configuration
  if (body.holderKey && !settings.keyBinding) {
    throw wrongField(
      'holderKey',
      'Credentials of the configuration are not bound to a key. Leave it out or set keyBinding',
    )
  }
  const sources = { claims: [body.claims], authenticationProvider: {} }
  const { claims, faults } = mapClaims(configuration, sources)
  const fault = faultText(faults)
  if (fault !== undefined) throw wrongField('claims', fault)
  const { akaVcts, claimMappings, disclose, decoys, includeIssuer, publishedType, signerCaId, roundTimesTo } = settings
  const content: SdJwtContent = {
    ...{ profile: 'sd-jwt', type, claims },
    settings: {
      ...{ claimMappings, disclose, decoys, includeIssuer, roundTimesTo },
      ...(akaVcts && { akaVcts }),
      ...(publishedType && { publishedType }),
      ...(signerCaId !== undefined && { signerCaId }),
    },
    ...(settings.persist && { persist: true }),
    ...(body.holderKey && { holderJwk: holderJwkOf(body.holderKey) }),
    ...timesOf(configuration, sources, body, deps.clock.now()),
  }
  return { content, revocable: body.revocable ?? isRevocable(configuration) }
}

type Configured = Pick<ConfigurationRow<'sd-jwt'>, 'type' | 'profile' | 'settings'>

async function configurationOf({ db }: Deps, tenantId: string, body: Body): Promise<Configured> {
  const { configurationId: id, vct: type = '', claimMappings = {}, disclose, decoys, includeIssuer } = body
  if (id === undefined) {
    const chosen = { ...(disclose && { disclose }), ...(decoys && { decoys }), ...(includeIssuer && { includeIssuer }) }
    const settings = readProfileSettings('sd-jwt', { name: type, claimMappings, ...chosen })
    return { profile: 'sd-jwt', type, settings }
  }
  const configuration = await findConfiguration(db.read, tenantId, id)
  if (configuration?.profile !== 'sd-jwt')
    throw unknownReference('configurationId', id, 'GET /v2/credentials/sd-jwt/configurations')
  return configuration
}

function holderJwkOf(jwk: Record<string, unknown>): PublicJwk {
  try {
    const holderJwk = parsePublicJwk(jwk)
    // The holder signs each presentation (RFC 9901, section 4.3).
    if (holderJwk.crv === 'X25519') throw wrongField('holderKey', 'Must be a key for signatures')
    return holderJwk
  } catch (error) {
    if (error instanceof FormatError) throw wrongField('holderKey', `Must be a public key: ${error.message}`)
    throw error
  }
}

/** The times of the request replace those of the configuration. */
function timesOf(configuration: Configured, sources: ClaimSources, { validFrom, validUntil }: Body, now: Date) {
  const { expiresIn } = configuration.settings
  const mapped = mapValidity(configuration, sources)
  const from = timeOf(validFrom ?? mapped?.from)
  const until = timeOf(validUntil ?? mapped?.until) ?? (expiresIn && addDuration(now, expiresIn).getTime())
  if (until !== undefined && until <= Math.max(from ?? 0, now.getTime())) {
    throw wrongField('validUntil', 'Must be in the future and after validFrom', validUntil)
  }
  return {
    ...(from !== undefined && { validFrom: from }),
    ...(until !== undefined && { validUntil: until }),
    ...(validUntil === undefined && until !== undefined && ({ endsBySettings: true } as const)),
  }
}

function timeOf(iso: string | undefined): number | undefined {
  return iso === undefined ? undefined : Date.parse(iso)
}
