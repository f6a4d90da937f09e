import type { z } from 'zod'
import type { StoredDocument } from '../../../db/tables/credentials/stored-credentials.ts'
import { decodeCwtCredential } from '../../../shared/formats/cwt-verify.ts'
import type { DidContent } from '../../../shared/jobs/payloads.ts'
import { defineRoute, operators, type Route } from '../../http/route.ts'
import { decodedCwt } from '../decoded-cwt.ts'
import { presentWebSemantic, WebSemanticView } from '../stored/present.ts'
import { presentSdJwt, SignedSdJwt } from '../stored/present-sd-jwt.ts'
import { requireContexts } from './contexts.ts'
import { compactContent, compactSemanticContent } from './cwt-content.ts'
import { NewCompact, NewCompactSemantic, signedCwt } from './cwt-schemas.ts'
import { requireIssuer } from './issuer.ts'
import { sdJwtContent } from './sd-jwt-content.ts'
import { NewSdJwt } from './sd-jwt-schemas.ts'
import { requestDirectSignature } from './sign.ts'
import { webSemanticContent } from './web-semantic-content.ts'
import { NewWebSemantic } from './web-semantic-schemas.ts'

/** The common part of the operations. */
const signing = {
  method: 'POST',
  access: operators('admin', 'issuer', 'managed-issuer'),
  status: 200,
  creates: true,
  problems: ['bad_request', 'service_unavailable'],
} satisfies Partial<Route>

export const signRoutes: Route[] = [
  signCwtRoute({
    ...{ profile: 'compact', word: 'Compact', tag: 'Compact', event: 'CREDENTIAL_COMPACT_SIGN' },
    body: NewCompact,
    example: { type: 'CourseCertificate', given_name: 'Ada', level: 'B1' },
    contentOf: compactContent,
  }),
  signCwtRoute({
    ...{ profile: 'compact-semantic', word: 'CompactSemantic', tag: 'Compact semantic' },
    event: 'CREDENTIAL_COMPACT_SEMANTIC_SIGN',
    body: NewCompactSemantic,
    example: {
      nbf: 1_795_339_800,
      vc: {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiableCredential', 'Pass'],
        credentialSubject: { given_name: 'Ada' },
      },
    },
    contentOf: compactSemanticContent,
  }),
  defineRoute({
    ...signing,
    operation: 'signWebSemantic',
    summary: 'Sign a web semantic credential',
    tag: 'Web semantic',
    path: '/v2/credentials/web-semantic/sign',
    event: 'CREDENTIAL_WEB_SEMANTIC_SIGN',
    body: NewWebSemantic,
    response: WebSemanticView,
    async handle({ tenant, tenantId, body, deps, deadlineAt }) {
      const profile = 'web-semantic'
      const { issuer } = body.payload
      const [did, param] = typeof issuer === 'string' ? [issuer, 'payload.issuer'] : [issuer.id, 'payload.issuer.id']
      const issuerDid = await requireIssuer(deps, tenant, { did, param, profile })
      await requireContexts(deps, tenantId, body.payload['@context'])
      const content = webSemanticContent(body, deps.clock.now())
      const { revocable, tag } = body
      const request = { tenantId, issuerDid, revocable, isRevoked: false, content }
      const { id, credential } = await requestDirectSignature(deps, request, deadlineAt)
      // Boundary: the signing process returns a JSON-LD credential for this profile.
      return presentWebSemantic({ id, credential: credential as StoredDocument, tag })
    },
  }),
  defineRoute({
    ...signing,
    operation: 'signSdJwt',
    summary: 'Sign an SD-JWT VC, with a tree of claims or with a configuration',
    tag: 'SD-JWT VC',
    path: '/v2/credentials/sd-jwt/sign',
    event: 'SD_JWT_CREDENTIAL_SIGN',
    body: NewSdJwt,
    response: SignedSdJwt,
    async handle({ tenant, tenantId, body, deps, deadlineAt }) {
      const { content, revocable } = await sdJwtContent(deps, tenantId, body)
      const request = { tenantId, issuerDid: tenant.did, revocable, isRevoked: false, content }
      const { id, credential } = await requestDirectSignature(deps, request, deadlineAt)
      return presentSdJwt(id, String(credential))
    },
  }),
]

interface CwtRoute<Payload> {
  profile: 'compact' | 'compact-semantic'
  word: string
  tag: string
  event: string
  /** The claims of the example response in the API reference. */
  example: object
  body: z.ZodType<{ payload: Payload; revocable: boolean; isRevoked: boolean }>
  contentOf(payload: Payload, now: Date): DidContent
}

function signCwtRoute<Payload extends { iss?: string }>({
  profile,
  word,
  contentOf,
  example,
  ...route
}: CwtRoute<Payload>): Route {
  return defineRoute({
    ...signing,
    ...route,
    operation: `sign${word}`,
    summary: `Sign a ${profile} credential`,
    path: `/v2/credentials/${profile}/sign`,
    response: signedCwt(profile, example),
    async handle({ tenant, tenantId, body, deps, deadlineAt }) {
      const { payload, revocable, isRevoked } = body
      const issuerDid = await requireIssuer(deps, tenant, { did: payload.iss, param: 'payload.iss', profile })
      const request = { tenantId, issuerDid, revocable, isRevoked, content: contentOf(payload, deps.clock.now()) }
      const { id, credential } = await requestDirectSignature(deps, request, deadlineAt)
      const encoded = String(credential)
      return { id, encoded, decoded: decodedCwt(decodeCwtCredential(encoded)) }
    },
  })
}
