import { readdirSync, readFileSync } from 'node:fs'
import Negotiator from 'negotiator'
import type { Headers } from '../../http/route.ts'
import english from './languages/en.json' with { type: 'json' }

/** The texts of the pages for holders in one language. */
export type PageTexts = typeof english

const folder = new URL('./languages/', import.meta.url)

/** The texts by language. Each file in `languages/` adds one. */
const textsOf: ReadonlyMap<string, PageTexts> = new Map(
  readdirSync(folder).map((name) => [
    name.replace(/\.json$/, ''),
    JSON.parse(readFileSync(new URL(name, folder), 'utf8')),
  ]),
)

/** Returns the texts in the language that the browser prefers, or in English. */
export function pageTexts(headers: Headers): { language: string; texts: PageTexts } {
  const [language = 'en'] = new Negotiator({ headers }).languages(['en', ...textsOf.keys()])
  return { language, texts: textsOf.get(language) ?? english }
}
