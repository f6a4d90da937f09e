import { gzipSync } from 'node:zlib'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { bulkFields, csvFile, uploadTo } from '../harness/uploads.ts'
import { type Console, checkScreen, savedBy, startConsole } from './console.ts'

const path = '/v1/bulk-issuances'
const canary = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

describe('bulk issuance', { tags: 'chromium' }, () => {
  let opened: Console
  let configurationId: string
  beforeAll(async () => {
    opened = await startConsole()
    const display = [{ name: 'Course certificate' }]
    configurationId = await compactConfiguration(opened.service, { revocable: true, display })
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
  })

  const choose = (page: Page, name: string, content: Buffer | string) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

  const previewed = (page: Page) => page.locator('.preview tbody tr').first().locator('td').allInnerTexts()

  async function upload(lines: string[], fields: Record<string, string> = {}): Promise<string> {
    const { operator } = opened.service
    const file = csvFile(`number,given_name\n${lines.join('\n')}\n`, fields.fileName)
    const { fileName: _, ...others } = fields
    const sent = await uploadTo(operator, path, ['file', file], ...bulkFields(configurationId, others))
    expect(sent.status).toBe(202)
    return sent.body.id
  }
  const stateOf = async (id: string) => (await opened.service.operator.get(`${path}/${id}`)).body.state

  test('from a spreadsheet to signed credentials with the console alone', async () => {
    const { service, open, faults } = opened
    const page = await open('/bulk', { locale: 'de-DE' })
    await page.getByText('Noch keine Datei').waitFor()
    await page.getByRole('link', { name: 'Datei hochladen' }).first().click()
    await page.getByLabel('Signierte Nachweise').check()
    await page.getByLabel('Course certificate').check()
    const template = await savedBy(page, () => page.getByRole('button', { name: 'Vorlage' }).click())
    expect(template.toString()).toContain('given_name')

    // A table as a spreadsheet saves it: UTF-16 with a byte order mark, semicolons, and a line break in a cell.
    const rows = ['1;Ada;a', `2;;"${canary.replaceAll('"', '""')}"`, '3;"Bob; ""B""";"two\r\nlines"', '3;Eve;c']
    const table = `\uFEFFMatrikelnummer;Vorname;Notiz\r\n${rows.join('\r\n')}\r\n`
    await choose(page, 'Studierende.csv', Buffer.from(table, 'utf16le'))
    await page.getByRole('heading', { name: 'Die ersten Zeilen' }).waitFor()
    expect(await previewed(page)).toEqual(['1', '1', 'Ada', 'a'])
    expect(await page.getByRole('combobox', { name: 'Vorname' }).inputValue()).toBe('claims.given_name')
    expect(await page.getByRole('combobox', { name: 'Notiz' }).inputValue()).toBe('')
    expect(await page.getByLabel('Ihre Kennung jeder Zeile').inputValue()).toBe('Matrikelnummer')
    await page.getByRole('combobox', { name: 'Vorname' }).selectOption('')
    await page.getByText('Keine Spalte für: given_name').waitFor()
    await page.getByRole('combobox', { name: 'Vorname' }).selectOption('claims.given_name')
    await page.getByLabel('Eine wiederholte Kennung').selectOption('skip')
    await checkScreen(page, 'bulk-new')
    await page.getByRole('button', { name: 'Hochladen' }).click()

    await page
      .getByText('Zeilen, die ausgestellt werden können: 2. Fehlerhafte Zeilen, die ausgelassen werden: 2.')
      .waitFor()
    await page.getByText('Ein Pflichtwert fehlt.').waitFor()
    await page.getByText('Eine frühere Zeile hat dieselbe Kennung.').waitFor()
    await page.getByText(`2 · – · ${canary}`).waitFor()
    // The English message of the service is in the tooltip. It is shown where it has more than the sentence.
    const missing = page.getByTitle('There is no value for the claim given_name. (missing_claim)')
    expect(await missing.innerText()).toBe('Ein Pflichtwert fehlt.')
    const repeated = page.getByTitle('(duplicate_external_id)')
    expect(await repeated.innerText()).toMatch(/^Eine frühere .* The external id is the same as in row 3\.$/)
    await checkScreen(page, 'bulk-ready')
    await page.getByRole('button', { name: 'Starten' }).click()
    await page.getByText('fertig', { exact: true }).waitFor()
    const saved = await savedBy(page, () => page.getByRole('button', { name: /^Ergebnisse als JSON Lines/ }).click())
    await checkScreen(page, 'bulk-done')
    const results = saved
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(results).toMatchObject([
      { row: 1, externalId: '1' },
      { row: 3, externalId: '3' },
    ])
    for (const { credential } of results) {
      const verified = await service.operator.post('/v2/credentials/compact/verify', { payload: credential })
      expect(verified.body).toMatchObject({ verified: true })
    }
    const csv = await savedBy(page, () => page.getByRole('button', { name: /^Ergebnisse als CSV/ }).click())
    expect(csv.toString()).toMatch(/^row,externalId,credentialId,credential\r\n1,1,/)
    await page.getByLabel('Zustand').selectOption('done')
    await page.locator('tbody tr').nth(1).waitFor()
    await page.getByRole('link', { name: 'Sammelausstellung' }).first().click()
    await page.getByRole('cell', { name: 'fertig' }).waitFor()
    await page.getByText('2 von 2').waitFor()
    await checkScreen(page, 'bulk-list')
    expect(faults).toEqual([])
  })

  test('the preview reads the tables that the service reads, and refuses other files', async () => {
    const { open, faults } = opened
    const page = await open(`/bulk/new?mode=sign&configuration=${configurationId}`)
    const long = Array.from({ length: 9_000 }, (_, at) => `${at};Person ${at}`).join('\n')
    const json = '{"Student number": 7, "given-name": "Ada", "address": {"city": "Ulm"}}\n{"extra": true}\n'
    const tables: [name: string, content: string | Buffer, shown: string[], given: string, id: string][] = [
      ['a.tsv', 'Id\tFirst name\n1\tAda\n', ['1', '1', 'Ada'], 'First name', 'Id'],
      ['a.csv', `\uFEFFnumber;"given;name"\n${long}`, ['1', '0', 'Person 0'], 'given;name', 'number'],
      ['a.jsonl', json, ['1', '7', 'Ada', '{"city":"Ulm"}', ''], 'given-name', 'Student number'],
      ['a.csv.gz', gzipSync(`GIVEN_NAME,nr\nAda,1\n${long}`), ['1', 'Ada', '1'], 'GIVEN_NAME', 'nr'],
      ['a.csv', 'sep=|\r\nnumber|given_name||\r\n\r\n 1 | Ada ||\r\n', ['2', '1', 'Ada'], 'given_name', 'number'],
      ['a.csv', Buffer.from('number,given_name\n1,Ä', 'utf16le').swap16(), ['1', '1', 'Ä'], 'given_name', 'number'],
    ]
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('Choose a file first.').waitFor()
    for (const [name, content, shown, given, id] of tables) {
      await choose(page, name, content)
      await page.getByRole('combobox', { name: given, exact: true }).waitFor()
      // The preview of the file before stays until this one is read.
      await expect.poll(async () => [name, await previewed(page)]).toEqual([name, shown])
      expect([name, await page.getByRole('combobox', { name: given, exact: true }).inputValue()]).toEqual([
        name,
        'claims.given_name',
      ])
      expect([name, await page.getByLabel('Your id of each row').inputValue()]).toEqual([name, id])
    }
    const dropped = `new File(['nr,given_name\\n7,Dora'], 'dropped.csv')`
    const dataTransfer = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(${dropped})
      return transfer
    })()`)
    await page.dispatchEvent('.drop', 'drop', { dataTransfer })
    await page.getByRole('cell', { name: 'Dora' }).waitFor()
    const many = Array.from({ length: 40 }, (_, at) => `a long name of the column ${at}`)
    await choose(page, 'wide.csv', `${many.join()}\n${many.map(() => 'x'.repeat(80)).join()}\n`)
    await page.getByRole('combobox', { name: 'a long name of the column 39' }).waitFor()
    for (const width of [360, 768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 700 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    }
    await choose(page, 'long.csv', `number;given_name\n${long}`)
    await expect.poll(() => page.locator('.preview tbody tr').count()).toBe(20)
    for (const wrong of [Buffer.from('PK\u0003\u0004\u0000\u0000'), '<html></html>', '']) {
      await choose(page, 'wrong.csv', wrong)
      await page.getByText('No table was found in this file').waitFor()
      await page.locator('.preview').waitFor({ state: 'detached' })
      await choose(page, 'right.csv', 'number,given_name\n1,Ada')
      await page.locator('.preview').waitFor()
    }
    expect(faults).toEqual([])
  })

  test('a keyboard user starts, pauses, continues, cancels and deletes', async () => {
    const { service, open, faults } = opened
    const id = await upload(['1,Ada', '2,Bob'], { validateOnly: 'true' })
    await eventually(async () => (await stateOf(id)) === 'ready')
    const page = await open(`/bulk/${id}`)
    const press = async (name: string) => {
      await page.getByRole('main').getByRole('button', { name, exact: true }).first().focus()
      await page.keyboard.press('Enter')
    }
    await service.workers.stop()
    await press('Start')
    await page.getByText('running', { exact: true }).waitFor()
    await page.getByText('0 per second').waitFor()
    await press('Pause')
    await page.getByText('paused', { exact: true }).waitFor()
    await press('Continue')
    await page.getByText('running', { exact: true }).waitFor()
    await press('Cancel the issuance')
    await page.getByRole('dialog').locator(':focus').getByText('Cancel', { exact: true }).waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByText('cancelled', { exact: true }).waitFor()
    await service.workers.start()
    await press('Delete')
    await page.keyboard.type('delete')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Bulk issuance' }).waitFor()
    expect(await service.operator.get(`${path}/${id}`)).toMatchObject({ status: 404 })
    expect(faults).toEqual([])
  })

  test('a refused file and a refused upload show the reason, and a user without the role sees why', async () => {
    const { open, faults } = opened
    const id = await upload(['1,Ada', '1,Bob'], { fileName: `${canary}.csv`.replaceAll(/[\\/]/g, '') })
    await eventually(async () => (await stateOf(id)) === 'failed')
    const page = await open(`/bulk/${id}`)
    await page.getByText('The file was refused. Nothing was issued:').waitFor()
    await page.getByText('duplicate_external_id').waitFor()
    await checkScreen(page, 'bulk-refused')
    await page.goto(`${opened.service.origin}/console/bulk/new?mode=sign&configuration=${configurationId}`)
    await choose(page, 'a.csv', 'number,given_name\n1,Ada')
    await page.route(`**${path}`, (route) => route.fulfill({ status: 409, json: { message: 'Delete one first.' } }))
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('Delete one first.').waitFor()
    await page.unroute(`**${path}`)
    await page.getByLabel('Only check the rows at first').uncheck()
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('done', { exact: true }).waitFor()
    const idOf = (list: { body: { data: { id: string }[] } }) => list.body.data.map((each) => each.id)
    const before = idOf(await opened.service.operator.get(path))
    await page.goto(`${opened.service.origin}/console/bulk/new?mode=sign&configuration=${configurationId}`)
    await choose(page, 'lost.csv', 'number,given_name\n2,Ada')
    // The answer is lost after the file was stored.
    const lose = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await page.route(`**${path}`, lose, { times: 1 })
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('The service cannot be reached').waitFor()
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('button', { name: 'Start' }).waitFor()
    const added = idOf(await opened.service.operator.get(path)).filter((each) => !before.includes(each))
    expect(added).toEqual([new URL(page.url()).pathname.split('/').at(-1)])
    const auditor = await open('/bulk', { roles: ['auditor'] })
    await auditor.getByText('Your roles do not allow this', { exact: false }).waitFor()
    expect(faults).toEqual([])
  })
})
