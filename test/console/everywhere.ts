import { globSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { newEcosystem, newListed, newType } from '../api/ecosystems/factories.ts'
import { ecosystemCas, iacas, newEcosystemCa, newIaca, signersPath } from '../certificates/hierarchy.ts'
import { newOpensslAuthority } from '../certificates/openssl-authority.ts'
import { authority, source, trusted, wallet, walletProviders, webhook } from '../harness/audited-samples.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../harness/factories.ts'
import type { Service } from '../harness/harness.ts'
import { bulkFields, csvFile, pdf, uploadTo } from '../harness/uploads.ts'
import { newWallet } from '../wallets/wallet.ts'

/** A folder of screens. */
export interface Area {
  name: string
  addresses: string[]
  /** The number of forms in the source of the area. A form without a class only asks for confirmation. */
  forms: number
}

/** Reads the areas from their source, because they are modules of the browser. */
export function areasOf(host: 'tenant' | 'platform'): Area[] {
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
 * Creates an object of each kind, and gives every editable name in the service the value `name`. Returns the addresses to visit, by address
 * pattern of the console.
 */
export async function nameAll(service: Service, name: string): Promise<Record<string, string[]>> {
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
    display: [{ name, description: name }],
  })
  const web = await webConfiguration(service, { name, description: name, issuer: { name } })
  const claims = { given_name: name }
  const userId = await make('/v1/users', { claims, label: name })
  const { id: offer, uri } = await newOffer(service, [compact], { userId, claims, label: name })
  const holder = await newWallet(service, service.origin, uri)
  await holder.redeem()
  await holder.requestCredential()
  const coded = await newOffer(service, [web], {
    userId,
    claims,
    label: name,
    transactionCodeConfiguration: { description: name },
  })
  const shared = await operator.post('/v1/openid/offers', { credentials: [compact], label: name })
  const iaca = await newIaca(service, { commonName: name })
  const root = await newEcosystemCa(service, { commonName: name })
  const signer = await newRequest(iacas, 'iacaId', signersPath('document-signer'))
  await newRequest(ecosystemCas, 'caId', signersPath('vical-signer'))
  const ecosystem = await newEcosystem(service, { name })
  const credentialId = await newType(service, ecosystem, { name })
  const participant = await newListed(service, ecosystem, 'issuer', { name, credentialId })
  await uploadTo(operator, `${participant}/evidences`, ['fileDescription', name], ['file', pdf()])
  await make(trusted, await authority(name))
  await make('/v1/claim-sources', { ...source('x'), name })
  await make('/v1/openid/clients', wallet(name))
  await make(walletProviders, await authority(name))
  const inbox = await make('/v1/messaging/inboxes', { name })
  await make('/v1/holder/applications', { type: 'ios', name, bundleId: 'org.example', teamId: 'A1B2C3D4E5' })
  const template = { name, domain: 'shop.example', query: [{ type: 'DIDAuth' }] }
  await make('/v2/credentials/web-semantic/presentations/templates', template)
  const hook = await make('/v1/webhooks', webhook('x'))
  await make(`/v1/tenants/${id}/clients`, { name, roles: ['auditor'] })
  await platform.put(`/v1/tenants/${id}`, { name, branding: { names: [{ name, locale: 'en' }] } })
  // A row without a name, whose id is markup.
  const file = csvFile(`number,given_name\n"${name.replaceAll('"', '""')}",\n`)
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
