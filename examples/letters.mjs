// Writes a letter with a QR code for each claim link, to print: node examples/letters.mjs PEOPLE.csv LINKS.csv LETTERS.html
// PEOPLE.csv is the file of a bulk issuance with the mode `links`. LINKS.csv has its results. The texts are in examples/letters.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parse } from 'csv-parse/sync'
import { renderSVG } from 'uqr'

const usage = `Usage: node examples/letters.mjs PEOPLE.csv LINKS.csv LETTERS.html [options]
  --external-id COLUMN  The column of PEOPLE.csv with your id of the person. Default: externalId
  --name COLUMN         A column with a part of the name. Repeat it for more parts. Default: claims.given_name, claims.family_name
  --language NAME       The language of rows without a column "language": the name of a file of texts. Default: en`

function refuse(message) {
  console.error(`${message}\n\n${usage}`)
  process.exit(2)
}

function readCommand() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        'external-id': { type: 'string', default: 'externalId' },
        name: { type: 'string', multiple: true, default: ['claims.given_name', 'claims.family_name'] },
        language: { type: 'string', default: 'en' },
      },
    })
  } catch (error) {
    return refuse(error.message)
  }
}

const { positionals, values } = readCommand()
const { 'external-id': idColumn, name: nameColumns, language } = values
const [peopleFile, linksFile, lettersFile] = positionals
if (!lettersFile || positionals.length > 3) refuse('Give three files.')

const folder = join(fileURLToPath(import.meta.url), '..', 'letters')
const texts = new Map(
  readdirSync(folder).map((file) => [basename(file, '.json'), JSON.parse(readFileSync(join(folder, file), 'utf8'))]),
)
if (!texts.has(language))
  refuse(`There are no texts for the language ${language}, only for: ${[...texts.keys()].join(', ')}.`)

/** Reads a CSV file with these columns. The delimiter is that of the header. */
function read(file, columns) {
  const content = readFileSync(file, 'utf8')
  const [header = ''] = content.split(/\r?\n/, 1)
  const delimiter = [';', '\t'].find((each) => header.includes(each)) ?? ','
  // The service refuses malformed rows one by one. They have no link, and so they get no letter.
  const tolerant = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true }
  const rows = parse(content, { columns: true, bom: true, delimiter, ...tolerant })
  const missing = columns.filter((column) => rows.length > 0 && !Object.hasOwn(rows[0], column))
  if (missing.length > 0)
    refuse(`${file} has no column ${missing.join(', ')}. Its columns are: ${Object.keys(rows[0]).join(', ')}.`)
  return rows
}

const links = new Map(read(linksFile, ['externalId', 'link']).map(({ externalId, link }) => [externalId, link]))
// A later row with the same id is an error of the bulk issuance, so the link belongs to the first one.
const ids = new Set()
const people = read(peopleFile, [idColumn, ...nameColumns]).filter(({ [idColumn]: id }) => {
  if (ids.has(id)) return false
  ids.add(id)
  return links.has(id)
})

const escaped = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
const letterFor = (person) => {
  const link = links.get(person[idColumn])
  const ownLanguage = texts.has(person.language) ? person.language : language
  const { heading, advice, address } = texts.get(ownLanguage)
  return `<section lang="${ownLanguage}">
<p>${escaped(nameColumns.map((column) => person[column]).join(' '))}</p>
<h1>${escaped(heading)}</h1>
<p>${escaped(advice)}</p>
${renderSVG(link)}
<p>${escaped(address)} ${escaped(link)}</p>
</section>`
}

const style = `section { break-after: page; font-family: sans-serif; margin: 2cm }
svg { width: 6cm; height: 6cm }
p { overflow-wrap: anywhere }`
const page = `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<title>${escaped(texts.get(language).title)}</title>
<style>${style}</style>
${people.map(letterFor).join('\n')}
</html>
`
// The links are secrets: only the owner of the file can read it. An existing file is not overwritten.
writeFileSync(lettersFile, page, { mode: 0o600, flag: 'wx' })
console.log(`${people.length} letters are in ${lettersFile}.`)
