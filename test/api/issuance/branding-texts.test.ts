import { beforeAll, expect, test } from 'vitest'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'

let service: SharedService
let page: string
beforeAll(async () => {
  service = await joinService()
  page = new URL((await newOffer(service, [await compactConfiguration(service)])).page).pathname
})

const textsOf = (texts: object[], branding = {}) =>
  service.operator.put('/v1/settings', { branding: { texts, ...branding } })
const open = async (path: string, language: string): Promise<string> =>
  (await service.anonymous.get(path, { accept: 'text/html', 'accept-language': language })).body

test('pages show the texts of the tenant in the language of the reader, escaped', async () => {
  const german = { locale: 'de', heading: 'Ihr Ausweis <b>', advice: 'Für die Bibliothek', contact: 'Büro & Schalter' }
  const others = { heading: 'Your card', contact: 'Student office' }
  expect(await textsOf([german, others], { contact: 'mailto:help@example.org' })).toMatchObject({
    status: 200,
    body: { branding: { texts: [german, others] } },
  })
  const inGerman = await open(page, 'de-CH')
  expect(inGerman).toContain('<h1><span lang="de">Ihr Ausweis &#60;b&#62;</span></h1>')
  expect(inGerman).toContain('<p><span lang="de">Für die Bibliothek</span></p>')
  expect(inGerman).toContain('Kontakt: <span lang="de">Büro &#38; Schalter</span> <a href="mailto:help@example.org"')
  const inItalian = await open(page, 'it')
  expect(inItalian).toContain('<h1>Your card</h1>')
  expect(inItalian).toContain('Contatto: Student office <a href="mailto:help@example.org"')
  expect(await open('/o/unknown', 'fr')).toContain('Contact : Student office <a href')
})

test('a page without a text of the tenant shows its own, and the name of the tenant as the contact', async () => {
  await textsOf([{ locale: 'de', heading: 'Ihr Ausweis' }])
  const { name } = (await service.operator.get('/v1/settings')).body
  const inEnglish = await open(page, 'en')
  expect(inEnglish).toContain('<h1>A credential for you</h1>')
  expect(inEnglish).toContain(`<p class="help">Contact: ${name}</p>`)
})

test.each([
  ['Harbour University', 'HU'],
  ['University of Porto', 'UP'],
  ['école', 'É'],
])('a page without a logo shows the initials of the tenant: %s', async (name, initials) => {
  const { name: before } = (await service.operator.get('/v1/settings')).body
  await service.operator.put('/v1/settings?partial=true', { name })
  expect(await open(page, 'en')).toContain(`<p class="initials" aria-hidden="true">${initials}</p>`)
  await service.operator.put('/v1/settings?partial=true', { name: before })
})

test.each([
  ['a heading of more than 100 characters', [{ heading: 'x'.repeat(101) }], 'branding.texts.0.heading'],
  ['advice of more than 500 characters', [{ advice: 'x'.repeat(501) }], 'branding.texts.0.advice'],
  ['a contact of more than 200 characters', [{ contact: 'x'.repeat(201) }], 'branding.texts.0.contact'],
  ['two entries for a language', [{ locale: 'de' }, { locale: 'de' }], 'branding.texts'],
])('%s is refused', async (_, texts, param) => {
  expect(await textsOf(texts)).toMatchObject({ status: 400, body: { details: [{ param }] } })
})
