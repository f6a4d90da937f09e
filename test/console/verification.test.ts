import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { qrPng } from '../../api/issuance/offer-page/qr.ts'
import { newIaca } from '../certificates/hierarchy.ts'
import { signed } from '../harness/signing.ts'
import { type Console, checkInBothLanguages, startConsole } from './console.ts'

const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

/** A camera that shows an empty picture, and a detector that reads a text in it. */
const fakeCamera = (text: string) => `
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = document.createElement('canvas')
    canvas.getContext('2d').fillRect(0, 0, 9, 9)
    return (globalThis.stream = canvas.captureStream(9))
  }
  globalThis.BarcodeDetector = class { async detect() { return [{ rawValue: ${JSON.stringify(text)} }] } }
`

describe('verification', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
    await newIaca(opened.service)
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  /** The results of the checks by name. */
  const checksOf = async (page: Page): Promise<string[]> => {
    await page.locator('.checks').waitFor()
    return page.locator('.checks li').allInnerTexts()
  }
  const verify = async (page: Page, text: string): Promise<string[]> => {
    await page.getByLabel('Credential or presentation').fill(text)
    await page.getByLabel('Credential or presentation').press('Tab')
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    return checksOf(page)
  }

  test('a verifier pastes, drops and scans credentials and sees each check', async () => {
    const { service, open, faults } = opened
    const input = { payload: { type: canary, given_name: canary }, revocable: true }
    const compact = await signed(service, 'compact', input)
    const semantic = await signed(service, 'compact-semantic')
    const revoked = await signed(service, 'compact-semantic', { revocable: true, isRevoked: true })
    const page = await open('/verification', { roles: ['verifier'] })

    const rows = await verify(page, ` ${compact.encoded}\n`)
    await page.getByText('Verified: all checks passed').waitFor()
    expect(rows).toHaveLength(7)
    expect(rows.every((row) => row.startsWith('passed'))).toBe(true)
    await page.locator('.json').getByText(canary).first().waitFor()
    await checkInBothLanguages(page, 'verification')

    await page.getByLabel('Accepted issuers').fill('did:web:other.example')
    expect(await verify(page, compact.encoded)).toEqual([
      expect.stringMatching(/^passed/),
      expect.stringMatching(/^failed The issuer is accepted\s+The issuer is not trusted/),
      ...Array(5).fill(expect.stringMatching(/^not checked/)),
    ])
    await page.getByLabel('Accepted issuers').fill('')
    expect((await verify(page, revoked.encoded)).at(-1)).toMatch(/^failed It is not revoked/)
    await page.getByLabel('Check its status').uncheck()
    expect((await verify(page, revoked.encoded)).at(-1)).toMatch(/^not checked/)

    const file = page.locator('input[type=file]').first()
    const dropped = Buffer.from(semantic.encoded)
    await file.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: dropped })
    await expect.poll(() => page.getByLabel('Credential or presentation').inputValue()).toBe(semantic.encoded)
    const picture = Buffer.from(qrPng(semantic.encoded))
    await file.setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: picture })
    await page.getByRole('button', { name: 'Verify: code.png' }).press('Enter')
    expect((await checksOf(page)).every((row) => row.startsWith('passed'))).toBe(true)
    await page.getByText('"VerifiableCredential"').first().waitFor()

    const scanning = await page.context().newPage()
    await scanning.addInitScript(fakeCamera(compact.encoded))
    await scanning.goto(page.url())
    await scanning.getByRole('button', { name: 'Scan a QR code' }).click()
    await expect.poll(() => scanning.getByLabel('Credential or presentation').inputValue()).toBe(compact.encoded)
    expect(await scanning.evaluate('stream.getTracks().every((track) => track.readyState === "ended")')).toBe(true)
    expect(faults).toEqual([])
  })

  test('an SD-JWT VC, a web semantic credential and a presentation have their own fields', async () => {
    const { service, open, faults } = opened
    const tree = { vct: 'urn:example:pass', claimMappings: { given_name: { mapFrom: 'claims.given_name' } } }
    const body = { ...tree, claims: { given_name: canary } }
    const { encoded } = (await service.operator.post('/v2/credentials/sd-jwt/sign', body)).body
    const { credential: web } = await signed(service, 'web-semantic')
    const page = await open('/verification', { roles: ['verifier'], locale: 'en-GB' })
    expect(await verify(page, encoded)).toHaveLength(8)
    await page.getByText('Verified: all checks passed').waitFor()
    await page.getByLabel('Nonce of the request').fill('n-1')
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByText('Please fill this in').waitFor()
    await page.getByLabel('Audience of the request').fill('https://verifier.example')
    expect((await verify(page, encoded)).at(-1)).toMatch(/^failed The holder has the key/)
    expect((await verify(page, `${encoded.slice(0, -9)}~`))[0]).toMatch(/^failed The input is well-formed/)

    expect((await verify(page, JSON.stringify(web)))[3]).toMatch(/^passed The signature is valid/)
    const presentation = { type: ['VerifiablePresentation'], verifiableCredential: [web] }
    await page.getByLabel('Credential or presentation').fill(JSON.stringify(presentation))
    await page.getByLabel('Challenge of the request').fill('c-1')
    await page.getByLabel('Domain of the request').fill('shop.example')
    expect((await verify(page, JSON.stringify(presentation)))[0]).toMatch(/^failed/)
    await page.getByText('Not verified').waitFor()
    await page.getByLabel('Credential or presentation').fill('Hello')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByText('The text is no credential').waitFor()

    const refused = await open('/verification', { roles: ['issuer'], locale: 'de-DE' })
    await refused.getByText('Ihre Rollen erlauben diese Seite nicht').waitFor()
    expect(faults).toEqual([])
  })
})
