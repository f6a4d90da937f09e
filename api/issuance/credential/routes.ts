import { Problem } from '../../../shared/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'
import { chosenByHandler, jsonMedia, type Made } from '../../http/representations/media.ts'
import type { Representations } from '../../http/representations/representations.ts'
import { anyone, defineRoute, wallet, walletWithClaims } from '../../http/route.ts'
import { newNonce } from '../../proofs/nonce.ts'
import type { Collected } from './collected.ts'
import { collectDeferred, deferredIntervalSeconds } from './deferred.ts'
import { handleOf } from './handles.ts'
import { issueCredential } from './issue.ts'
import { receiveNotification } from './notification.ts'
import { currentRequest, isOlder, olderAnswer } from './older-request.ts'
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
    summary: 'Create a c_nonce for proofs',
    tag,
    method: 'POST',
    path: '/v1/openid/nonce',
    access: anyone,
    status: 200,
    response: NonceResponse,
    representations: { cors: true },
    oauthErrors: 'invalid_request',
    async handle({ tenant, deps }) {
      return { c_nonce: newNonce(deps, tenant) }
    },
  }),
  defineRoute({
    operation: 'issueCredential',
    summary: 'Collect a credential',
    tag,
    method: 'POST',
    path: '/v1/openid/credential',
    countsAs: 'issuance',
    access: walletWithClaims,
    event: 'OPENID_CREDENTIAL',
    body: CredentialRequest,
    consumes: ['application/json', 'application/jwt'],
    openBody: openRequest,
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
      const issued = await issueCredential(call, holder, request)
      if ('deferred' in issued) return comeBack(call, issued.deferred, as)
      const notificationId = handleOf(deps, tenant, 'notification_id', issued.id)
      const { credentials } = present(issued)
      const older = isOlder(tenant, body) ? olderAnswer(deps, tenant, credentials) : {}
      const answer = { credentials, notification_id: notificationId, ...older }
      return new Answer(answer, { as, onSent: () => deps.sent.credentials(issued) })
    },
  }),
  defineRoute({
    operation: 'collectDeferredCredential',
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
      const issued = await collectDeferred(deps, tenant, holder, body.transaction_id)
      if (!issued) {
        const later = { transaction_id: body.transaction_id, interval: deferredIntervalSeconds }
        return new Answer(later, { status: 202, as })
      }
      const onSent = () => {
        deps.sent.credentials(issued)
        void deps.sent.flush()
      }
      // Omits notification_id, which is optional here. Wallets of @openid4vc/openid4vci reject a response with both
      // members.
      return new Answer(present(issued), { as, onSent })
    },
  }),
  defineRoute({
    operation: 'notifyIssuer',
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

interface Issuing {
  deps: Deps
  tenant: Tenant
}

function present({ credentials }: Collected) {
  return { credentials: credentials.map(({ credential }) => ({ credential })) }
}

function comeBack({ deps, tenant }: Issuing, issuanceId: string, as: Made | undefined): Answer {
  const transactionId = handleOf(deps, tenant, 'transaction_id', issuanceId)
  const later = { transaction_id: transactionId, interval: deferredIntervalSeconds }
  return new Answer(later, { status: 202, as })
}
