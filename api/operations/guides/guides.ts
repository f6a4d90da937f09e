import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { indexName, renderGuide } from './markdown.ts'
import { guidePage } from './page.ts'

/** The folder of the guides. The image has only its pages. */
const folder = fileURLToPath(new URL('../../../docs/', import.meta.url))

let names: readonly string[] | undefined

/** Lists the names of the guides, such as `claim-links` and `decisions/0001-group-commit`. Reads the folder once. */
function guideNames(): readonly string[] {
  names ??= globSync(['*.md', 'decisions/*.md'], { cwd: folder })
    .map((file) => file.replace(/\.md$/, ''))
    .filter((name) => name !== indexName)
    .sort()
  return names
}

const pages = new Map<string, string>()

/** Returns the page of a guide. Returns undefined if no guide has this name. Only names of the folder are read. */
export function findGuide(name: string): string | undefined {
  if (!guideNames().includes(name)) return undefined
  const cachedPage = pages.get(name)
  if (cachedPage !== undefined) return cachedPage
  const { title, content } = renderGuide(textOf(name), { name, names: guideNames() })
  const page = guidePage(title, content)
  pages.set(name, page)
  return page
}

let index: string | undefined

/** Returns the page that lists all guides, from `docs/README.md`. */
export function guideIndex(): string {
  index ??= guidePage('Guides', renderGuide(textOf(indexName), { name: indexName, names: guideNames() }).content)
  return index
}

function textOf(name: string): string {
  return readFileSync(`${folder}${name}.md`, 'utf8')
}
