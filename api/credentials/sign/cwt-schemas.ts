import { z } from 'zod'
import { reservedCwtClaims } from '../../../shared/formats/cwt.ts'
import { credentialsContext } from '../../../shared/formats/json-ld-contexts.ts'
import { described, exampleBaseUrl, exampleDid, exampleId, idOf, Name, named } from '../../http/fields.ts'
import { exampleCwt } from '../../status/credential-schemas.ts'
import { IssuerDid, knownMembersOnly, revocableCredential, Seconds } from './fields.ts'

const Text = z.string().min(1).max(2000)

const registered = {
  iss: IssuerDid.exactOptional(),
  sub: Text.exactOptional().describe('The subject of the credential'),
  aud: Text.exactOptional().describe('The audience of the credential'),
  nbf: Seconds.exactOptional().describe('The start of its validity, in seconds since 1970'),
  exp: Seconds.exactOptional().describe('The end of its validity, in seconds since 1970'),
  iat: Seconds.exactOptional().describe('When it was issued, in seconds since 1970. Default: the current hour.'),
}

const isRevoked = z.boolean().default(false).describe('Whether the credential is revoked at its creation')

function requireRevocable<Body extends z.ZodType<{ revocable: boolean; isRevoked: boolean }>>(body: Body): Body {
  return body.refine(({ revocable, isRevoked }) => revocable || !isRevoked, {
    path: ['isRevoked'],
    message: 'Only a revocable credential can be revoked',
  })
}

/** The number of claims that a configuration can map. */
const maxClaims = 500
const isReserved = 'This name is reserved. Use another name.'

const CompactPayload = z
  .looseObject({ ...registered, type: Name.exactOptional().describe('The type of the credential') })
  .superRefine((payload, ctx) => {
    const names = customNames(payload)
    if (names.length > maxClaims)
      ctx.addIssue({ code: 'custom', message: `Must have at most ${maxClaims} custom claims` })
    for (const name of names) refuseClaimName(ctx, name)
  })
  .meta({
    description: `The claims of the CWT: registered claims and at most ${maxClaims} custom claims`,
    examples: [{ type: 'CourseCertificate', given_name: 'Ada', level: 'B1' }],
  })

/** Returns the names of the custom claims. */
export function customNames(payload: object): string[] {
  return Object.keys(payload).filter((name) => !(name in registered) && name !== 'type')
}

function refuseClaimName(ctx: z.RefinementCtx, name: string): void {
  if (name === '' || name.length > 200) {
    ctx.addIssue({ code: 'custom', path: [name], message: 'The name of a claim must have 1 to 200 characters' })
  } else if (reservedCwtClaims.includes(name)) {
    ctx.addIssue({ code: 'custom', path: [name], message: isReserved })
  }
}

export const NewCompact = named(
  'SignCompactRequest',
  'A compact credential to sign',
  requireRevocable(z.object({ payload: CompactPayload, revocable: revocableCredential, isRevoked })),
)

/** The members of `vc` that are claims of the CWT instead (W3C mapping of the compact semantic format). */
const mappedMembers = ['id', 'issuer', 'issuanceDate', 'expirationDate', 'credentialStatus', 'proof']

const oneOrMore = <Item extends z.ZodType>(item: Item, max: number) =>
  z.union([item.transform((one) => [one]), z.array(item).min(1).max(max)], 'Must be one value or a list')

const vc = z
  .looseObject({
    '@context': oneOrMore(z.string().max(2000), 20)
      .refine(([first]) => first === credentialsContext, `Must start with ${credentialsContext}`)
      .default([credentialsContext])
      .describe('Its JSON-LD contexts'),
    type: oneOrMore(Name, 20).describe('Its types, at most 20'),
    credentialSubject: z
      .union(
        [z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown())).min(1).max(100)],
        'Must be an object or a list of objects',
      )
      .describe('The claims and the id of the subject'),
  })
  .superRefine((members, ctx) => {
    const mapped = mappedMembers.filter((name) => Object.hasOwn(members, name))
    for (const name of mapped)
      ctx.addIssue({ code: 'custom', path: [name], message: 'Must be left out. Use the claim of the CWT instead.' })
  })
  .describe('The credential in the W3C data model, without the members that are claims of the CWT')

const CompactSemanticPayload = described(
  knownMembersOnly(
    { ...registered, vc },
    'Not a claim of this credential. Put claims of the subject into vc.credentialSubject.',
  ),
  'The claims of the CWT',
  { vc: { type: ['VerifiableCredential', 'Pass'], credentialSubject: { given_name: 'Ada' } } },
)

export const NewCompactSemantic = named(
  'SignCompactSemanticRequest',
  'A compact semantic credential to sign',
  requireRevocable(z.object({ payload: CompactSemanticPayload, revocable: revocableCredential, isRevoked })),
)

const SignedClaims = named(
  'SignedClaims',
  'The claims of a signed CWT',
  z.looseObject({
    iss: z.string().describe('The DID that issued it'),
    jti: z.string().describe('The id of the credential, with the prefix `urn:uuid:`'),
    status: z
      .object({ index: z.int().describe('The index in the list'), url: z.url().describe('The address of the list') })
      .optional()
      .describe('The revocation list and the index of the credential'),
  }),
)

export const signedCwt = (profile: 'compact' | 'compact-semantic', content: object) =>
  named(
    profile === 'compact' ? 'SignedCompact' : 'SignedCompactSemantic',
    'A signed credential',
    z.object({
      id: idOf(`${profile} credential`),
      encoded: described(z.string(), 'The encoded credential for its holder', exampleCwt(profile)),
      decoded: described(SignedClaims, 'The claims of the credential', {
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
