import { z } from 'zod'
import { reservedCwtClaims } from '../../../shared/formats/cwt.ts'
import { credentialsContext } from '../../../shared/formats/json-ld-contexts.ts'
import { described, exampleBaseUrl, exampleDid, exampleId, idOf, Name, named } from '../../http/fields.ts'
import { exampleCwt } from '../../status/credential-words.ts'
import { IssuerDid, membersAlone, revocable, Seconds } from './fields.ts'

const Text = z.string().min(1).max(2000)

const registered = {
  iss: IssuerDid.exactOptional(),
  sub: Text.exactOptional().describe('Whom it is about'),
  aud: Text.exactOptional().describe('For whom it is meant'),
  nbf: Seconds.exactOptional().describe('From when it is valid, in seconds since 1970'),
  exp: Seconds.exactOptional().describe('Until when it is valid, in seconds since 1970'),
  iat: Seconds.exactOptional().describe(
    'When it was issued, in seconds since 1970; the current hour, where it is left out',
  ),
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
  .looseObject({ ...registered, type: Name.exactOptional().describe('The type of the credential') })
  .superRefine((payload, ctx) => {
    const names = customNames(payload)
    if (names.length > mostClaims) ctx.addIssue({ code: 'custom', message: `More than ${mostClaims} claims` })
    for (const name of names) refuseClaimName(ctx, name)
  })
  .meta({
    description: `The claims of the CWT; beside the registered ones at most ${mostClaims} of your own`,
    examples: [{ type: 'CourseCertificate', given_name: 'Ada', level: 'B1' }],
  })

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

export const NewCompact = named(
  'SignCompactRequest',
  'A compact credential to be signed',
  needsPlace(z.object({ payload: CompactPayload, revocable, isRevoked })),
)

/** Told by claims of the CWT (W3C mapping of the compact semantic format). */
const toldByClaims = ['id', 'issuer', 'issuanceDate', 'expirationDate', 'credentialStatus', 'proof']

const oneOrMore = <Item extends z.ZodType>(item: Item, most: number) =>
  z.union([item.transform((one) => [one]), z.array(item).min(1).max(most)], 'Must be one, or a list of some')

const vc = z
  .looseObject({
    '@context': oneOrMore(z.string().max(2000), 20)
      .refine(([first]) => first === credentialsContext, `Must begin with ${credentialsContext}`)
      .default([credentialsContext])
      .describe('Its JSON-LD contexts'),
    type: oneOrMore(Name, 20).describe('Its types, at most 20'),
    credentialSubject: z
      .union(
        [z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown())).min(1).max(100)],
        'Must be an object, or a list of some',
      )
      .describe('What it says, and of whom'),
  })
  .superRefine((members, ctx) => {
    const told = toldByClaims.filter((name) => Object.hasOwn(members, name))
    for (const name of told) ctx.addIssue({ code: 'custom', path: [name], message: 'A claim of the CWT says this' })
  })
  .describe('The credential, as the W3C data model has it; what claims of the CWT say is not in it')

const CompactSemanticPayload = described(
  membersAlone(
    { ...registered, vc },
    'Not a claim of this credential; those of its subject stand in vc.credentialSubject',
  ),
  'The claims of the CWT',
  { vc: { type: ['VerifiableCredential', 'Pass'], credentialSubject: { given_name: 'Ada' } } },
)

export const NewCompactSemantic = named(
  'SignCompactSemanticRequest',
  'A compact semantic credential to be signed',
  needsPlace(z.object({ payload: CompactSemanticPayload, revocable, isRevoked })),
)

const SignedClaims = named(
  'SignedClaims',
  'The claims of a CWT that was signed',
  z.looseObject({
    iss: z.string().describe('The DID that issued it'),
    jti: z.string().describe('`urn:uuid:` and the id'),
    status: z
      .object({ index: z.int().describe('Its place in the list'), url: z.url().describe('Where the list is') })
      .optional()
      .describe('Its place in a revocation list'),
  }),
)

export const signedCwt = (profile: 'compact' | 'compact-semantic', content: object) =>
  named(
    profile === 'compact' ? 'SignedCompact' : 'SignedCompactSemantic',
    'A credential that was signed',
    z.object({
      id: idOf(`${profile} credential`),
      encoded: described(z.string(), 'The credential, as it is handed to its holder', exampleCwt(profile)),
      decoded: described(SignedClaims, 'What it says', {
        iss: exampleDid,
        jti: `urn:uuid:${exampleId(`${profile} credential`)}`,
        iat: 1_795_339_800,
        status: {
          index: 768_005,
          url: `${exampleBaseUrl}/v2/credentials/${profile}/revocation-lists/${exampleId('revocation list')}`,
        },
        ...content,
      }),
    }),
  )
