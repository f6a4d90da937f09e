import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'

const folders = ['api/issuance/pages/languages', 'api/console/app/languages']

type Entries = { [name: string]: string | Entries }

describe.each(folders)('the texts in %s', (folder) => {
  const textsOf = (file: string): Entries => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'))
  const english = messagesOf(textsOf('en.json'))

  test.each(readdirSync(folder))('are complete in %s', (file) => {
    const language = basename(file, '.json')
    expect(Intl.getCanonicalLocales(language)).toEqual([language])
    const messages = messagesOf(textsOf(file))
    expect([...messages.keys()].sort()).toEqual([...english.keys()].sort())
    for (const [path, forms] of messages) {
      const englishForms = english.get(path) ?? new Map()
      expect(placeholdersOf(forms), path).toEqual(placeholdersOf(englishForms))
      expect(
        [...forms.values()].filter((text) => text.trim() === ''),
        path,
      ).toEqual([])
      if (englishForms.size > 1) expect([...forms.keys()], path).toEqual(expect.arrayContaining(categoriesOf(language)))
    }
  })
})

/** The plural categories of CLDR. */
const pluralCategories: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

/** Returns the plural categories that a language has for whole numbers up to 1,000. */
function categoriesOf(language: string): string[] {
  const rules = new Intl.PluralRules(language)
  return [...new Set(Array.from({ length: 1_001 }, (_, count) => rules.select(count)))]
}

/** Returns each text by its path, with its plural forms. A text without plural forms has the form `other`. */
function messagesOf(entries: Entries, path = ''): Map<string, Map<string, string>> {
  return new Map(
    Object.entries(entries).flatMap(([name, entry]): [string, Map<string, string>][] => {
      const ownPath = `${path}/${name}`
      if (typeof entry === 'string') return [[ownPath, new Map([['other', entry]])]]
      const isPlural = Object.keys(entry).every((each) => pluralCategories.has(each))
      return isPlural
        ? [[ownPath, new Map(Object.entries(entry as Record<string, string>))]]
        : [...messagesOf(entry, ownPath)]
    }),
  )
}

/** Returns the placeholders of the form `other`, which every language has. */
function placeholdersOf(forms: ReadonlyMap<string, string>): string[] {
  return Array.from(forms.get('other')?.matchAll(/\{\w+\}/g) ?? [], ([placeholder]) => placeholder).sort()
}
