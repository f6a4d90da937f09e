import { eq } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findClaimLink } from '../../../db/repos/issuance/claim-links/claim-links.ts'
import { revokeClaimLinks } from '../../../db/repos/issuance/claim-links/claim-links-of-bulk.ts'
import type { MadeClaimLink } from '../../../db/repos/issuance/claim-links/new-claim-links.ts'
import { renewClaimLink } from '../../../db/repos/issuance/claim-links/renewed-claim-links.ts'
import { claimLinks } from '../../../db/tables/issuance/claim-links.ts'
import { offers } from '../../../db/tables/issuance/offers.ts'
import { dayMs, plusMs } from '../../../shared/clock.ts'
import { newClaimLink } from '../../harness/claim-links.ts'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { type Service, startService } from '../../harness/harness.ts'
import { withOtherEnd } from '../../harness/with-other-end.ts'
import { newWallet, preAuthorizedGrant } from '../../wallets/wallet.ts'

let service: Service
let configurationId: string
const logged: string[] = []

beforeAll(async () => {
  service = await startService({ log: pino({ level: 'trace' }, { write: (line) => logged.push(line) }) })
  configurationId = await compactConfiguration(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const pathOf = ({ address }: Pick<MadeClaimLink, 'address'>) => new URL(address).pathname
const newLink = (extra?: Parameters<typeof newClaimLink>[3]) => newClaimLink(service, service, [configurationId], extra)
const get = (link: MadeClaimLink, headers?: Record<string, string>) => service.anonymous.get(pathOf(link), headers)
const stateOf = async (link: MadeClaimLink) => (await service.anonymous.get(`${pathOf(link)}/state`)).body.state
const storedState = async ({ id }: MadeClaimLink) => (await findClaimLink(service.deps.db.read, service.id, id))?.state
const countOffers = () => service.deps.db.read.$count(offers, undefined)
/** Presses the button of the page. */
const press = (link: MadeClaimLink) => service.anonymous.post(pathOf(link))

/** Returns the offer URI of the page, as a browser reads it. */
function offerIn(html: string): string {
  const [, link = ''] = /<a class="action[^>]* href="([^"]*)"/.exec(html) ?? []
  return link.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

/** Counts the credentials of the user of a link. */
async function countCredentials({ id }: MadeClaimLink): Promise<number> {
  const { userId } = (await findClaimLink(service.deps.db.read, service.id, id)) ?? {}
  return (await service.operator.get(`/v1/users/${userId}/credentials`)).body.data.length
}

/** Opens the link and returns the URI of its fresh offer. */
async function openLink(link: MadeClaimLink): Promise<string> {
  expect(await press(link)).toMatchObject({ status: 303, headers: { location: pathOf(link) } })
  const uri = offerIn((await get(link)).body)
  expect(uri).toContain('openid-credential-offer')
  return uri
}

const walletOf = (uri: string) => newWallet(service, service.origin, uri)

describe('the page of a claim link', () => {
  test('uses nothing up: a GET makes no offer, however often', async () => {
    const link = await newLink()
    const before = await countOffers()
    for (let count = 0; count < 5; count++) {
      const { status, body } = await get(link)
      expect(status).toBe(200)
      expect(body).toContain('<form method="post"><button class="action screen">Continue</button></form>')
      expect(body).not.toMatch(/openid-credential-offer|data-offer|<svg|<time data-left/)
      expect(await stateOf(link)).toBe('ready')
      expect(await service.anonymous.send('HEAD', pathOf(link))).toMatchObject({ status: 200, body: undefined })
    }
    expect(await countOffers()).toBe(before)
    expect(await storedState(link)).toBe('open')
  })

  test('is not cached or indexed, sends no referrer, and sends forms only to its host', async () => {
    const link = await newLink()
    for (const { headers } of [await get(link), await press(link)]) {
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    }
    const { headers, body } = await get(link)
    expect(headers).toMatchObject({ 'x-robots-tag': 'noindex, nofollow, noarchive', vary: 'Accept-Language' })
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self' data:; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    )
    expect(body).not.toMatch(/<script(?! src)| on\w+=| style=|https?:\/\/(?!www\.w3\.org)(?!127\.0\.0\.1)/)
  })

  test('makes a fresh offer each time until one is collected, and ends the offer before', async () => {
    const link = await newLink()
    const first = await walletOf(await openLink(link))
    const uri = await openLink(link)
    expect(await stateOf(link)).toBe('offered')
    expect(await first.redeem()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    const second = await walletOf(uri)
    expect(await second.redeem()).toMatchObject({ status: 200 })
    expect(await stateOf(link)).toBe('opened')
    expect((await get(link)).body).toContain('>Start again</button>')
    // The wallet was lost: the person starts again with another one.
    const third = await walletOf(await openLink(link))
    expect(await second.requestCredential()).toMatchObject({ status: 401 })
    expect(await third.collect()).toMatchObject({ status: 200 })
    expect([await stateOf(link), await storedState(link)]).toEqual(['collected', 'collected'])
    const before = await countOffers()
    expect(await press(link)).toMatchObject({ status: 303 })
    expect(await countOffers()).toBe(before)
    const { body } = await get(link)
    expect(body).toMatch(/<div data-when="collected"><h2>Done<\/h2>/)
    expect(body).not.toMatch(/openid-credential-offer|data-offer|<svg/)
  })

  test('issues the claims of the link, to its user or to one new user', async () => {
    const { body: user } = await service.operator.post('/v1/users', { claims: {} })
    for (const userId of [undefined, user.id]) {
      const link = await newLink(userId ? { userId } : {})
      await openLink(link)
      const opened = await findClaimLink(service.deps.db.read, service.id, link.id)
      const uri = await openLink(link)
      expect((await findClaimLink(service.deps.db.read, service.id, link.id))?.userId).toBe(opened?.userId)
      if (userId) expect(opened?.userId).toBe(userId)
      expect(await (await walletOf(uri)).collect()).toMatchObject({ status: 200 })
      expect(await countCredentials(link)).toBe(1)
    }
  })

  test('shows a link that has expired, and an offer that expired can be made again', async () => {
    const link = await newLink({ expiresAt: plusMs(service.clock.now(), dayMs) })
    await openLink(link)
    service.clock.advance(11 * 60_000)
    expect(await stateOf(link)).toBe('ready')
    const wallet = await walletOf(await openLink(link))
    service.clock.advance(dayMs)
    expect(await stateOf(link)).toBe('expired')
    expect((await get(link)).body).toMatch(/<div data-when="expired"><h2>This link has expired<\/h2>/)
    expect(await press(link)).toMatchObject({ status: 303 })
    expect(await stateOf(link)).toBe('expired')
    expect(await wallet.redeem()).toMatchObject({ status: 400 })
    service.clock.advance(-dayMs - 11 * 60_000)
  })

  test('has no offer that outlives the link', async () => {
    const link = await newLink({ expiresAt: plusMs(service.clock.now(), 60_000) })
    await openLink(link)
    expect((await get(link)).body).toMatch(/data-left="[1-5]?\d{4}"/)
  })

  test('shows a link that is revoked, and none for the old secret of a renewed link', async () => {
    const link = await newLink()
    const wallet = await walletOf(await openLink(link))
    expect(await wallet.redeem()).toMatchObject({ status: 200 })
    const { db, secrets, clock } = service.deps
    const { bulkId, row } = link
    await db.tx((tx) => revokeClaimLinks(tx, service.id, bulkId, { rows: [row] }, clock.now()))
    expect(await wallet.requestCredential()).toMatchObject({ status: 401 })
    expect(await stateOf(link)).toBe('revoked')
    expect((await get(link)).body).toMatch(/<div data-when="revoked"><h2>This link is no longer valid<\/h2>/)
    expect(await press(link)).toMatchObject({ status: 303 })
    expect(await stateOf(link)).toBe('revoked')
    const expiresAt = plusMs(clock.now(), dayMs)
    const renewed = await db.tx((tx) =>
      renewClaimLink(tx, { ...service, sealedSecret: null }, { bulkId, row, expiresAt }, { secrets, at: clock.now() }),
    )
    expect(await get(link)).toMatchObject({ status: 404 })
    expect(await press(link)).toMatchObject({ status: 404 })
    expect(await (await walletOf(await openLink(renewed as MadeClaimLink))).collect()).toMatchObject({ status: 200 })
  })

  test('shows a link whose configuration was deleted as no longer valid', async () => {
    const deleted = await compactConfiguration(service)
    const link = await newClaimLink(service, service, [deleted])
    await service.operator.delete(`/v2/credentials/compact/configurations/${deleted}`)
    expect(await press(link)).toMatchObject({ status: 303 })
    expect(await stateOf(link)).toBe('revoked')
    expect(await storedState(link)).toBe('open')
  })

  test('is in the language of the reader', async () => {
    const { body } = await get(await newLink(), { 'accept-language': 'de-AT,de;q=0.9' })
    for (const text of ['<html lang="de">', 'Mit Ihrer Wallet fortfahren', 'Dieser Link ist gültig bis'])
      expect(body).toContain(text)
  })

  test.each([
    ['en', 'Step 1 of 2', '2 steps', 'Step 2 of 2'],
    ['de', 'Schritt 1 von 2', '2 Schritte', 'Schritt 2 von 2'],
    ['es', 'Paso 1 de 2', '2 pasos', 'Paso 2 de 2'],
    ['fr', 'Étape 1 sur 2', '2 étapes', 'Étape 2 sur 2'],
    ['it', 'Passaggio 1 di 2', '2 passaggi', 'Passaggio 2 di 2'],
  ])('says in %s how many steps there are, and which one it is', async (language, first, count, second) => {
    const link = await newLink()
    const inLanguage = { 'accept-language': language }
    const { body: opened } = await get(link, inLanguage)
    expect(opened).toContain(`<p class="step">${first}</p>`)
    expect(opened).toContain(`<p>${count}`)
    await press(link)
    const { body: offered } = await get(link, inLanguage)
    expect(offered).toContain(`<div class="ways">\n<p class="step">${second}</p>`)
  })
})

test('the page has the contact of the tenant, which can be a page or an email address only', async () => {
  const tenant = await service.addTenant({ branding: { contact: 'mailto:help@example.org' } })
  const link = await newClaimLink(service, tenant, [await compactConfiguration(tenant)])
  const { db, clock } = service.deps
  await db.tx((tx) => revokeClaimLinks(tx, tenant.id, link.bulkId, { rows: [1] }, clock.now()))
  const { page } = await newOffer(tenant, [await compactConfiguration(tenant)])
  const deadEnds = [pathOf(link), new URL(page).pathname, '/o/unknown.x', '/v1/oauth/authorize?client_id=unknown']
  for (const path of deadEnds) {
    const { body } = await tenant.anonymous.get(path, { accept: 'text/html' })
    expect(body).toContain('Contact: <a href="mailto:help@example.org" rel="noreferrer">help@example.org</a>')
  }
  for (const contact of ['javascript:alert(1)', 'http://example.org', 'help@example.org', 'data:text/html,x']) {
    const changed = await service.platform.put(`/v1/tenants/${tenant.id}?partial=true`, { branding: { contact } })
    expect(changed).toMatchObject({ status: 400, body: { details: [{ param: 'branding.contact' }] } })
  }
})

describe('a transaction code of a claim link', () => {
  test('is the same for all its offers and is on no page', async () => {
    const link = await newLink({ transactionCode: { description: 'In the letter' } })
    const code = link.transactionCode ?? ''
    expect(code).toMatch(/^\d{6}$/)
    const first = await walletOf(await openLink(link))
    expect(await first.redeem({ tx_code: code })).toMatchObject({ status: 200 })
    const second = await walletOf(await openLink(link))
    const { body } = await get(link)
    expect(body).toContain('<q>In the letter</q>')
    expect(body).not.toContain(code)
    expect(await second.redeem()).toMatchObject({ status: 400 })
    expect(await second.redeem({ tx_code: code })).toMatchObject({ status: 200 })
    expect(await second.requestCredential()).toMatchObject({ status: 200 })
  })

  test('can be guessed nine times with all offers of a link, and not more with fresh offers', async () => {
    const link = await newLink({ transactionCode: {} })
    const wrong = link.transactionCode === '000000' ? '000001' : '000000'
    for (let offer = 0; offer < 3; offer++) {
      const wallet = await walletOf(await openLink(link))
      for (let guess = 0; guess < 3; guess++) {
        expect(await wallet.redeem({ tx_code: wrong })).toMatchObject({ status: 400 })
      }
    }
    expect([await storedState(link), await stateOf(link)]).toEqual(['revoked', 'usedUp'])
    expect((await get(link)).body).toContain('The code was entered incorrectly too many times. Please ask the issuer')
    await press(link)
    expect(await stateOf(link)).toBe('usedUp')
  })
})

describe('the address of a claim link', () => {
  test('is not found with a wrong secret, by the id alone or at another tenant', async () => {
    const [link, other] = [await newLink(), await newLink()]
    const tenant = await service.addTenant()
    const path = pathOf(link)
    const swapped = `${path.slice(0, -22)}${pathOf(other).slice(-22)}`
    const changed = withOtherEnd(path)
    for (const wrong of [swapped, changed, `${path}x`, `/l/${link.id}`, `/l/${link.id}.`, '/l/x', '/l/%00']) {
      for (const found of [
        await service.anonymous.get(wrong),
        await service.anonymous.get(`${wrong}/state`),
        await service.anonymous.post(wrong),
      ])
        expect([400, 404]).toContain(found.status)
    }
    expect(await tenant.anonymous.get(path)).toMatchObject({
      status: 404,
      body: expect.stringContaining('<h1>This link is no longer valid</h1>'),
    })
    expect(await tenant.anonymous.post(path)).toMatchObject({ status: 404 })
    expect(await storedState(link)).toBe('open')
  })

  test('cannot be guessed: an address with too many wrong secrets is refused', async () => {
    const tenant = await service.addTenant({ limits: { failedSecretsPerMinute: 3 } })
    const id = await compactConfiguration(tenant)
    const link = await newClaimLink(service, tenant, [id])
    const guess = withOtherEnd(pathOf(link))
    const statuses = []
    for (let count = 0; count < 5; count++) statuses.push((await tenant.anonymous.get(guess)).status)
    expect(statuses).toEqual([404, 404, 404, 429, 429])
    expect(await tenant.anonymous.get(pathOf(link))).toMatchObject({ status: 200 })
  })

  test('is in no event and in no line of the log, and neither are claims and codes', async () => {
    const link = await newLink({ claims: { given_name: 'Augusta-Ada' } })
    const secret = pathOf(link).slice(-22)
    const uri = await openLink(link)
    expect(await (await walletOf(uri)).collect()).toMatchObject({ status: 200 })
    await press(link)
    for (const wrong of [`/l/${link.id}.x${secret}`, `/l/x${link.id}.${secret}/state`])
      await service.anonymous.get(wrong)
    const { offerId } = (await findClaimLink(service.deps.db.read, service.id, link.id)) ?? {}
    const steps = async () => {
      const { body } = await service.operator.get(`/v1/openid/offers/${offerId}/timeline`)
      return body.data.map(({ step }: { step: string }) => step)
    }
    await expect.poll(steps).toContain('claim link opened')
    const { body } = await service.operator.get('/v1/events?limit=1000')
    expect(JSON.stringify(body)).toContain('OPENID_CLAIM_LINK_OPEN_SUCCESS')
    const { grants } = JSON.parse(new URL(uri).searchParams.get('credential_offer') ?? '')
    const code = grants[preAuthorizedGrant]['pre-authorized_code']
    expect(logged.join('\n')).toContain('openClaimLink')
    for (const text of [JSON.stringify(body), logged.join('\n')]) {
      for (const hidden of [secret, 'Augusta-Ada', code]) expect(text).not.toContain(hidden)
    }
  })
})

describe('at the same time', () => {
  test('two people open a link: one offer is usable, and one credential is issued', async () => {
    for (let round = 0; round < 5; round++) {
      const link = await newLink()
      const pressed = await Promise.all([press(link), press(link), press(link)])
      expect(pressed.map(({ status }) => status)).toEqual([303, 303, 303])
      expect(await service.deps.db.read.$count(offers, eq(offers.claimLinkId, link.id))).toBe(1)
      const wallets = await Promise.all([await get(link), await get(link)].map(({ body }) => walletOf(offerIn(body))))
      const collected = await Promise.all(wallets.map((wallet) => wallet.collect()))
      // A second use of the code can revoke the token of the first. The person then starts again.
      const count = collected.filter(({ status }) => status === 200).length
      if (count === 0 && (await storedState(link)) !== 'collected')
        expect(await (await walletOf(await openLink(link))).collect()).toMatchObject({ status: 200 })
      expect(count).toBeLessThanOrEqual(1)
      expect(await storedState(link)).toBe('collected')
      expect(await countCredentials(link)).toBe(1)
    }
  })

  test('a link is opened while a wallet collects: exactly one credential is issued', async () => {
    for (let round = 0; round < 8; round++) {
      const link = await newLink()
      const first = await walletOf(await openLink(link))
      expect(await first.redeem()).toMatchObject({ status: 200 })
      const [collected] = await Promise.all([first.requestCredential(), press(link)])
      const state = await stateOf(link)
      if (collected.status === 200) expect(state).toBe('collected')
      else {
        const uri = state === 'offered' ? offerIn((await get(link)).body) : await openLink(link)
        expect(await (await walletOf(uri)).collect()).toMatchObject({ status: 200 })
      }
      expect(await countCredentials(link)).toBe(1)
    }
  })

  test.each<[string, { offerId?: string; state?: 'revoked' }]>([
    ['has a newer offer', { offerId: 'newer' }],
    ['is revoked', { state: 'revoked' }],
  ])('a token that is still valid gets nothing if the link %s', async (_what, changes) => {
    const link = await newLink()
    const wallet = await walletOf(await openLink(link))
    expect(await wallet.redeem()).toMatchObject({ status: 200 })
    await service.deps.db.tx((tx) => tx.update(claimLinks).set(changes).where(eq(claimLinks.id, link.id)))
    expect((await wallet.requestCredential()).status).not.toBe(200)
    expect(await countCredentials(link)).toBe(0)
    expect(await storedState(link)).toBe(changes.state ?? 'opened')
  })

  test('a link is revoked while it is opened and collected: a revoked link issues nothing', async () => {
    const { db, clock } = service.deps
    for (let round = 0; round < 8; round++) {
      const link = await newLink()
      const wallet = await walletOf(await openLink(link))
      expect(await wallet.redeem()).toMatchObject({ status: 200 })
      const revoking = db.tx((tx) => revokeClaimLinks(tx, service.id, link.bulkId, { rows: [1] }, clock.now()))
      const [collected, , revoked] = await Promise.all([
        wallet.requestCredential(),
        round % 2 ? press(link) : undefined,
        revoking,
      ])
      expect(await countCredentials(link)).toBe(collected.status === 200 ? 1 : 0)
      expect(await storedState(link)).toBe(collected.status === 200 ? 'collected' : 'revoked')
      expect(revoked).toBe(collected.status === 200 ? 0 : 1)
    }
  })
})

test('a claim link has a bulk issuance that operators can list', async () => {
  const { id } = await newLink()
  const bulkId = (await findClaimLink(service.deps.db.read, service.id, id))?.bulkId
  const { status, body } = await service.operator.get('/v1/bulk-issuances?limit=1000')
  expect(status).toBe(200)
  expect(body.data.map((each: { id: string }) => each.id)).toContain(bulkId)
})
