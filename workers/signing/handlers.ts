import type { Outcomes } from '../../shared/jobs/definition.ts'
import { type Handlers, handlersFor } from '../jobs/handlers.ts'
import { createIssueBulk } from './bulk/issue-bulk.ts'
import { makeAccessCertificate } from './certificates/make-access-certificate.ts'
import { makeCertificate } from './certificates/make-certificate.ts'
import { makeSigners } from './certificates/make-signers.ts'
import { publishCrl } from './certificates/publish-crl.ts'
import { renewSigners } from './certificates/renew-signers.ts'
import { checkpointAudit } from './checkpoint-audit.ts'
import { decryptRequest } from './decrypt-requests.ts'
import type { SigningDeps } from './deps.ts'
import { signDirectly } from './direct/sign-directly.ts'
import { problemOf } from './item-problem.ts'
import { compareKeys } from './keys/compare-keys.ts'
import { destroyKey } from './keys/destroy-key.ts'
import { destroyUnusedKeys } from './keys/destroy-unused-keys.ts'
import { createRewrapKeys } from './keys/rewrap-keys.ts'
import { publishMeasured } from './lists/measured-publication.ts'
import { makeDid } from './make-did.ts'
import { decryptMessage } from './messages/decrypt-message.ts'
import { encryptMessage } from './messages/encrypt-message.ts'
import { signMessage } from './messages/sign-message.ts'
import { provisionTenant } from './provision-tenant.ts'
import { rotateDueKeys } from './rotate-due-keys.ts'
import { rotateKeys } from './rotate-keys.ts'
import { makeAssertionKey, signClientAssertion } from './sign-client-assertion.ts'
import { issueCredentials, signCredentials } from './sign-credentials.ts'
import { signDomainLinkage } from './sign-domain-linkage.ts'
import { signErasureReceipt } from './sign-erasure-receipt.ts'
import { signIssuerMetadata } from './sign-issuer-metadata.ts'
import { signManagementToken } from './sign-management-tokens.ts'
import { signWebhook } from './sign-webhooks.ts'
import { publishDueTrustedList } from './trusted-lists/publish-due-trusted-list.ts'
import { publishTrustedList } from './trusted-lists/publish-trusted-list.ts'

export function signingHandlers(deps: SigningDeps): Handlers<'signing'> {
  return handlersFor('signing', {
    provisionTenant: ({ tenantId }) => provisionTenant(deps, tenantId),
    makeCertificate: (ref) => makeCertificate(deps, ref),
    makeAccessCertificate: (request) => makeAccessCertificate(deps, request),
    makeSigners: (ref) => makeSigners(deps, ref),
    makeDid: (ref) => makeDid(deps, ref),
    publishTrustedList: (ref) => publishTrustedList(deps, ref),
    publishCrl: (ref) => publishCrl(deps, ref),
    issueCredentials: ({ items }) => issueCredentials(deps, items),
    signCredentials: ({ items }) => signCredentials(deps, items),
    signDirectly: ({ items }) => signDirectly(deps, items),
    signManagementTokens: ({ items }) => runEach(deps, items, (item) => signManagementToken(deps, item)),
    signWebhooks: ({ items }) => runEach(deps, items, (item) => signWebhook(deps, item)),
    rotateKeys: (rotation) => rotateKeys(deps, rotation),
    async checkKeys() {
      await compareKeys(deps)
      return {}
    },
    destroyUnusedKeys: (request) => destroyUnusedKeys(deps, request),
    decryptRequests: ({ items }) => runEach(deps, items, (item) => decryptRequest(deps, item)),
    encryptMessages: ({ items }) => runEach(deps, items, (item) => encryptMessage(deps, item)),
    decryptMessages: ({ items }) => runEach(deps, items, (item) => decryptMessage(deps, item)),
    signMessages: ({ items }) => runEach(deps, items, (item) => signMessage(deps, item)),
    signDomainLinkage: ({ tenantId }) => signDomainLinkage(deps, tenantId),
    signIssuerMetadata: (request) => signIssuerMetadata(deps, request),
    makeAssertionKey: ({ tenantId }) => makeAssertionKey(deps, tenantId),
    signClientAssertion: (request) => signClientAssertion(deps, request),
  })
}

/** The handlers of jobs without a waiting client. Their queue is separate, so they do not delay requests. */
export function bulkSigningHandlers(deps: SigningDeps): Handlers<'signing-bulk'> {
  return handlersFor('signing-bulk', {
    rotateDueKeys: () => rotateDueKeys(deps),
    rotateEncryptionKeys: () => rotateDueKeys(deps),
    rewrapKeys: createRewrapKeys(deps),
    compareKeys: () => compareKeys(deps),
    publishList: (ref) => publishMeasured(deps, ref),
    publishDueTrustedList: (ref, attempt) => publishDueTrustedList(deps, ref, attempt),
    issueBulk: createIssueBulk(deps),
    destroyKey: (key) => destroyKey(deps, key),
    signErasureReceipt: (ref) => signErasureReceipt(deps, ref),
    checkpointAudit: (ref) => checkpointAudit(deps, ref),
    renewSigners: (ref) => renewSigners(deps, ref),
  })
}

/** Returns one outcome per item. An error of one item does not affect the others. */
async function runEach<Item, Result>(
  deps: SigningDeps,
  items: Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Outcomes<Result>> {
  const outcomes = items.map((item) =>
    run(item).then(
      (ok) => ({ ok }),
      (error: unknown) => ({ problem: problemOf(deps, error) }),
    ),
  )
  return { outcomes: await Promise.all(outcomes) }
}
