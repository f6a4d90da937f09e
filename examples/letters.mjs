// Writes a letter with a QR code for each claim link, to print: node examples/letters.mjs PEOPLE.csv LINKS.csv LETTERS.html
// PEOPLE.csv is the file of a bulk issuance with the mode `links`, with the columns of its template. LINKS.csv has its results.
import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { renderSVG } from 'uqr'

const [peopleFile, linksFile, lettersFile] = process.argv.slice(2)
if (!lettersFile) {
  console.error('Usage: node examples/letters.mjs PEOPLE.csv LINKS.csv LETTERS.html')
  process.exit(2)
}

const read = (file) => parse(readFileSync(file), { columns: true, bom: true })
const links = new Map(read(linksFile).map(({ externalId, link }) => [externalId, link]))
const people = read(peopleFile).filter((person) => links.has(person.externalId))

const escaped = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
const letterFor = (person) => {
  const link = links.get(person.externalId)
  return `<section>
<p>${escaped(`${person['claims.given_name']} ${person['claims.family_name']}`)}</p>
<h1>Your card for the phone</h1>
<p>Scan this code with the camera of your phone, and press the button of the page. The code is for you only.</p>
${renderSVG(link)}
<p>Without a camera, open this address: ${escaped(link)}</p>
</section>`
}

const style = `section { break-after: page; font-family: sans-serif; margin: 2cm }
svg { width: 6cm; height: 6cm }
p { overflow-wrap: anywhere }`
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Letters</title>
<style>${style}</style>
${people.map(letterFor).join('\n')}
</html>
`
// The links are secrets: only the owner of the file can read it. An existing file is not overwritten.
writeFileSync(lettersFile, page, { mode: 0o600, flag: 'wx' })
console.log(`${people.length} letters are in ${lettersFile}.`)
