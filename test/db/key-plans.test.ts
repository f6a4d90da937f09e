import { afterAll, beforeAll, expect, test } from 'vitest'
import { findScopedIds } from '../../api/issuance/configurations/scoped-ids.ts'
import { hold } from '../../db/hold.ts'
import { listIntegratedCertificates } from '../../db/repos/ecosystems/integrated-certificates.ts'
import { findIdsByScope, findNamedConfigurations, findOldestOfTypes } from '../../db/repos/issuance/configurations.ts'
import { findIssued, findIssuedCredential } from '../../db/repos/issuance/credentials.ts'
import { findIssuance, finishIssuance, insertRequested } from '../../db/repos/issuance/issuances.ts'
import { findConfigurationsToSign, findIssuancesToSign } from '../../db/repos/issuance/issuances-to-sign.ts'
import { insertOfferWithUser } from '../../db/repos/issuance/offers/new-offers.ts'
import { findShownOffer, findShownSharedOffer } from '../../db/repos/issuance/offers/offer-pages.ts'
import { claimOffer, findOfferToRedeem, spendOffer, spendOfferByCode } from '../../db/repos/issuance/offers/offers.ts'
import { findSession, insertSessionOfOffer } from '../../db/repos/issuance/sessions/sessions.ts'
import { findSpentHashes } from '../../db/repos/issuance/sessions/spent-proofs.ts'
import { findSessionWithClaims } from '../../db/repos/issuance/users/known-claims.ts'
import { findDeliveryToSend } from '../../db/repos/operations/webhooks/deliveries.ts'
import { findDueWebhooks } from '../../db/repos/operations/webhooks/due-deliveries.ts'
import { users } from '../../db/tables/issuance/users.ts'
import { newId } from '../../shared/ids.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'
import { plansOf } from './plans.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openNewDatabase()
})
afterAll(() => database.drop())

/** Of all but its key and what is unique: an index that begins with the tenant leads to all that the tenant has. */
const otherIndex =
  /(?:Index.* using|Index Scan on|USING (?:COVERING )?INDEX) (?!\w+_pkey|sqlite_autoindex_|authentication_providers_tenant|credentials_issuance|spent_proofs_key)\w+/

/** What is prepared on a new installation, and then used while its tables grow. */
test('the queries of an issuance use indexes in tables without statistics', async () => {
  const [at, tenantId, id] = [new Date(), newId(), newId()]
  const issuance = { id, tenantId, sessionId: id, offerId: id, authorizationId: null, userId: id, configurationId: id }
  const session = {
    ...{ id, tenantId, userId: id, offerId: id, clientId: null, registrationId: null, configurationIds: [] },
    ...{
      credentialIdentifiers: {},
      tokenHash: id,
      authorizationId: null,
      dpopJkt: null,
      instanceJkt: null,
      viewId: null,
    },
    ...{ exchangedHash: null, credentialsLeft: null, sentAt: null, traceparent: null, expiresAt: at, createdAt: at },
  }
  const offer = {
    ...{ id, tenantId, userId: id, state: 'usable' as const, configurationIds: [id], claims: {}, codeHash: id },
    ...{
      sealedCode: null,
      referenceHash: null,
      isByReference: false,
      viewId: null,
      claimLinkId: null,
      label: null,
      needsSignIn: false,
      transactionCodeMac: null,
      transactionCodeDescription: null,
    },
    ...{ wrongTransactionCodes: 0, sessionId: null, traceparent: null, expiresAt: at, createdAt: at },
  }
  const plans = await plansOf(database.url, async (tx) => {
    await findSession(tx, tenantId, id)
    await findOfferToRedeem(tx, tenantId, id)
    await findShownOffer(tx, tenantId, id)
    await findShownSharedOffer(tx, tenantId, id)
    await spendOffer(tx, tenantId, id, id, at)
    await spendOfferByCode(tx, tenantId, id, { codeHash: id, viewId: null, sessionId: id }, at)
    await insertSessionOfOffer(tx, session)
    await claimOffer(tx, tenantId, id)
    await insertOfferWithUser(tx, offer)
    await insertOfferWithUser(tx, { ...offer, viewId: id }, { ids: [id] })
    await findSessionWithClaims(tx, tenantId, id)
    await insertRequested(tx, {
      ...issuance,
      claims: {},
      validity: null,
      holderKeys: [],
      viewId: null,
      requestedAt: at,
    })
    await findIssuance(tx, tenantId, id)
    await findIssuancesToSign(tx, tenantId, [id])
    await findConfigurationsToSign(tx, tenantId, [id])
    await findSpentHashes(tx, tenantId, [id])
    await finishIssuance(tx, issuance, 'sealed text', at)
    await hold(tx, users, tenantId, id)
    await findIssued(tx, tenantId, [id])
    await findIssuedCredential(tx, tenantId, id)
    await findDeliveryToSend(tx, tenantId, id)
  })
  expect(plans.length).toBe(23)
  expect(plans.filter((plan) => otherIndex.test(plan))).toEqual([])
})

test('the configurations that a request names are found without reading the others of their tenant', async () => {
  const [tenantId, id] = [newId(), newId()]
  const plans = await plansOf(database.url, async (tx) => {
    await findNamedConfigurations(tx, tenantId, [id])
    await findOldestOfTypes(tx, tenantId, [{ profile: 'mobile', type: 'x' }])
    await findIdsByScope(tx, tenantId, ['x'])
  })
  expect(plans).toHaveLength(3)
  expect(plans[0]).toMatch(/configurations_pkey|sqlite_autoindex_configurations/)
  expect(plans[1]).toMatch(/configurations_type/)
  expect(plans[2]).toMatch(/configurations_scope/)
})

test('three statements look up any number of scopes of an authorization request', async () => {
  const tenantId = newId()
  const suffix = Array.from({ length: 6 }, () => `:${newId()}`).join('')
  const scope = Array.from({ length: 100 }, (_, n) => (n % 2 ? `chosen-${n}` : `mso_mdoc:type.${n}${suffix}`)).join(' ')
  const plans = await plansOf(database.url, (tx) => findScopedIds(tx, tenantId, scope))
  expect(plans).toHaveLength(3)
})

test('a page of the certificates of an integration is a range of an index', async () => {
  const [tenantId, integrationId] = [newId(), newId()]
  const cursor = { integrationId, fingerprint: '00' }
  const plans = await plansOf(database.url, (tx) =>
    listIntegratedCertificates(tx, tenantId, [integrationId], 10, cursor),
  )
  expect(plans).toHaveLength(1)
  expect(plans[0]).toMatch(/integrated_certificates_certificate/)
  expect(plans[0]).not.toMatch(/sort|temp b-tree/i)
})

test('waiting deliveries are found by an index, however many deliveries exist', { tags: 'postgres' }, async () => {
  const [plan = ''] = await plansOf(database.url, async (tx) => {
    await findDueWebhooks(tx, new Date(), 10)
  })
  expect(plan).toMatch(/deliveries_pkey.*\n\s*Index Cond: \(id = ANY/)
})
