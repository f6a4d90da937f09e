import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'

const app = 'api/console/app'
const folders = [`${app}/languages`, 'api/issuance/pages/languages']

type Entries = { [name: string]: string | Entries }

const textsOf = (file: string): Entries => JSON.parse(readFileSync(file, 'utf8'))

/** Returns each text by its path, such as `common/save`. */
function pathsOf(entries: Entries, prefix = ''): [path: string, text: string][] {
  return Object.entries(entries).flatMap(([name, entry]): [string, string][] =>
    typeof entry === 'string' ? [[prefix + name, entry]] : pathsOf(entry, `${prefix}${name}/`),
  )
}

/** The names that keep their capitals within a sentence, and the polite pronouns of Italian. */
const names =
  /High Assurance Interoperability Profile|Security Profile|OpenID Connect|JSON Lines|Transport Agency Trust Root|\b(Apple|Excel|Google|Keycloak|Monday|Trustwright)\b/g
const pronouns = /\b(La|Le|Lei|Sua|Sue|Suo|Suoi)\b/g

/** Choices whose text begins with their value in the API. */
const values = /^(eudi|haip|legacy|lenient|standard)\b/

/** Returns the words within the sentences of a text that begin with a capital, such as “Offers” in “Failed Offers”. */
function capitalsWithin(text: string): string[] {
  const sentences = text
    .replace(names, 'x')
    .replace(pronouns, 'x')
    .split(/[.:!?·…“”„«»¿¡(|]\s*/)
  return sentences.flatMap((sentence) => sentence.match(/(?<=\S\s)\p{Lu}\p{Ll}+(?![\p{L}\d+])/gu) ?? [])
}

/** Choices that the source shows by a condition. */
const choices = ['offer/preAuthorized', 'offer/shared']

/** Returns the paths of the texts that the source of the console shows as headings, buttons and names of fields and columns. */
function shownAsLabels(): string[] {
  const sources = globSync(`${app}/**/*.{ts,tsx}`).map((file) => readFileSync(file, 'utf8'))
  const tables = new Map(
    sources.flatMap((source) =>
      [...source.matchAll(/const (\w+) = texts\('(\w+)'\)/g)].map(
        ([, name = '', table = '']) => [name, table] as const,
      ),
    ),
  )
  const element = String.raw`<(?:button|dt|h[1-3]|label|legend|summary|th)\b(?:[^<>]|=>)*>\s*\{say\(`
  const label = String.raw`(?:caption|create|group|head|label|title)(?::\s*|=\{)(?:say\()?`
  const used = new RegExp(String.raw`(?:${element}|${label}|\n\s*\[)(\w+)\.(\w+)(?=[,)} \n])`, 'g')
  return sources.flatMap((source) => {
    const renamed = new Map([...source.matchAll(/(\w+) as (\w+)/g)].map(([, name = '', as = '']) => [as, name]))
    return [...source.matchAll(used)].flatMap(([, texts = '', name = '']) => {
      const table = tables.get(renamed.get(texts) ?? texts)
      return table === undefined ? [] : [`${table}/${name}`]
    })
  })
}

describe('headings, buttons and names of fields', () => {
  const labels = new Set([...shownAsLabels(), ...choices])

  test.each(globSync(`${app}/languages/*.json`))('begin with a capital in %s', (file) => {
    const labelTexts = pathsOf(textsOf(file)).filter(([path]) => labels.has(path.split('/').slice(0, 2).join('/')))
    expect(labelTexts.length).toBeGreaterThan(600)
    expect(labelTexts.filter(([, text]) => /^\p{Ll}/u.test(text) && !values.test(text))).toEqual([])
  })
})

describe('texts have no capitals within a sentence, except in names', () => {
  const files = folders.flatMap((folder) => globSync(`${folder}/*.json`))

  // German writes nouns with a capital.
  test.each(files.filter((file) => basename(file) !== 'de.json'))('%s', (file) => {
    expect(pathsOf(textsOf(file)).filter(([, text]) => capitalsWithin(text).length > 0)).toEqual([])
  })

  test('a title in capitals is found', () => {
    expect(capitalsWithin('Failed Offers of Today')).toEqual(['Offers', 'Today'])
    expect(capitalsWithin('Results as JSON Lines. The file, or OpenID4VCI: Create')).toEqual([])
  })
})
