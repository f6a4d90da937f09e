import { hash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import manifest from '../../../package.json' with { type: 'json' }
import { buildImage } from '../image/build.ts'
import { ProgramFailed, runProgram } from '../run-program.ts'
import { filesOf, type ReleaseFacts, sha256Of, statementOf } from './evidence.ts'
import { licenseLines, makeSbom } from './sbom.ts'

/**
 * `npm run release -- --ci-log FILE --bench FILE --key FILE`: writes the files of a release and the evidence for them. The same commit, with
 * the same logs, gives the same bytes except for the signature. docs/release.md explains the files.
 */
const project = fileURLToPath(new URL('../../../', import.meta.url))
const files = filesOf(manifest)

/** The release cannot be made. The message says what to do. */
class ReleaseRefused extends Error {}

interface Options {
  ciLog: string
  bench: string
  key: string
  out: string
  withoutImage: boolean
  withoutRegistry: boolean
}

async function release(options: Options): Promise<void> {
  const commit = cleanCommit()
  const committedAt = new Date(Number(git('log', '-1', '--format=%ct')) * 1000).toISOString()
  const changelog = changesOf(manifest.version)
  const tests = totalsOf(options.ciLog, commit)
  const benchmark = textOf(options.bench, 'the benchmark', commit)
  if (!existsSync(options.key)) throw new ReleaseRefused(`${options.key} does not exist. minisign -G makes a key.`)
  if (existsSync(options.out))
    throw new ReleaseRefused(`${options.out} exists. Delete it, or name another folder with --out.`)
  // Before the image, which takes minutes.
  const registrySignatures = options.withoutRegistry ? null : checkRegistrySignatures()
  mkdirSync(dirname(options.out), { recursive: true })
  const folder = mkdtempSync(`${options.out}-`)
  try {
    const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
    const sbom = await makeSbom(project, { commit, committedAt })
    write(files.sbom, json(sbom))
    write(files.licenses, lines(licenseLines(sbom)))
    write(files.changelog, changelog)
    write(files.benchmark, benchmark)
    git(
      'archive',
      '--format=tar.gz',
      `--prefix=${manifest.name}-${manifest.version}/`,
      '-o',
      join(folder, files.source),
      commit,
    )
    await packPackage(folder)
    const image = options.withoutImage ? null : await buildImage(join(folder, files.image))
    const { name, version } = manifest
    const facts: ReleaseFacts = { name, version, commit, committedAt, tests, image, registrySignatures }
    write(files.facts, json(facts))
    const lock = hash('sha256', readFileSync(join(project, 'package-lock.json')))
    write(files.provenance, json(statementOf(folder, readdirSync(folder).sort(), facts, lock)))
    write(
      files.sums,
      lines(
        readdirSync(folder)
          .sort()
          .map((file) => `${sha256Of(folder, file)}  ${file}`),
      ),
    )
    sign(folder, options.key, `${name} ${version}, commit ${commit}`)
    renameSync(folder, options.out)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`
const lines = (all: readonly string[]) => `${all.join('\n')}\n`
const git = (...words: string[]) => runProgram('git', words, { cwd: project })

/** Returns the commit of the project. All files of a release are those of a commit. */
function cleanCommit(): string {
  const changed = git('status', '--porcelain')
  if (changed) throw new ReleaseRefused(`Some files are not committed:\n${changed}`)
  return git('rev-parse', 'HEAD')
}

/** Returns the section of a version in CHANGELOG.md. */
function changesOf(version: string): string {
  const [, ...sections] = readFileSync(join(project, 'CHANGELOG.md'), 'utf8').split(/^## /m)
  const section = sections.find((each) => each.startsWith(`${version},`))
  if (!section) throw new ReleaseRefused(`CHANGELOG.md has no section "## ${version}, YYYY-MM-DD".`)
  const [heading = ''] = section.split('\n')
  if (!/, \d{4}-\d\d-\d\d$/.test(heading))
    throw new ReleaseRefused(
      `CHANGELOG.md says "${heading}". Write the date of the release: "## ${version}, YYYY-MM-DD".`,
    )
  return `## ${section.trim()}\n`
}

/** Reads a log that names the commit it is of. */
function textOf(file: string, what: string, commit: string): string {
  const text = readFileSync(file, 'utf8')
  const [, of] = /^Commit ([\da-f]+)$/m.exec(text) ?? []
  if (of !== commit)
    throw new ReleaseRefused(`${file} is ${what} of commit ${of ?? '(none)'}, but the release is of ${commit}.`)
  return text
}

/** Reads the totals in the last line of the output of `.ci/run`. */
function totalsOf(file: string, commit: string): ReleaseFacts['tests'] {
  const text = textOf(file, 'the output of .ci/run', commit)
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(text.trimEnd().split('\n').at(-1) ?? '') ?? []
  if (passed === undefined) throw new ReleaseRefused(`The last line of ${file} is not "N passed, N failed".`)
  if (failed !== '0' || passed === '0')
    throw new ReleaseRefused(`${file} has ${passed} passed and ${failed} failed tests.`)
  return { passed: Number(passed), failed: Number(failed) }
}

/** Packs the client and the command line. npm gives all files of a package the same time. */
async function packPackage(folder: string): Promise<void> {
  const work = mkdtempSync(`${folder}-package-`)
  try {
    // It loads the whole API for its types. The checks that refuse a release need none of it.
    const { buildPackage } = await import('../../../api/cli/build-package.ts')
    const built = join(work, 'package')
    await buildPackage(built)
    runProgram('npm', ['pack', '--silent', '--pack-destination', folder, built], { cwd: work })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Checks that the registry signed each installed package. */
function checkRegistrySignatures(): string {
  try {
    return runProgram('npm', ['audit', 'signatures'], { cwd: project })
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error
    throw new ReleaseRefused(
      `${error.message}\n--without-registry makes a release without this check, and says so in it.`,
    )
  }
}

function sign(folder: string, key: string, comment: string): void {
  const words = ['-S', '-s', key, '-m', join(folder, files.sums), '-x', join(folder, files.signature), '-t', comment]
  runProgram('minisign', words, { canAsk: true })
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      'ci-log': { type: 'string' },
      bench: { type: 'string' },
      key: { type: 'string' },
      out: { type: 'string', default: `dist/release/${manifest.version}` },
      'without-image': { type: 'boolean', default: false },
      'without-registry': { type: 'boolean', default: false },
    },
  })
  const { 'ci-log': ciLog, bench, key } = values
  if (ciLog === undefined || bench === undefined || key === undefined)
    throw new ReleaseRefused('Use: npm run release -- --ci-log FILE --bench FILE --key FILE [--out FOLDER]')
  return {
    ...{ ciLog: resolve(ciLog), bench: resolve(bench), key: resolve(key), out: resolve(values.out) },
    withoutImage: values['without-image'],
    withoutRegistry: values['without-registry'],
  }
}

try {
  const options = readOptions()
  await release(options)
  console.log(`${options.out}: check it with npm run verify-release -- ${options.out} PUBLIC_KEY_FILE`)
} catch (error) {
  if (!(error instanceof ReleaseRefused || error instanceof ProgramFailed)) throw error
  console.error(error.message)
  process.exitCode = 1
}
