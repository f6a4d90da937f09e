import { Problem } from '../../../shared/errors/errors.ts'
import { Answer } from '../../http/representations/answer.ts'
import { chosenByHandler, type GeneratedMedia, jsonMedia } from '../../http/representations/media.ts'
import type { Representations } from '../../http/representations/representations.ts'
import { anyone, defineRoute, wallet, walletWithClaims } from '../../http/route.ts'
import { nextNonce } from '../../proofs/dpop.ts'
import { newNonce } from '../../proofs/nonce.ts'
import { credentialBodyLimitBytes } from '../proofs/batch-size.ts'
import { collectDeferred } from './deferred.ts'
import { handleOf } from './handles.ts'
import { issueCredential } from './issue.ts'
import { receiveNotification } from './notification.ts'
import { currentRequest, isOlder, olderAnswer } from './older-request.ts'
import type { IssuedResult, IssueOutcome } from './outcome.ts'
import { openRequest } from './request-encryption.ts'
import { encryptedResponse } from './response-encryption.ts'
import {
  CredentialRequest,
  CredentialResponse,
  DeferredRequest,
  DeferredResponse,
  NonceResponse,
  NotificationRequest,
} from './schemas.ts'
import { sentMarks } from './sent-marks.ts'

const tag = 'OpenID4VCI'

/** The response is encrypted if the request asks for it, regardless of Accept. */
const representations: Representations = {
  cors: true,
  media: [jsonMedia, chosenByHandler('application/jwt')],
  statuses: { 202: { description: 'Not ready yet. Collect it later', response: DeferredResponse } },
}

export const credentialRoutes = [
  defineRoute({
    operation: 'createNonce',
    isOfViews: true,
    summary: 'Create a c_nonce for proofs',
    tag,
    method: 'POST',
    path: '/v1/openid/nonce',
    access: anyone,
    compiled: true,
    status: 200,
    response: NonceResponse,
    representations: { cors: true },
    oauthErrors: 'invalid_request',
    async handle({ tenant, deps }) {
      // HAIP 1.0, section 4: wallets use the header for their next DPoP proof.
      return new Answer({ c_nonce: newNonce(deps, tenant) }, { headers: nextNonce(deps, tenant, 'resource') })
    },
  }),
  defineRoute({
    operation: 'issueCredential',
    isOfViews: true,
    summary: 'Collect a credential',
    tag,
    method: 'POST',
    path: '/v1/openid/credential',
    countsAs: 'issuance',
    access: walletWithClaims,
    event: 'OPENID_CREDENTIAL',
    body: CredentialRequest,
    compiled: true,
    consumes: ['application/json', 'application/jwt'],
    openBody: openRequest,
    tenantBodyLimit: {
      bytesOf: credentialBodyLimitBytes,
      description: 'At most 100 KB, and 10 KB more for each key of `batch_size` in the metadata',
    },
    status: 200,
    response: CredentialResponse,
    representations,
    problems: [
      'invalid_credential_request',
      'unknown_credential_configuration',
      'unknown_credential_identifier',
      'invalid_proof',
      'invalid_nonce',
      'invalid_encryption_parameters',
      'credential_request_denied',
      'collected_enough',
      'service_unavailable',
    ],
    oauthErrors: 'invalid_credential_request',
    async handle(call) {
      const { tenant, holder, body, deps } = call
      const as = encryptedResponse(call, body.credential_response_encryption)
      const request = await currentRequest(deps, tenant, holder, body)
      const outcome = await issueCredential(call, holder, request)
      if (outcome.kind !== 'issued') return answerUnissued(outcome, as)
      const { issuance } = outcome
      const notificationId = handleOf(deps, tenant, 'notification_id', issuance.id)
      const { credentials } = present(issuance)
      const older = isOlder(tenant, body) ? olderAnswer(deps, tenant, credentials) : {}
      const answer = { credentials, notification_id: notificationId, ...older }
      return new Answer(answer, { as, onSent: () => deps.services.of(sentMarks).credentials(issuance) })
    },
  }),
  defineRoute({
    operation: 'collectDeferredCredential',
    isOfViews: true,
    summary: 'Collect a deferred credential',
    tag,
    method: 'POST',
    path: '/v1/openid/deferred-credential',
    access: wallet,
    event: 'OPENID_DEFERRED_CREDENTIAL',
    body: DeferredRequest,
    consumes: ['application/json', 'application/jwt'],
    openBody: openRequest,
    status: 200,
    response: CredentialResponse,
    representations,
    problems: [
      'invalid_credential_request',
      'invalid_transaction_id',
      'invalid_encryption_parameters',
      'credential_request_denied',
      'service_unavailable',
    ],
    oauthErrors: 'invalid_credential_request',
    async handle(call) {
      const { tenant, holder, body, deps } = call
      const as = encryptedResponse(call, body.credential_response_encryption)
      const outcome = await collectDeferred(deps, tenant, holder, body.transaction_id)
      if (outcome.kind !== 'issued') return answerUnissued(outcome, as)
      const onSent = () => {
        const marks = deps.services.of(sentMarks)
        marks.credentials(outcome.issuance)
        void marks.flush()
      }
      // Omits notification_id, which is optional here. Wallets of @openid4vc/openid4vci reject a response with both
      // members.
      return new Answer(present(outcome.issuance), { as, onSent })
    },
  }),
  defineRoute({
    operation: 'notifyIssuer',
    isOfViews: true,
    summary: 'Report what happened to a credential',
    tag,
    method: 'POST',
    path: '/v1/openid/notification',
    access: wallet,
    event: 'OPENID_NOTIFICATION',
    body: NotificationRequest,
    status: 204,
    representations: { cors: true },
    problems: ['invalid_notification_id', 'invalid_notification_request'],
    oauthErrors: 'invalid_notification_request',
    async handle({ tenant, holder, body, deps }) {
      await receiveNotification(deps, tenant, holder, body)
      // The request succeeds, but events and the offer's timeline show it as a failure.
      const refused = body.event === 'credential_failure' ? new Problem('failed_at_wallet') : undefined
      return new Answer(undefined, { refused })
    },
  }),
]

function present({ credentials }: IssuedResult) {
  return { credentials: credentials.map(({ credential }) => ({ credential })) }
}

/** The time that a wallet should wait before it retries. */
const deferredIntervalSeconds = 5

/** Returns the 202 response of a deferred issuance. Otherwise throws, so that the request fails in events and timeline. */
function answerUnissued(outcome: Exclude<IssueOutcome, { kind: 'issued' }>, as: GeneratedMedia | undefined): Answer {
  if (outcome.kind === 'refused') throw outcome.problem
  if (outcome.kind === 'unknown') throw outcome.error
  const later = { transaction_id: outcome.transactionId, interval: deferredIntervalSeconds }
  return new Answer(later, { status: 202, as })
}
