import { multipart } from '../../http/multipart/multipart.ts'
import { defineRoute, operators, type Route } from '../../http/route.ts'
import { exampleCwt } from '../../status/credential-schemas.ts'
import { decodedCwt } from '../decoded-cwt.ts'
import { credentialText, fileField, fileLimitBytes } from './credential-text.ts'
import {
  CompactSemanticVerification,
  CompactVerification,
  CwtAssertions,
  WebSemanticAssertions,
  WebSemanticVerification,
} from './schemas.ts'
import { verifyCwt } from './verify-cwt.ts'
import { verifyWebCredential } from './verify-web.ts'

const cwt = (profile: 'compact' | 'compact-semantic') =>
  ({
    tag: 'Verification',
    method: 'POST',
    access: operators('admin', 'verifier'),
    body: CwtAssertions,
    consumes: multipart({
      ...{ file: fileField, limitBytes: fileLimitBytes, isHeld: true },
      ...{ orJson: 'payload', exampleText: exampleCwt(profile) },
    }),
    changesTenant: false,
    status: 200,
    problems: ['service_unavailable'],
  }) satisfies Partial<Route>

export const verifyRoutes: Route[] = [
  defineRoute({
    ...cwt('compact'),
    operation: 'verifyCompactCredential',
    summary: 'Verify a compact credential from its text or an image of its QR code',
    path: '/v2/credentials/compact/verify',
    event: 'CREDENTIAL_COMPACT_VERIFY',
    response: CompactVerification,
    async handle({ deps, deadlineAt, tenantId, body, file }) {
      const text = await credentialText(deps, file(), { tenantId, deadlineAt })
      const { credential, failed } = await verifyCwt({ deps, tenantId, deadlineAt }, text, ['compact'], body)
      return {
        verified: !failed,
        ...(credential && { decoded: decodedCwt(credential) }),
        ...(failed && { error: failed }),
      }
    },
  }),
  defineRoute({
    ...cwt('compact-semantic'),
    operation: 'verifyCompactSemanticCredential',
    summary:
      'Verify a compact semantic credential or a New Zealand COVID Pass from its text or an image of its QR code',
    path: '/v2/credentials/compact-semantic/verify',
    event: 'CREDENTIAL_COMPACT_SEMANTIC_VERIFY',
    response: CompactSemanticVerification,
    async handle({ deps, deadlineAt, tenantId, body, file }) {
      const text = await credentialText(deps, file(), { tenantId, deadlineAt })
      const { credential, failed } = await verifyCwt(
        { deps, tenantId, deadlineAt },
        text,
        ['compact-semantic', 'nzcp'],
        body,
      )
      return {
        verified: !failed,
        reason: failed ? [{ type: failed.type, msg: failed.message }] : [],
        ...(credential && { decoded: decodedCwt(credential) }),
      }
    },
  }),
  defineRoute({
    operation: 'verifyWebSemanticCredential',
    changesTenant: false,
    summary: 'Verify a web semantic credential',
    tag: 'Verification',
    method: 'POST',
    path: '/v2/credentials/web-semantic/verify',
    access: operators('admin', 'verifier'),
    event: 'CREDENTIAL_WEB_SEMANTIC_VERIFY',
    body: WebSemanticAssertions,
    bodyLimitBytes: 200_000,
    status: 200,
    response: WebSemanticVerification,
    problems: ['service_unavailable'],
    async handle({ deps, deadlineAt, tenantId, body: { payload, ...assertions } }) {
      const { failed } = await verifyWebCredential({ deps, tenantId, deadlineAt }, payload, assertions)
      return { verified: !failed, ...(failed && { reason: { type: failed.type, message: failed.message } }) }
    },
  }),
]
