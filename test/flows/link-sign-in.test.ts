import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findHolder } from '../../api/issuance/claim-links/holder.ts'
import { assignLink, findClaimLink } from '../../db/repos/issuance/claim-links/claim-links.ts'
import type { MadeClaimLink } from '../../db/repos/issuance/claim-links/new-claim-links.ts'
import { renewClaimLink } from '../../db/repos/issuance/claim-links/renewed-claim-links.ts'
import { findSignInOffer } from '../../db/repos/issuance/sessions/sign-in-offers.ts'
import { authorizations } from '../../db/tables/issuance/authorizations.ts'
import { bulkIssuances } from '../../db/tables/issuance/bulk-issuances.ts'
import { claimLinks } from '../../db/tables/issuance/claim-links.ts'
import { dayMs, plusMs } from '../../shared/clock.ts'
import { type LinkSignIn, openClaimLink } from '../../shared/domain/issuance/claim-links.ts'
import { claimLinkContext } from '../../shared/secrets/stored-contexts.ts'
import { offerIn } from '../harness/bulk-links.ts'
import { newClaimLink } from '../harness/claim-links.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { bulkFields, csvFile, uploadTo } from '../harness/uploads.ts'
import { withOtherEnd } from '../harness/with-other-end.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { newAuthorizationWallet, registerWallet } from '../wallets/authorization-wallet.ts'
import { makeProof, newHolderKey, preAuthorizedGrant, readOffer } from '../wallets/wallet.ts'

let service: Service
let provider: TestProvider
let configurationId: string

beforeAll(async () => {
  service = await startService()
  // Then the service has no reason of its own to call the UserInfo endpoint.
  provider = await startProvider(service, { claimsToPersist: [] }, { claimsInUserInfo: true })
  configurationId = await compactConfiguration(service)
  await registerWallet(service)
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

type Link = Pick<MadeClaimLink, 'address'>

const newLink = (signIn: LinkSignIn, extra: Parameters<typeof newClaimLink>[3] = {}) =>
  newClaimLink(service, service, [configurationId], { signIn, ...extra })
const pathOf = ({ address }: Link) => new URL(address).pathname
const stateOf = async (link: Link) => (await service.anonymous.get(`${pathOf(link)}/state`)).body.state
const rowOf = ({ id }: MadeClaimLink) => findClaimLink(service.deps.db.read, service.id, id)

/** Presses the button of the page, and returns the offer. */
async function press(link: Link) {
  expect(await service.anonymous.post(pathOf(link))).toMatchObject({ status: 303 })
  return readOffer(offerIn((await service.anonymous.get(pathOf(link))).body), service.anonymous)
}

/** Signs in for an offer, as the wallet of a person does. */
async function signIn(offer: { grants: Record<string, { issuer_state?: string }> }, user: string) {
  const wallet = newAuthorizationWallet(service, service.origin, configurationId)
  const { issuer_state } = offer.grants.authorization_code!
  const answer = await wallet.authorize({ issuer_state, authorization_details: undefined }, user)
  return { wallet, answer, code: answer.get('code') ?? '' }
}

async function request(token: { access_token: string }) {
  const nonce = (await service.anonymous.post('/v1/openid/nonce')).body.c_nonce
  const jwt = await makeProof({ issuer: service.baseUrl, nonce, key: await newHolderKey() })
  const body = { credential_configuration_id: configurationId, proofs: { jwt: [jwt] } }
  return service.anonymous.post('/v1/openid/credential', body, { authorization: `Bearer ${token.access_token}` })
}

/** Collects with a link. Returns the status of the credential, or the error that the wallet got. */
async function collect(link: Link, user: string): Promise<number | string | null> {
  const { wallet, answer, code } = await signIn(await press(link), user)
  if (code === '') return answer.get('error')
  const token = await wallet.redeem(code)
  return token.status === 200 ? (await request(token.body)).status : token.body.error
}

/** A link that a signing process of a version without sign-ins made for a bulk issuance with a sign-in. */
async function linkOfEarlierVersion(signIn: LinkSignIn, claims: object): Promise<MadeClaimLink> {
  const link = await newClaimLink(service, service, [configurationId], { claims: { ...claims } })
  const ofBulk = eq(bulkIssuances.id, link.bulkId)
  await service.deps.db.tx((tx) => tx.update(bulkIssuances).set({ signIn }).where(ofBulk))
  return link
}

const subjectOf = async (userId: string | null | undefined) =>
  (await service.operator.get(`/v1/users/${userId}`)).body.authenticationProvider?.subjectId

describe('a claim link with a sign-in', () => {
  test('gives the claims of its row to the person who signs in, once', async () => {
    const link = await newLink({})
    expect((await service.anonymous.get(pathOf(link))).body).toContain('Your wallet will ask you to sign in.')
    const offer = await press(link)
    expect(offer.grants).toEqual({
      authorization_code: { issuer_state: expect.stringMatching(/^[\w-]{36}\.[\w-]{43}$/) },
    })
    const { wallet, code } = await signIn(offer, 'ada')
    const token = await wallet.redeem(code)
    expect(token).toMatchObject({ status: 200, body: { access_token: expect.any(String) } })
    expect(await stateOf(link)).toBe('opened')
    const [first, second] = [await request(token.body), await request(token.body)]
    expect([first.status, second.status]).toEqual([200, 400])
    expect(await stateOf(link)).toBe('collected')
    const row = await rowOf(link)
    expect([await subjectOf(row?.userId), row?.sealedContent]).toEqual(['ada', null])
    const { body } = await service.operator.get(`/v1/users/${row?.userId}/credentials`)
    expect(body.data).toHaveLength(1)
    const details = (await service.operator.get(`/v1/openid/offers/${row?.offerId}/details`)).body
    expect(details).toMatchObject({ kind: 'authorization-code', userId: row?.userId })
  })

  test('makes a fresh offer each time, and the one before ends with its sign-in', async () => {
    const link = await newLink({})
    const before = await signIn(await press(link), 'ada')
    const offer = await press(link)
    expect(await before.wallet.redeem(before.code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    const { wallet, code } = await signIn(offer, 'ada')
    expect(await wallet.redeem(code)).toMatchObject({ status: 200 })
    // A second sign-in with the same offer: the offer is used.
    const again = newAuthorizationWallet(service, service.origin, configurationId)
    const answer = await again.authorize({ issuer_state: offer.grants.authorization_code.issuer_state })
    expect(Object.fromEntries(answer)).toMatchObject({ error: 'invalid_request' })
  })

  test('is used up by the first of two people who have signed in for the same offer', async () => {
    const offer = await press(await newLink({}))
    const [first, second] = [await signIn(offer, 'ada'), await signIn(offer, 'ada')]
    expect(await first.wallet.redeem(first.code)).toMatchObject({ status: 200 })
    const refused = await second.wallet.redeem(second.code)
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('gives no pre-authorized code, and its issuer_state is not one', async () => {
    const offer = await press(await newLink({}))
    expect(offer.grants).not.toHaveProperty([preAuthorizedGrant])
    const code = offer.grants.authorization_code.issuer_state
    const form = new URLSearchParams({ grant_type: preAuthorizedGrant, 'pre-authorized_code': code })
    expect(await service.anonymous.post('/v1/oauth/token', form)).toMatchObject({ status: 400 })
  })

  test('cannot be used without the secret of its issuer_state', async () => {
    const link = await newLink({})
    const { issuer_state } = (await press(link)).grants.authorization_code
    for (const wrong of [issuer_state.slice(0, 36), withOtherEnd(issuer_state), `${issuer_state.slice(0, 37)}`]) {
      const wallet = newAuthorizationWallet(service, service.origin, configurationId)
      for (const changes of [{}, { authorization_details: undefined }])
        expect((await wallet.authorize({ issuer_state: wrong, ...changes })).get('error')).toBe('invalid_request')
    }
    expect(await stateOf(link)).toBe('offered')
  })

  test('is refused to an unregistered wallet whose redirect URI is any website', async () => {
    await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
    const { issuer_state } = (await press(await newLink({}))).grants.authorization_code
    const wallet = newAuthorizationWallet(service, service.origin, configurationId)
    const request = (redirect_uri: string, more = {}) =>
      wallet.authorizeUrl({ client_id: 'other', redirect_uri, issuer_state, ...more })
    const start = async ({ pathname, search }: URL) => service.anonymous.get(pathname + search)
    const push = ({ searchParams }: URL) => service.anonymous.post('/v1/oauth/par', searchParams)
    const website = 'https://wallet.example/callback'
    expect(await push(request(website))).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    const refused = await start(request(website))
    expect([refused.status, refused.headers.location]).toEqual([400, undefined])
    expect(await start(request('com.example.wallet:/callback'))).toMatchObject({ status: 302 })
    expect(await push(request('com.example.wallet:/callback'))).toMatchObject({ status: 201 })
    expect(await start(request(website, { issuer_state: undefined }))).toMatchObject({ status: 302 })
    await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: false })
  })

  test('stays usable if its code was revoked during the token request', async () => {
    const link = await newLink({})
    const { wallet, code } = await signIn(await press(link), 'ada')
    const { db } = service.deps
    const ofLink = eq(authorizations.claimLinkId, link.id)
    const run = db.tx.bind(db)
    const spied = vi.spyOn(db, 'tx').mockImplementation(async (work) => {
      await run((tx) => tx.update(authorizations).set({ state: 'ended', codeHash: null }).where(ofLink))
      return run(work)
    })
    expect(await wallet.redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    spied.mockRestore()
    const offer = await findSignInOffer(db.read, service.id, (await rowOf(link))?.offerId ?? '')
    expect(offer).toMatchObject({ state: 'usable', sessionId: null })
  })

  test('gives only its own configurations', async () => {
    const other = await compactConfiguration(service)
    const { issuer_state } = (await press(await newLink({}))).grants.authorization_code
    const details = [{ type: 'openid_credential', credential_configuration_id: other }]
    const wallet = newAuthorizationWallet(service, service.origin, other)
    const answer = await wallet.authorize({ issuer_state, authorization_details: JSON.stringify(details) })
    expect(answer.get('error')).toBe('invalid_scope')
  })

  test('has ended when it is revoked, renewed or expired during the sign-in', async () => {
    const [expiring, replaced] = [await newLink({}), await newLink({})]
    const signedIn = [await signIn(await press(expiring), 'ada'), await signIn(await press(replaced), 'ada')]
    const { db } = service.deps
    const past = new Date(service.clock.now().getTime() - 1_000)
    await db.tx((tx) => tx.update(claimLinks).set({ expiresAt: past }).where(eq(claimLinks.id, expiring.id)))
    await db.tx((tx) => tx.update(claimLinks).set({ state: 'revoked' }).where(eq(claimLinks.id, replaced.id)))
    for (const { wallet, code } of signedIn)
      expect(await wallet.redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('a second use of the code revokes the token', async () => {
    const link = await newLink({})
    const { wallet, code } = await signIn(await press(link), 'ada')
    const token = await wallet.redeem(code)
    service.clock.advance(11_000)
    expect(await wallet.redeem(code)).toMatchObject({ status: 400 })
    expect(await request(token.body)).toMatchObject({ status: 401 })
    expect(await collect(link, 'ada')).toBe(200)
  })
})

describe('a process of an earlier version during an update', () => {
  test('makes links that need the sign-in of their bulk issuance', async () => {
    const link = await linkOfEarlierVersion(
      { claim: 'email', rowClaim: 'claims.email' },
      { given_name: 'A', email: 'ada@example.org' },
    )
    expect((await service.anonymous.get(pathOf(link))).body).toContain('Your wallet will ask you to sign in.')
    expect(await collect(link, 'grace')).toBe('access_denied')
    expect(await collect(link, 'ada')).toBe(200)
  })

  test('cannot read the content of a link with a sign-in', async () => {
    const { secrets } = service.deps
    const { id, sealedContent } = (await rowOf(await newLink({}))) as { id: string; sealedContent: string }
    const text = secrets.open(sealedContent, claimLinkContext(id))
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(openClaimLink(secrets, id, sealedContent)).toEqual({ claims: { given_name: 'Ada' } })
    // A link of a version that did not mark it.
    const unmarked = secrets.seal('{"claims":{"a":1}}', claimLinkContext(id))
    expect(openClaimLink(secrets, id, unmarked)).toEqual({ claims: { a: 1 } })
  })
})

describe('the person who signs in', () => {
  test('matches with a claim that only the UserInfo response has', async () => {
    const calls = () => provider.requests.filter((url) => url.pathname === '/me').length
    const claims = { given_name: 'A', email: 'ada@example.org' }
    const before = calls()
    expect(await collect(await newLink({ claim: 'email', rowClaim: 'claims.email' }, { claims }), 'ada')).toBe(200)
    expect(calls()).toBe(before + 1)
    expect(await collect(await newLink({}), 'ada')).toBe(200)
    expect(calls()).toBe(before + 1)
  })

  test('must have the claim of the row', async () => {
    const signInBy = { claim: 'email', rowClaim: 'claims.contact.mail' }
    const ofRow = (mail: string) => ({ claims: { given_name: 'A', contact: { mail } } })
    const link = await newLink(signInBy, ofRow('ada@example.org'))
    expect(await collect(link, 'grace')).toBe('access_denied')
    expect(await stateOf(link)).toBe('offered')
    expect(await collect(link, 'ada')).toBe(200)
    expect(await collect(await newLink(signInBy, ofRow('other@example.org')), 'ada')).toBe('access_denied')
    expect(await collect(await newLink(signInBy, { claims: { given_name: 'A' } }), 'ada')).toBe('access_denied')
  })

  /** Returns who a link with `claim` is for, if a person with these claims signs in. */
  async function holderOf(signInBy: LinkSignIn, row: object, claims: object) {
    const { db, secrets } = service.deps
    const link = await newLink({ rowClaim: `claims.${signInBy.claim}`, ...signInBy }, { claims: { ...row } })
    const subject = { providerId: provider.providerId, issuer: provider.url, subjectId: 'a' }
    return findHolder({ db, secrets }, service, { claimLinkId: link.id }, { subject, claims: { sub: 'a', ...claims } })
  }

  test.each([
    ['email', 'a@example.org'],
    ['phone_number', '+43 1 234'],
  ])('matches with %s only if the provider has verified it', async (claim, value) => {
    const claims = { [claim]: value }
    const of = (verified: object, more: object = {}) => holderOf({ claim, ...more }, claims, { ...claims, ...verified })
    const name = `${claim}_verified`
    const unverified = { refused: `The provider has not verified the claim ${claim} (${name})` }
    for (const verified of [true, 'true']) expect(await of({ [name]: verified })).toEqual({ userId: null })
    for (const verified of [false, 'false', 1, null]) expect(await of({ [name]: verified })).toEqual(unverified)
    expect(await of({})).toEqual({ refused: expect.stringContaining(`did not send the claim ${name}`) })
    expect(await of({}, { acceptUnverified: true })).toEqual({ userId: null })
    expect(await of({ [name]: false }, { acceptUnverified: true })).toEqual({ userId: null })
  })

  test('matches with an email address in any case of its letters, without white space around it', async () => {
    const of = (email: string) =>
      holderOf({ claim: 'email' }, { email: 'A.b@Example.org' }, { email, email_verified: true })
    for (const email of ['a.B@example.ORG', ' a.b@example.org\r\n']) expect(await of(email)).toEqual({ userId: null })
    expect(await of('a.b@example.com')).toEqual({ refused: 'The claim email is not that of the row' })
  })

  test('matches with another claim without a verification', async () => {
    expect(await holderOf({ claim: 'person' }, { person: 'a1' }, { person: 'a1' })).toEqual({ userId: null })
    expect(await holderOf({ claim: 'person' }, { person: 'a1' }, { person: 'A1' })).toEqual({
      refused: 'The claim person is not that of the row',
    })
  })

  test('must be the user of the row', async () => {
    expect(await collect(await newLink({}), 'ada')).toBe(200)
    const search = { authenticationProvider: { subjectId: 'ada' } }
    const [user] = (await service.operator.post('/v1/users/search', search)).body.data
    const link = await newLink({}, { userId: user.id })
    expect(await collect(link, 'grace')).toBe('access_denied')
    expect(await collect(link, 'ada')).toBe(200)
  })

  test('stays the person of the link after a token', async () => {
    const link = await newLink({})
    const { wallet, code } = await signIn(await press(link), 'grace')
    expect(await wallet.redeem(code)).toMatchObject({ status: 200 })
    const { id, userId, offerId } = (await rowOf(link)) as { id: string; userId: string; offerId: string }
    const { db, clock } = service.deps
    const assign = (to: string) => db.tx((tx) => assignLink(tx, service.id, { id, offerId, userId: to }, clock.now()))
    expect([await assign('another person'), await assign(userId)]).toEqual([false, true])
    expect(await collect(link, 'ada')).toBe('access_denied')
    expect(await collect(link, 'grace')).toBe(200)
  })

  test.each([
    ['anyone again after a renewal', null, 200],
    ['the user of the row also after a renewal', 'user', 'access_denied'],
  ])('is %s', async (_what, userId, expected) => {
    const { db, clock, secrets } = service.deps
    const { bulkId, ...link } = await newLink({})
    const columns = { claims: null, externalId: 'number', userId }
    await db.tx((tx) => tx.update(bulkIssuances).set({ columns }).where(eq(bulkIssuances.id, bulkId)))
    const { wallet, code } = await signIn(await press(link), 'ada')
    expect(await wallet.redeem(code)).toMatchObject({ status: 200 })
    const [at, which] = [clock.now(), { bulkId, row: 1, expiresAt: plusMs(clock.now(), dayMs) }]
    const renewed = await db.tx((tx) => renewClaimLink(tx, { ...service, sealedSecret: null }, which, { secrets, at }))
    expect(await collect(renewed!, 'grace')).toBe(expected)
  })

  test('collects for the user of the row if a claim decides', async () => {
    const { body: user } = await service.operator.post('/v1/users', { claims: {} })
    const by = { claim: 'email', rowClaim: 'claims.email' }
    const claims = { given_name: 'A', email: 'ada@example.org' }
    const link = await newLink(by, { userId: user.id, claims })
    expect(await collect(link, 'ada')).toBe(200)
    expect((await service.operator.get(`/v1/users/${user.id}/credentials`)).body.data).toHaveLength(1)
  })
})

describe('a bulk issuance with a sign-in', () => {
  test('makes links for the people of its rows', async () => {
    const signInBy = JSON.stringify({ claim: 'email', acceptUnverified: true })
    const content = 'number,given_name,email\n1,Ada,ada@example.org\n2,Eve,\n'
    const { status, body } = await uploadTo(
      service.operator,
      '/v1/bulk-issuances',
      ['file', csvFile(content)],
      ...bulkFields(configurationId, { mode: 'links', signIn: signInBy }),
    )
    expect(status).toBe(202)
    const path = `/v1/bulk-issuances/${body.id}`
    const bulk = await eventually(async () => {
      const { body } = await service.operator.get(path)
      return body.state === 'done' && body
    })
    expect(bulk).toMatchObject({
      signIn: { claim: 'email', rowClaim: 'claims.email', acceptUnverified: true },
      valid: 1,
      invalid: 1,
    })
    const { body: rows } = await service.operator.get(`${path}/rows?state=invalid`)
    expect(rows.data).toMatchObject([{ row: 2, column: 'email', code: 'missing_claim' }])
    const { body: results } = await service.operator.get(`${path}/results`, { accept: 'application/jsonl' })
    const { link: address } = typeof results === 'string' ? JSON.parse(results) : results
    expect(await collect({ address }, 'grace')).toBe('access_denied')
    expect(await collect({ address }, 'ada')).toBe(200)
    const { body: collected } = await service.operator.get(`${path}/rows?state=collected`)
    expect(await subjectOf(collected.data[0].userId)).toBe('ada')
  })
})
