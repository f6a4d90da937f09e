import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyRelease } from '../../docs/deploy/release/verify.ts'

const root = join(import.meta.dirname, '../..')
const has = (program: string) => spawnSync(program, ['--version']).error === undefined
const isRoot = process.getuid?.() === 0
/** The image is built only in a full run. */
const withImage = process.env.CI_FULL === '1' && isRoot && has('buildah') && has('mmdebstrap')

let folder: string
let project: string
let commit: string
const path = (name: string) => join(folder, name)

function run(program: string, ...words: string[]): { status: number | null; output: string } {
  return runWith({}, program, ...words)
}

function runWith(env: Record<string, string>, program: string, ...words: string[]) {
  const options = { cwd: project, encoding: 'utf8', env: { ...process.env, ...env } } as const
  const { status, stdout, stderr } = spawnSync(program, words, options)
  return { status, output: `${stdout}${stderr}` }
}

function git(...words: string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org']
  const { status, output } = run('git', ...identity, ...words)
  if (status !== 0) throw new Error(output)
  return output.trim()
}

const script = 'docs/deploy/release/release.ts'
const inputs = () => ['--ci-log', path('ci.log'), '--bench', path('bench.txt'), '--key', path('secret.key')]

/** Makes a release of the project's commit in a folder. */
function release(out: string, ...words: string[]) {
  const unavailable = ['--without-registry', ...(withImage ? [] : ['--without-image'])]
  return run(process.execPath, script, ...inputs(), ...unavailable, '--out', path(out), ...words)
}

/** Returns what is wrong with a release. */
const faultsOf = (out: string, key = 'public.key') =>
  verifyRelease(path(out), path(key)).catch((error: Error) => [error.message])

function writeLogs(of: string, totals: string): void {
  writeFileSync(path('ci.log'), `Commit ${of}\n...\n${totals}\n`)
  writeFileSync(path('bench.txt'), `Commit ${of}\nflows, 8 at a time  500\n`)
}

describe('releases', { tags: ['minisign', 'repository'] }, () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'trustwright-release-'))
    project = path('project')
    spawnSync('git', ['clone', '--quiet', root, project])
    // The files of the test are those of this folder, also before they are committed.
    const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
    for (const file of String(stdout).trim().split('\n')) cpSync(join(root, file), join(project, file), { force: true })
    symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
    const changelog = join(project, 'CHANGELOG.md')
    writeFileSync(changelog, readFileSync(changelog, 'utf8').replace(', not yet released', ', 2026-11-27'))
    git('add', '--all')
    git('commit', '--quiet', '-m', 'Release the version')
    commit = git('rev-parse', 'HEAD')
    writeLogs(commit, '15418 passed, 0 failed')
    for (const name of ['', 'other-'])
      expect(run('minisign', '-G', '-W', '-p', path(`${name}public.key`), '-s', path(`${name}secret.key`)).status).toBe(
        0,
      )
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('two releases of a commit have the same bytes but for the signature, and both are verified', async () => {
    for (const out of ['first', 'second']) {
      expect(release(out)).toMatchObject({ status: 0 })
      expect(await faultsOf(out)).toEqual([])
    }
    const verify = (key: string) => run(process.execPath, 'docs/deploy/release/verify.ts', path('first'), path(key))
    expect(verify('public.key')).toMatchObject({ status: 0, output: expect.stringContaining(`commit ${commit}`) })
    expect(verify('other-public.key')).toMatchObject({ status: 1, output: expect.stringContaining('minisign') })
    const names = readdirSync(path('first')).sort()
    expect(readdirSync(path('second')).sort()).toEqual(names)
    const different = names.filter(
      (name) => !readFileSync(path(`first/${name}`)).equals(readFileSync(path(`second/${name}`))),
    )
    expect(different.filter((name) => name !== 'SHA256SUMS.minisig')).toEqual([])

    const facts = JSON.parse(readFileSync(path('first/release.json'), 'utf8'))
    expect(facts).toMatchObject({ commit, tests: { passed: 15_418, failed: 0 }, registrySignatures: null })
    const sbom = JSON.parse(readFileSync(path('first/sbom.cdx.json'), 'utf8'))
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const components = sbom.components.map(({ name }: { name: string }) => name)
    expect(components).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)))
    expect(components).not.toContain('vitest')
    const source = spawnSync('tar', ['-tzf', path(`first/trustwright-${facts.version}-source.tar.gz`)], {
      encoding: 'utf8',
    })
    expect(source.stdout).toContain(`trustwright-${facts.version}/api/main.ts\n`)
  })

  test('a changed, a missing and an additional file are named, and another key is refused', async () => {
    const changed = async (name: string, change: (of: string) => void) => {
      cpSync(path('first'), path(name), { recursive: true })
      change(path(name))
      const faults = await faultsOf(name)
      rmSync(path(name), { recursive: true })
      return faults
    }
    for (const file of readdirSync(path('first')).filter((name) => !name.startsWith('SHA256SUMS'))) {
      const faults = await changed('changed', (of) => appendFileSync(join(of, file), ' '))
      expect(faults).toEqual([`${file} was changed: it has another hash.`])
      expect(await changed('missing', (of) => rmSync(join(of, file)))).toEqual([`${file} is missing.`])
    }
    for (const name of ['install.sh', 'SHA256SUMS-install.sh']) {
      const more = (of: string) => writeFileSync(join(of, name), 'exit 0')
      expect(await changed('more', more)).toEqual([`${name} is not a file of the release.`])
    }
    const failed = [expect.stringContaining('minisign -V failed')]
    expect(await changed('sums', (of) => appendFileSync(join(of, 'SHA256SUMS'), '\n'))).toEqual(failed)
    expect(await faultsOf('first', 'other-public.key')).toEqual(failed)
  })

  test('files that do not belong together are refused, also with a good signature', async () => {
    const resigned = async (file: string, change: (text: string) => string) => {
      cpSync(path('first'), path('resigned'), { recursive: true })
      const changed = path(`resigned/${file}`)
      writeFileSync(changed, change(readFileSync(changed, 'utf8')))
      const names = readdirSync(path('resigned')).filter((name) => !name.startsWith('SHA256SUMS'))
      const sums = spawnSync('sha256sum', names, { cwd: path('resigned'), encoding: 'utf8' }).stdout
      writeFileSync(path('resigned/SHA256SUMS'), sums)
      run('minisign', '-S', '-s', path('secret.key'), '-m', path('resigned/SHA256SUMS'))
      const faults = await faultsOf('resigned')
      rmSync(path('resigned'), { recursive: true })
      return faults.join('\n')
    }
    expect(await resigned('release.json', (text) => text.replace('"failed": 0', '"failed": 1'))).toContain(
      '1 of the tests failed.',
    )
    expect(await resigned('provenance.intoto.json', (text) => text.replaceAll(commit, 'f'.repeat(40)))).toContain(
      'is of another commit',
    )
    expect(await resigned('sbom.cdx.json', (text) => text.replace('"bomFormat"', '"format"'))).toContain(
      'is not CycloneDX 1.5',
    )
    expect(await resigned('licenses.txt', (text) => text.replace('MIT', 'GPL-3.0'))).toContain('licenses.txt differs')
    expect(await resigned('changelog.md', (text) => text.replace('## ', '## 9.'))).toContain(
      'changelog.md is not that of',
    )
    expect(await resigned('benchmark.txt', (text) => `${text}more`)).toContain(
      'does not have the hash of benchmark.txt',
    )
  })

  test('a registry that does not answer refuses the release before anything is built', () => {
    // Nothing that builds is found there.
    const env = { PATH: path('programs'), npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' }
    mkdirSync(env.PATH)
    for (const name of ['git', 'npm', 'node', 'sh', 'env'])
      symlinkSync(spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim(), join(env.PATH, name))
    const { status, output } = runWith(env, process.execPath, script, ...inputs(), '--out', path('refused'))
    expect(status).toBe(1)
    expect(output).toContain('--without-registry makes a release without this check')
    expect(readdirSync(folder).filter((name) => name.startsWith('refused'))).toEqual([])
  })

  test('what is not a release is refused, and nothing is written', () => {
    const refused = (words: string[] = []) => {
      const { status, output } = release('refused', ...words)
      expect(status).toBe(1)
      expect(readdirSync(folder).filter((name) => name.startsWith('refused'))).toEqual([])
      return output
    }
    writeLogs(commit, '15417 passed, 1 failed')
    expect(refused()).toContain('15417 passed and 1 failed tests')
    writeLogs('0'.repeat(40), '15418 passed, 0 failed')
    expect(refused()).toContain(`but the release is of ${commit}`)
    writeLogs(commit, 'Killed')
    expect(refused()).toContain('is not "N passed, N failed"')
    writeLogs(commit, '15418 passed, 0 failed')
    expect(refused(['--key', path('no.key')])).toContain('no.key does not exist')
    expect(run(process.execPath, script)).toMatchObject({
      status: 1,
      output: expect.stringContaining('Use: npm run release'),
    })
    writeFileSync(join(project, 'CHANGELOG.md'), '# Changelog\n\n## 0.1.0, not yet released\n')
    expect(refused()).toContain('Some files are not committed')
    git('commit', '--quiet', '--all', '-m', 'Reopen the version')
    expect(refused()).toContain('Write the date of the release')
  })
})
