import { globSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newEcosystem, newListed, newType } from '../api/ecosystems/factories.ts'
import { ecosystemCas, iacas, newEcosystemCa, newIaca, signersPath } from '../certificates/hierarchy.ts'
import { newOpensslAuthority } from '../certificates/openssl-authority.ts'
import { authority, source, trusted, wallet, walletProviders, webhook } from '../harness/audited-samples.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../harness/factories.ts'
import type { Service } from '../harness/harness.ts'
import { bulkFields, csvFile, pdf, uploadTo } from '../harness/uploads.ts'
import { newWallet } from '../wallets/wallet.ts'
import { type Console, startConsole } from './console.ts'

// The longest text that fits into the shortest name field.
const markup = '"><script>x()</script><img src=x onerror=x()>'
const stored = `${markup} 1`
const typed = `${markup} 2`
const sweepScript = readFileSync(new URL('./sweep.js', import.meta.url), 'utf8')

/** The result of `sweep` in the script. */
interface Swept {
  forms: string[]
  ways: string[]
  isShown: boolean
  /** Elements that typed or stored text became. */
  made: string[]
}

interface Area {
  name: string
  addresses: string[]
  /** The number of forms in the source of the area. A form without a class only asks for confirmation. */
  forms: number
}

/** Reads the areas from their source, because they are modules of the browser. */
function areasOf(host: 'tenant' | 'platform'): Area[] {
  const screens = new URL('../../api/console/app/screens/', import.meta.url).pathname
  return globSync('*/area.ts', { cwd: screens }).flatMap((file) => {
    const text = readFileSync(screens + file, 'utf8')
    const name = file.split('/')[0] ?? ''
    const addresses = [...text.matchAll(/'(\/[^']*)': \(\) =>/g)].map(([, address = '']) => address)
    const sources = globSync(`${name}/**/*.tsx`, { cwd: screens }).map((each) => readFileSync(screens + each, 'utf8'))
    const forms = sources.join('\n').match(/<(Form|FormButton|form\s+class)\b/g)?.length ?? 0
    return text.includes(`host: '${host}'`) ? [{ name, addresses, forms }] : []
  })
}

/**
 * Gives every editable name in the service a value with markup. Returns the addresses to visit, by address pattern of
 * the console.
 */
async function nameAllByMarkup(service: Service): Promise<Record<string, string[]>> {
  const { operator, platform, id } = service
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await operator.post(path, body)
    expect(answer).toMatchObject({ status: 201 })
    return answer.body.id
  }
  /** Makes a signer that waits for its certificate, because its root is external. */
  const newRequest = async (roots: string, named: string, signers: string) => {
    const root = await make(roots, { certificatePem: (await newOpensslAuthority()).pem })
    await operator.put(`${roots}/${root}`, { active: true })
    return make(signers, { [named]: root })
  }
  const compact = await compactConfiguration(service, {
    revocable: true,
    display: [{ name: stored, description: stored }],
  })
  const web = await webConfiguration(service, { name: stored, description: stored, issuer: { name: stored } })
  const claims = { given_name: stored }
  const userId = await make('/v1/users', { claims })
  const { id: offer, uri } = await newOffer(service, [compact], { userId, claims })
  const holder = await newWallet(service, service.origin, uri)
  await holder.redeem()
  await holder.requestCredential()
  const coded = await newOffer(service, [web], {
    userId,
    claims,
    transactionCodeConfiguration: { description: stored },
  })
  const shared = await operator.post('/v1/openid/offers', { credentials: [compact] })
  const iaca = await newIaca(service, { commonName: stored })
  const root = await newEcosystemCa(service, { commonName: stored })
  const signer = await newRequest(iacas, 'iacaId', signersPath('document-signer'))
  await newRequest(ecosystemCas, 'caId', signersPath('vical-signer'))
  const ecosystem = await newEcosystem(service, { name: stored })
  const credentialId = await newType(service, ecosystem, { name: stored })
  const participant = await newListed(service, ecosystem, 'issuer', { name: stored, credentialId })
  await uploadTo(operator, `${participant}/evidences`, ['fileDescription', stored], ['file', pdf()])
  await make(trusted, await authority(stored))
  await make('/v1/claim-sources', { ...source('x'), name: stored })
  await make('/v1/openid/clients', wallet(stored))
  await make(walletProviders, await authority(stored))
  const inbox = await make('/v1/messaging/inboxes', { name: stored })
  await make('/v1/holder/applications', { type: 'ios', name: stored, bundleId: 'org.example', teamId: 'A1B2C3D4E5' })
  const template = { name: stored, domain: 'shop.example', query: [{ type: 'DIDAuth' }] }
  await make('/v2/credentials/web-semantic/presentations/templates', template)
  const hook = await make('/v1/webhooks', webhook('x'))
  await make(`/v1/tenants/${id}/clients`, { name: stored, roles: ['auditor'] })
  await platform.put(`/v1/tenants/${id}`, { name: stored, branding: { names: [{ name: stored, locale: 'en' }] } })
  // A row without a name, whose id is markup.
  const file = csvFile(`number,given_name\n"${stored.replaceAll('"', '""')}",\n`)
  const bulk = await uploadTo(operator, '/v1/bulk-issuances', ['file', file], ...bulkFields(compact))
  const own = ecosystem.replace('/v1', '')
  return {
    '/offers/new': [`/offers/new?credentials=${compact}`, `/offers/new?credentials=${compact}&for=anybody`],
    '/offers/:id': [`/offers/${offer}`],
    '/bulk/person': [`/bulk/person?configuration=${compact}`],
    '/bulk/new': [`/bulk/new?configuration=${compact}`],
    '/bulk/:id': [`/bulk/${bulk.body.id}`],
    '/users/:id': [`/users/${userId}`],
    '/configurations/:profile/:id': [`/configurations/compact/${compact}`, `/configurations/web-semantic/${web}`],
    '/certificates/:kind/:id': [`/certificates/iaca/${iaca.id}`, `/certificates/document-signer/${signer}`],
    '/certificates/ecosystem-ca/:id': [`/certificates/ecosystem-ca/${root.id}`],
    '/ecosystems/:id': [own],
    '/ecosystems/:id/participants/new': [`${own}/participants/new`],
    '/ecosystems/:id/participants/:participantId': [participant.replace('/v1', '')],
    '/messages/:id': [`/messages/${inbox}`],
    '/webhooks/:id': [`/webhooks/${hook}`],
    '/wallet': ['/wallet', ...[coded.uri, shared.body.uri].map((offer) => `/wallet#${new URLSearchParams({ offer })}`)],
    '/tenants/:id': [`/tenants/${id}`],
  }
}

/** Addresses that differ only in ids or templates are one kind. */
const kindOf = (address: string) => address.replaceAll(/=[\da-f]{8}-[\w-]+|profile=[\w-]+&?|(?<=from=)[\w-]+/g, '')

describe('markup', { tags: 'chromium' }, () => {
  let opened: Console
  let places: Record<string, string[]>
  beforeAll(async () => {
    opened = await startConsole({ roles: ['signing'] })
    places = await nameAllByMarkup(opened.service)
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  /** Visits every address of an area with its tabs. Returns the forms and the addresses that show the stored names. */
  async function sweepArea(page: Page, { addresses }: Area) {
    const forms = new Set<string>()
    const showing: string[] = []
    const seen = new Set<string>()
    const ways = addresses.flatMap((each) => places[each] ?? (each.includes(':') ? [] : [each]))
    const todo = ways.map((each) => `/console${each}`)
    // The first address loads the code of the area.
    await page.goto(new URL(todo[0] ?? '', page.url()).href)
    for (const address of todo) {
      if (seen.has(kindOf(address))) continue
      seen.add(kindOf(address))
      // JSON escapes quotes. The text without its first character also matches in JSON.
      const given = [address, typed, stored.slice(1)].map((each) => JSON.stringify(each))
      const swept = (await page.evaluate(`sweep(${given})`)) as Swept
      expect(swept.made).toEqual([])
      for (const form of swept.forms) forms.add(form)
      if (swept.isShown) showing.push(address)
      todo.push(...swept.ways)
    }
    return { forms, showing }
  }

  test.each([
    [
      'tenant',
      [
        'access',
        'bulk',
        'certificates',
        'configurations',
        'credentials',
        'ecosystems',
        'events',
        'messages',
        'offers',
        'overview',
        'settings',
        'users',
        'verification',
        'wallet',
      ],
    ],
    ['platform', ['tenants']],
  ] as const)(
    'is shown as text in every form and view on the host of the %s',
    { timeout: 300_000 },
    async (host, named) => {
      const { open, faults } = opened
      // Other tests check the layout. A small viewport takes a third less time to draw.
      const page = await open('/', { viewport: { width: 320, height: 120 }, ...(host === 'platform' && { host }) })
      await page.addInitScript(sweepScript)
      const showing: string[] = []
      for (const area of areasOf(host)) {
        const found = await sweepArea(page, area)
        expect(found.forms.size, [area.name, ...found.forms].join('\n')).toBeGreaterThanOrEqual(area.forms)
        if (found.showing.length > 0) showing.push(area.name)
      }
      expect(showing.sort()).toEqual(named)
      expect(faults).toEqual([])
    },
  )
})
