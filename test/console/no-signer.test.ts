import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newIaca } from '../certificates/hierarchy.ts'
import { compactConfiguration, mdlConfiguration, sdJwtConfiguration } from '../harness/factories.ts'
import { type Console, checkInBothLanguages, startConsole } from './console.ts'

describe('configurations whose credentials no certificate can sign', { tags: 'chromium' }, () => {
  let opened: Console
  beforeAll(async () => {
    opened = await startConsole()
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  test('the forms of offers, claim links and bulk issuances warn about them, with a link, until a root is active', async () => {
    const { service, open, faults } = opened
    const card = await sdJwtConfiguration(service, { name: 'Card' })
    const compact = await compactConfiguration(service)
    const licence = await mdlConfiguration(service)
    const warning = 'No certificate can sign:'
    const page = await open(`/offers/new?credentials=${compact},${card},${licence}`)
    const note = page.getByRole('status').filter({ hasText: warning })
    expect(await note.innerText()).toContain('Card')
    expect(await note.getByRole('link').getAttribute('href')).toBe('/console/certificates')
    await checkInBothLanguages(page, 'offers-no-signer')
    const upload = await open(`/bulk/new?mode=links&configuration=${card}`)
    await upload.getByText(warning).waitFor()
    const link = await open(`/bulk/person?configuration=${card}`)
    await link.getByText(warning).waitFor()
    const plain = await open(`/offers/new?credentials=${compact}`)
    await plain.getByRole('button', { name: 'Create the offer' }).waitFor()
    expect(await plain.getByText(warning).count()).toBe(0)

    await newIaca(service)
    await upload.reload()
    await upload.getByText('Table of people').waitFor()
    expect(await upload.getByText(warning).count()).toBe(0)
    await page.getByText(warning).waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })
})
