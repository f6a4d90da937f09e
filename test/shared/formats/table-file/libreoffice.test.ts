import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTable } from '../../../../shared/formats/table-file/read-table.ts'
import { byteOrderMark, csvLine } from '../../../../shared/formats/table-file/write-table.ts'
import { collect, options, whole } from './tables.ts'

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'trustwright-libreoffice-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Converts a file with LibreOffice. `to` is the end of the file name and the filter. */
async function convert(name: string, content: string, to: string): Promise<Buffer> {
  writeFileSync(join(dir, name), content)
  const profile = `-env:UserInstallation=file://${join(dir, 'profile')}`
  await promisify(execFile)('soffice', [profile, '--headless', '--convert-to', to, '--outdir', dir, join(dir, name)])
  return readFileSync(join(dir, `${name.split('.')[0]}.${to.split(':')[0]}`))
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A sheet as flat XML. A line break in a cell is a new paragraph. */
function sheetOf(rows: string[][]): string {
  const cell = (text: string) => {
    const lines = text.split('\n').map((line) => `<text:p>${escaped(line)}</text:p>`)
    return `<table:table-cell office:value-type="string">${text === '' ? '' : lines.join('')}</table:table-cell>`
  }
  const body = rows.map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`).join('')
  const names = ['office', 'table', 'text'].map((each) => {
    return `xmlns:${each}="urn:oasis:names:tc:opendocument:xmlns:${each}:1.0"`
  })
  const document = `office:mimetype="application/vnd.oasis.opendocument.spreadsheet" office:version="1.2"`
  const sheet = `<office:spreadsheet><table:table table:name="People">${body}</table:table></office:spreadsheet>`
  return `<?xml version="1.0" encoding="UTF-8"?><office:document ${names.join(' ')} ${document}><office:body>${sheet}</office:body></office:document>`
}

const columns = ['externalId', 'claims.given_name', 'Straße; Nr., "genau"', 'claims.note']
const rows = [
  ['1', 'Zoë', 'Am "Markt"; 5, links', 'first line\nsecond; line'],
  ['2', '名前 😀', '', '"'],
  ['', '', '', ''],
  ['=3', "O'Neil", '12,5', 'no-break\u00a0space'],
  ['4', 'last', '', ''],
]

// The options of the export: delimiter, quote, character set (76: UTF-8, 65535: UTF-16) and first row.
const exports = { 'UTF-8 with commas': '44,34,76,1', 'UTF-16 with ;': '59,34,65535,1', 'UTF-8 with tabs': '9,34,76,1' }

describe('LibreOffice', { tags: 'soffice' }, () => {
  test.each(Object.entries(exports))('exports a sheet as %s, which is read', async (_name, filter) => {
    const bytes = await convert('sheet.fods', sheetOf([columns, ...rows]), `csv:Text - txt - csv (StarCalc):${filter}`)
    const table = await collect(readTable(whole(bytes), options()))
    expect(table.columns).toEqual(columns)
    const expected = rows.map((cells, at) => [at + 1, ...cells]).filter(([, id]) => id !== '')
    expect(table.rows.map(({ number, values, error }) => error ?? [number, ...Object.values(values)])).toEqual(expected)
  })

  test('opens a written file as text, without formulas', async () => {
    const formulas = ['=1+1', '+1+1', '-1+1', '@SUM(1)', '=HYPERLINK("https://evil.example")', ' =1+1', '\u00a0=1+1']
    const columns = csvLine(formulas.map((_, at) => `column ${at}`))
    const open = (line: string) =>
      convert('written.csv', byteOrderMark + columns + line, 'fods:OpenDocument Spreadsheet Flat XML')
    // Without the apostrophe, it runs them.
    expect(String(await open('=1+1,+1+1\r\n'))).toContain('table:formula')
    const opened = String(await open(csvLine(formulas)))
    expect(opened).toContain('HYPERLINK')
    expect(opened).not.toContain('table:formula')
  })
})
