import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { claimSources } from '../../db/tables/issuance/claim-sources.ts'
import type { CheckName } from '../../shared/domain/issuance/checks.ts'
import { createApi } from '../harness/api-client.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { dpopProof, newDpopKey } from '../wallets/dpop.ts'
import { makeProof, newHolderKey, type ProofOptions, preAuthorizedGrant, readOffer } from '../wallets/wallet.ts'
import { type Fault, type FaultKit, json, tokenStep } from './fault-kit.ts'

const withCode = { transactionCodeConfiguration: {} }
const seconds = () => Math.floor(Date.now() / 1000)

type One = Awaited<ReturnType<FaultKit['oneWith']>>

/** The faults of pre-authorized tokens, credential requests, claim sources and webhooks. */
export function credentialFaults({
  service,
  answers,
  sourceUrl,
  sourcedId,
  oneWith,
  timelineOf,
}: FaultKit): Record<string, Fault> {
  function atToken(check: CheckName, act: (one: One) => Promise<unknown>, extra = {}): Fault {
    return {
      step: tokenStep,
      check,
      async inject() {
        const one = await oneWith(extra)
        await act(one)
        return one.id
      },
    }
  }

  /** A faulty proof in a credential request. */
  function atProof(
    check: CheckName,
    options: (key: Awaited<ReturnType<typeof newHolderKey>>) => Partial<ProofOptions>,
  ): Fault {
    return atCredential(check, async ({ wallet }) => {
      const jwt = [await wallet.proof(options(wallet.key))]
      await wallet.requestCredential({ proofs: { jwt } })
    })
  }

  function atCredential(check: CheckName, act: (one: One) => Promise<unknown>, extra = {}): Fault {
    return {
      step: 'credential requested',
      check,
      async inject() {
        const one = await oneWith(extra)
        expect(await one.wallet.redeem()).toMatchObject({ status: 200 })
        await act(one)
        return one.id
      },
    }
  }

  function atSource(check: CheckName, prepare: () => void): Fault {
    return {
      step: 'claim source called',
      check,
      async inject() {
        const { id, wallet } = await oneWith({}, sourcedId)
        prepare()
        expect(await wallet.collect()).toMatchObject({ status: 400 })
        return id
      },
    }
  }

  /** Sends a request of a wallet with a token for its own offer. */
  function atResource(
    check: CheckName,
    step: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Fault {
    return {
      step,
      check,
      async inject() {
        const { id, wallet } = await oneWith()
        const { access_token } = (await wallet.redeem()).body
        const bearer = createApi(service.origin, service.host, access_token)
        expect((await bearer.post(path, body, headers)).status).toBeGreaterThanOrEqual(400)
        return id
      },
    }
  }

  /** Stops the signing process during `run`. */
  async function unsigned<Result>(run: () => Promise<Result>): Promise<Result> {
    await service.workers.stop()
    try {
      return await run()
    } finally {
      await service.workers.start()
    }
  }

  function atWebhook(check: CheckName, url: () => string): Fault {
    return {
      step: 'webhook called: OpenIdCredentialIssued',
      check,
      async inject() {
        const webhook = { events: ['OpenIdCredentialIssued'], url: url() }
        const { body } = await service.operator.post('/v1/webhooks', webhook)
        const { id, wallet } = await oneWith()
        expect(await wallet.collect()).toMatchObject({ status: 200 })
        await eventually(async () => (await timelineOf(id)).some(({ step }) => step.startsWith('webhook called')))
        await service.operator.put(`/v1/webhooks/${body.id}`, { ...webhook, disabled: true })
        return id
      },
    }
  }

  return {
    'the response of the source is too large': atSource('source_reached', () => {
      answers.source = { body: ' '.repeat(600_000) }
    }),
    'the source fails': atSource('source_status', () => {
      answers.source = { status: 500 }
    }),
    'the source answers with a list': atSource('source_content', () => {
      answers.source = json([])
    }),
    'the source gives no token': atSource('source_token', () => {
      answers.token = json({ error: 'invalid_client' }, 401)
    }),
    'the transaction code is wrong': atToken(
      'transaction_code',
      ({ wallet }) => wallet.redeem({ tx_code: 'x' }),
      withCode,
    ),
    'the transaction code is missing': atToken('transaction_code_sent', ({ wallet }) => wallet.redeem(), withCode),
    'a second wallet comes with the same offer': atToken('code_unused', async ({ wallet }) => {
      await wallet.redeem()
      await wallet.redeem({ client_id: 'another' })
    }),
    'the DPoP proof is for another address': atToken('dpop_proof', async ({ offer }) => {
      const { grants } = await readOffer(offer.uri, service.anonymous)
      const grant_type = preAuthorizedGrant
      const form = new URLSearchParams({ grant_type, 'pre-authorized_code': grants[grant_type]['pre-authorized_code'] })
      const DPoP = await dpopProof({ key: await newDpopKey(), url: 'https://example.org/token' })
      expect(await service.anonymous.post('/v1/oauth/token', form, { DPoP })).toMatchObject({ status: 400 })
    }),
    'the proof is for another issuer': atProof('proof_audience', () => ({ issuer: 'https://example.org' })),
    'the proof is old': atProof('proof_times', () => ({ payload: { iat: seconds() - 3_600 } })),
    'the proof is signed with another key': atCredential('proof_signature', async ({ wallet }) => {
      const { publicJwk } = await newHolderKey()
      const jwt = [await wallet.proof({ header: { jwk: publicJwk } })]
      await wallet.requestCredential({ proofs: { jwt } })
    }),
    'the proof names no key': atProof('proof_key', () => ({ header: { jwk: undefined } })),
    'there is no proof': atCredential('proof_form', ({ wallet }) => wallet.requestCredential({ proofs: undefined })),
    'the nonce was used': atCredential('nonce', async ({ wallet }) => {
      const nonce = await wallet.nonce()
      for (const key of [wallet.key, await newHolderKey()]) {
        const jwt = [await makeProof({ issuer: service.baseUrl, nonce, key })]
        await wallet.requestCredential({ proofs: { jwt } })
      }
    }),
    'the request names another credential': atCredential('configuration', ({ wallet }) =>
      wallet.requestCredential({ credential_configuration_id: 'another' }),
    ),
    'a claim is missing': atCredential('claims', ({ wallet }) => wallet.requestCredential(), { claims: {} }),
    'the key for response encryption is not valid': atCredential('encryption', ({ wallet }) =>
      wallet.requestCredential({ credential_response_encryption: { jwk: {}, enc: 'none' } }),
    ),
    'a bearer token comes as a DPoP token': {
      step: 'credential requested',
      check: 'access_token_key',
      async inject() {
        const { id, wallet } = await oneWith()
        const { access_token } = (await wallet.redeem()).body
        const authorization = { authorization: `DPoP ${access_token}` }
        expect(await service.anonymous.post('/v1/openid/credential', {}, authorization)).toMatchObject({ status: 401 })
        return id
      },
    },
    'the wallet reports that it cannot store the credential': {
      step: 'wallet says: credential_failure',
      check: 'taken_by_wallet',
      async inject() {
        const { id, wallet } = await oneWith()
        const { access_token } = (await wallet.redeem()).body
        const { notification_id } = (await wallet.requestCredential()).body
        const bearer = createApi(service.origin, service.host, access_token)
        await bearer.post('/v1/openid/notification', { notification_id, event: 'credential_failure' })
        return id
      },
    },
    'the offer is expired': atToken('code_expiry', async ({ wallet }) => {
      const later = 6 * 60_000
      service.clock.advance(later)
      await wallet.redeem()
      service.clock.advance(-later)
    }),
    'the client attestation is not a JWS': atToken('client_attestation', async ({ offer }) => {
      const { grants } = await readOffer(offer.uri, service.anonymous)
      const code = grants[preAuthorizedGrant]['pre-authorized_code']
      const form = new URLSearchParams({ grant_type: preAuthorizedGrant, 'pre-authorized_code': code })
      await service.anonymous.post('/v1/oauth/token', form, { 'oauth-client-attestation': 'x' })
    }),
    'the token request names a credential that is not offered': atToken('authorization_details', ({ wallet }) =>
      wallet.redeem({
        authorization_details: JSON.stringify([{ type: 'openid_credential', credential_configuration_id: 'other' }]),
      }),
    ),
    'the access token is expired': atCredential('access_token', async ({ wallet }) => {
      service.clock.advance(6 * 60_000)
      await wallet.requestCredential()
      service.clock.advance(-6 * 60_000)
    }),
    'the request names no configuration': atCredential('request_form', ({ wallet }) =>
      wallet.requestCredential({ credential_configuration_id: 5 }),
    ),
    'a key attestation is sent to a tenant without attesters': atCredential('key_attestation', ({ wallet }) =>
      wallet.requestCredential({ proofs: { attestation: ['x'] } }),
    ),
    'the proof is of another client': {
      step: 'credential requested',
      check: 'proof_issuer',
      async inject() {
        const { id, wallet } = await oneWith()
        await wallet.redeem({ client_id: 'one' })
        const jwt = [await wallet.proof({ payload: { iss: 'another' } })]
        expect(await wallet.requestCredential({ proofs: { jwt } })).toMatchObject({ status: 400 })
        return id
      },
    },
    'the credential is collected with a second key': atCredential('collected_once', async ({ wallet }) => {
      expect(await wallet.requestCredential()).toMatchObject({ status: 200 })
      const jwt = [await wallet.proof({ key: await newHolderKey() })]
      expect(await wallet.requestCredential({ proofs: { jwt } })).toMatchObject({ status: 400 })
    }),
    'no signing process runs': atCredential('signed_in_time', ({ wallet }) =>
      unsigned(() => wallet.requestCredential()),
    ),
    'no signing process decrypts the request': {
      step: 'credential requested',
      check: 'service',
      inject: () =>
        unsigned(() =>
          atResource('service', '', '/v1/openid/credential', 'a.b.c.d.e', {
            'content-type': 'application/jwt',
          }).inject(),
        ),
    },
    'the request is plain text': atResource('request', 'credential requested', '/v1/openid/credential', 'x', {
      'content-type': 'text/plain',
    }),
    'the transaction id is unknown': atResource(
      'transaction_id',
      'deferred credential requested',
      '/v1/openid/deferred-credential',
      { transaction_id: 'x' },
    ),
    'the notification id is unknown': atResource(
      'notification_id',
      'notification by the wallet',
      '/v1/openid/notification',
      { notification_id: 'x', event: 'credential_accepted' },
    ),
    'the claim source is deleted': {
      step: 'claim source called',
      check: 'source_there',
      async inject() {
        const { body } = await service.operator.post('/v1/claim-sources', {
          name: 'Deleted',
          url: sourceUrl,
          authorization: { type: 'api-key', value: 'key' },
        })
        const { id, wallet } = await oneWith({}, await compactConfiguration(service, { claimSourceId: body.id }))
        await service.deps.db.tx((tx) => tx.delete(claimSources).where(eq(claimSources.id, body.id)))
        await wallet.collect()
        return id
      },
    },
    'the claim source refuses the request': {
      step: 'credential requested',
      check: 'claim_source',
      async inject() {
        const { body } = await service.operator.post('/v1/claim-sources', {
          name: 'Closed',
          url: `${service.origin}/none`,
          authorization: { type: 'api-key', value: 'key' },
        })
        const claimMappings = { grade: { mapFrom: 'claims.grade' } }
        const settings = { claimSourceId: body.id, claimMappings }
        const { id, wallet } = await oneWith({}, await compactConfiguration(service, settings))
        await wallet.collect()
        return id
      },
    },
    'the webhook cannot be reached': atWebhook('webhook_reached', () => 'http://127.0.0.1:1/hook'),
    'the webhook answers 404': atWebhook('webhook_status', () => `${service.origin}/none`),
  }
}
