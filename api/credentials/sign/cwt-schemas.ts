import { z } from 'zod'
import { reservedCwtClaims } from '../../../shared/formats/cwt.ts'
import { credentialsContext } from '../../../shared/formats/json-ld-contexts.ts'
import { Name, Uuid } from '../../http/fields.ts'
import { IssuerDid, membersAlone, revocable, Seconds } from './fields.ts'

const Text = z.string().min(1).max(2000)

const registered = {
  iss: IssuerDid.exactOptional(),
  sub: Text.exactOptional(),
  aud: Text.exactOptional(),
  nbf: Seconds.exactOptional(),
  exp: Seconds.exactOptional(),
  iat: Seconds.exactOptional().describe('Now, where it is left out'),
}

const isRevoked = z.boolean().default(false).describe('Revoked from the start')

function needsPlace<Body extends z.ZodType<{ revocable: boolean; isRevoked: boolean }>>(body: Body): Body {
  return body.refine((asked) => asked.revocable || !asked.isRevoked, {
    path: ['isRevoked'],
    message: 'Only a revocable credential can be revoked',
  })
}

/** As many as a configuration can map. */
const mostClaims = 500
const usesItself = 'The credential itself uses this name'

const CompactPayload = z
  .looseObject({ ...registered, type: Name.exactOptional() })
  .superRefine((payload, ctx) => {
    const names = customNames(payload)
    if (names.length > mostClaims) ctx.addIssue({ code: 'custom', message: `More than ${mostClaims} claims` })
    for (const name of names) refuseClaimName(ctx, name)
  })
  .meta({ examples: [{ type: 'CourseCertificate', given_name: 'Ada', level: 'B1' }] })

/** The claims that are the operator's own. */
export function customNames(payload: object): string[] {
  return Object.keys(payload).filter((name) => !(name in registered) && name !== 'type')
}

function refuseClaimName(ctx: z.RefinementCtx, name: string): void {
  if (name === '' || name.length > 200) {
    ctx.addIssue({ code: 'custom', path: [name], message: 'A name has 1 to 200 characters' })
  } else if (reservedCwtClaims.includes(name)) {
    ctx.addIssue({ code: 'custom', path: [name], message: usesItself })
  }
}

export const NewCompact = needsPlace(z.object({ payload: CompactPayload, revocable, isRevoked }))

/** Told by claims of the CWT (W3C mapping of the compact semantic format). */
const toldByClaims = ['id', 'issuer', 'issuanceDate', 'expirationDate', 'credentialStatus', 'proof']

const oneOrMore = <Item extends z.ZodType>(item: Item, most: number) =>
  z.union([item.transform((one) => [one]), z.array(item).min(1).max(most)], 'Must be one, or a list of some')

const vc = z
  .looseObject({
    '@context': oneOrMore(z.string().max(2000), 20)
      .refine(([first]) => first === credentialsContext, `Must begin with ${credentialsContext}`)
      .default([credentialsContext]),
    type: oneOrMore(Name, 20),
    credentialSubject: z.union(
      [z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown())).min(1).max(100)],
      'Must be an object, or a list of some',
    ),
  })
  .superRefine((members, ctx) => {
    const told = toldByClaims.filter((name) => Object.hasOwn(members, name))
    for (const name of told) ctx.addIssue({ code: 'custom', path: [name], message: 'A claim of the CWT says this' })
  })

const CompactSemanticPayload = membersAlone(
  { ...registered, vc },
  'Not a claim of this credential; those of its subject stand in vc.credentialSubject',
).meta({ examples: [{ vc: { type: ['VerifiableCredential', 'Pass'], credentialSubject: { given_name: 'Ada' } } }] })

export const NewCompactSemantic = needsPlace(z.object({ payload: CompactSemanticPayload, revocable, isRevoked }))

export const SignedCwt = z.object({
  id: Uuid,
  encoded: z.string().describe('The credential, as it is handed to its holder'),
  decoded: z.looseObject({
    iss: z.string(),
    jti: z.string().describe('`urn:uuid:` and the id'),
    status: z.object({ index: z.int(), url: z.url() }).optional(),
  }),
})
