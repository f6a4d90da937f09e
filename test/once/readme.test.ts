import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { productVersion } from '../../shared/process/product-version.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

const inFolder = (folder: string) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => folder + name)
const pages = ['./', 'docs/', 'docs/decisions/'].flatMap(inFolder)

test('every link between pages leads to an existing heading', () => {
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(#[^)]+)?\)/g)].map(([link, path, anchor]) => {
      const target = path ? new URL(path, new URL(page, root)) : new URL(page, root)
      return { page, link, target, anchor }
    }),
  )
  const isThere = ({ target, anchor }: (typeof links)[number]) =>
    existsSync(target) && (!anchor || anchorsOf(readFileSync(target, 'utf8')).has(anchor))
  expect(links.length).toBeGreaterThan(15)
  expect(links.filter((link) => !isThere(link))).toEqual([])
})

test('every file and folder of the code that a page names exists', () => {
  const folders = 'api|db|docs|examples|shared|test|workers'
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(new RegExp(`\`((?:${folders})/[\\w./-]+)\``, 'g'))].map(([, path = '']) => ({
      page,
      path,
    })),
  )
  // The files of a tenant that `trustwright config` reads have the extension `.jsonc`.
  const ofCode = named.filter(({ path }) => !path.endsWith('.jsonc'))
  expect(ofCode.length).toBeGreaterThan(200)
  expect(ofCode.filter(({ path }) => !existsSync(new URL(path, root)))).toEqual([])
})

test('every page that the code names exists, with the named heading', () => {
  const files = globSync('{api,db,docs/deploy,examples,shared,workers}/**/*.{css,env,js,mjs,service,sh,ts,tsx,yaml}', {
    cwd: root,
  })
  const named = files.flatMap((file) =>
    [...read(file).matchAll(/\b(docs\/[\w/-]+\.md)(#[\w-]+)?/g)].map(([, path = '', anchor]) => ({
      file,
      path,
      anchor,
    })),
  )
  const isThere = ({ path, anchor }: (typeof named)[number]) =>
    existsSync(new URL(path, root)) && (!anchor || anchorsOf(read(path)).has(anchor))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((each) => !isThere(each))).toEqual([])
})

test('the README has at most 120 lines, and each of its pictures exists', () => {
  const readme = read('README.md')
  expect(readme.split('\n').length).toBeLessThanOrEqual(121)
  const pictures = [...readme.matchAll(/(?:src="|!\[[^\]]*\]\()(docs\/pictures\/[\w-]+\.png)/g)].map(
    ([, path = '']) => path,
  )
  expect(pictures.sort()).toEqual(
    readdirSync(new URL('docs/pictures', root))
      .filter((name) => name.endsWith('.png'))
      .map((name) => `docs/pictures/${name}`)
      .sort(),
  )
})

test('a newcomer reads one version everywhere', () => {
  const newest = (page: string, pattern: RegExp) => pattern.exec(read(page))?.[1]
  expect({
    readme: newest('README.md', /^Version (\d+\.\d+\.\d+) /m),
    changelog: newest('CHANGELOG.md', /^## (\d+\.\d+\.\d+)\b/m),
    commandLine: newest('docs/command-line.md', /trustwright-(\d+\.\d+\.\d+)\.tgz/),
    kubernetes: newest('docs/deploy/kubernetes/overlays/example/kustomization.yaml', /newTag: (\S+)/),
  }).toEqual({
    readme: productVersion,
    changelog: productVersion,
    commandLine: productVersion,
    kubernetes: productVersion,
  })
})

test('a page has at most 300 lines', () => {
  const long = pages.filter((page) => page !== './CHANGELOG.md' && read(page).split('\n').length > 300)
  expect(long).toEqual([])
})

/** Makes anchors from headings like GitHub. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map(
      (each) =>
        `#${each
          .toLowerCase()
          .replace(/[^\p{L}\d\- ]/gu, '')
          .replaceAll(' ', '-')}`,
    ),
  )
}
