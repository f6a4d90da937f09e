import { z } from 'zod'
import { described, idOf, named, Timestamp, withoutExample } from '../../http/fields.ts'
import { Vct } from '../../issuance/configurations/sd-jwt-configuration.ts'
import { ClaimTreeMappings, Decoys, Disclose } from '../../issuance/configurations/sd-jwt-schemas.ts'

const ofConfiguration = 'Not together with `configurationId`, whose configuration has it.'

export const NewSdJwt = named(
  'SignSdJwtRequest',
  'An SD-JWT VC to sign, with a tree of claims or a configuration',
  z
    .object({
      configurationId: withoutExample(idOf('sd-jwt configuration'))
        .describe('The configuration with the type, the claims, the status, the lifetime and the signer')
        .exactOptional(),
      vct: described(Vct, `The type of the credential. ${ofConfiguration}`, 'urn:example:student-card').exactOptional(),
      claimMappings: ClaimTreeMappings.describe(`The claims as a tree. ${ofConfiguration}`)
        .meta({ 'x-examples': [{ given_name: { mapFrom: 'claims.given_name', required: true } }] })
        .exactOptional(),
      disclose: Disclose.exactOptional().describe(
        `Applies to claims without a setting of their own. ${ofConfiguration}`,
      ),
      decoys: Decoys.exactOptional().describe(`Decoy digests. ${ofConfiguration}`),
      includeIssuer: z
        .boolean()
        .exactOptional()
        .describe(`Whether it has \`iss\`, the base URL of the tenant. ${ofConfiguration}`),
      revocable: z
        .boolean()
        .exactOptional()
        .describe(
          'Whether it gets an entry in a token status list. Default: the setting of the configuration, or false',
        ),
      claims: described(z.record(z.string(), z.unknown()), 'The claims that `mapFrom` of the tree reads', {
        given_name: 'Ada',
      }),
      holderKey: z
        .record(z.string(), z.unknown())
        .exactOptional()
        .describe('The public key of the holder, as a JWK (`cnf.jwk`). Absent: the credential is not bound to a key'),
      validFrom: withoutExample(Timestamp).exactOptional().describe('The start of its validity'),
      validUntil: withoutExample(Timestamp)
        .exactOptional()
        .describe('The end of its validity. Default: that of the configuration, or of the certificate of the signer'),
    })
    .superRefine((body, ctx) => {
      const refuse = (name: string, message: string) => ctx.addIssue({ code: 'custom', path: [name], message })
      for (const name of ['vct', 'claimMappings'] as const) {
        if (body.configurationId === undefined && body[name] === undefined)
          refuse(name, 'Required without configurationId')
      }
      for (const name of ['vct', 'claimMappings', 'disclose', 'decoys', 'includeIssuer'] as const) {
        if (body.configurationId !== undefined && body[name] !== undefined)
          refuse(name, 'The configuration has it. Leave it out')
      }
    }),
)
