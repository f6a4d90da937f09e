import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ProgramFailed, runProgram } from '../run-program.ts'
import { filesOf, type ReleaseFacts, type ReleaseFiles, type Statement, sha256Of } from './evidence.ts'
import { faultsOfSbom, licenseLines, type Sbom } from './sbom.ts'

/**
 * Checks the files of a release with a public key of minisign, without a network. Returns a line for each fault. Throws ProgramFailed if the
 * signature is wrong, because then nothing in the folder is trustworthy.
 */
export async function verifyRelease(folder: string, publicKey: string): Promise<string[]> {
  runProgram('minisign', ['-V', '-p', publicKey, '-m', join(folder, 'SHA256SUMS')])
  const faults = faultsOfSums(folder)
  // The other checks read the files, which must be those of the signature.
  if (faults.length > 0) return faults
  const facts = readJson<ReleaseFacts>(folder, 'release.json')
  const files = filesOf(facts)
  return [
    ...faultsOfFacts(folder, facts, files),
    ...faultsOfProvenance(folder, facts, files),
    ...(await faultsOfDependencies(folder, facts, files)),
    ...faultsOfPackage(folder, facts, files),
    ...faultsOfImage(folder, facts, files),
  ]
}

const read = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8')
const readJson = <Content>(folder: string, file: string): Content => JSON.parse(read(folder, file))

/** The files that `SHA256SUMS` cannot have. */
const ofSignature = ['SHA256SUMS', 'SHA256SUMS.minisig']

/** Each file has its hash, and there are no other files. */
function faultsOfSums(folder: string): string[] {
  const sums = new Map(
    read(folder, 'SHA256SUMS')
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  )
  const present = readdirSync(folder).filter((file) => !ofSignature.includes(file))
  return [
    ...present.filter((file) => !sums.has(file)).map((file) => `${file} is not a file of the release.`),
    ...[...sums].flatMap(([file, sum]) => {
      if (!existsSync(join(folder, file))) return [`${file} is missing.`]
      return sha256Of(folder, file) === sum ? [] : [`${file} was changed: it has another hash.`]
    }),
  ]
}

function faultsOfFacts(folder: string, { version, tests }: ReleaseFacts, files: ReleaseFiles): string[] {
  const missing = Object.values(files).filter((file) => file !== files.image && !existsSync(join(folder, file)))
  const changelog = existsSync(join(folder, files.changelog)) ? read(folder, files.changelog) : ''
  return [
    ...missing.map((file) => `${file} is missing.`),
    ...(tests.failed === 0 && tests.passed > 0 ? [] : [`${tests.failed} of the tests failed.`]),
    ...(changelog.startsWith(`## ${version}, `) ? [] : [`${files.changelog} is not that of ${version}.`]),
  ]
}

function faultsOfProvenance(folder: string, { commit, image }: ReleaseFacts, files: ReleaseFiles): string[] {
  const { subject, predicate } = readJson<Statement>(folder, files.provenance)
  const named = new Map(subject.map(({ name, digest }) => [name, digest.sha256]))
  const expected = readdirSync(folder).filter((file) => !ofSignature.includes(file) && file !== files.provenance)
  const isOfCommit = predicate.buildDefinition.externalParameters.commit === commit
  const ofImage = `sha256:${[...named].find(([name]) => name.includes(':'))?.[1]}`
  return [
    ...expected
      .filter((file) => named.get(file) !== sha256Of(folder, file))
      .map((file) => `${files.provenance} does not have the hash of ${file}.`),
    ...(isOfCommit ? [] : [`${files.provenance} is of another commit.`]),
    ...(image === null || ofImage === image.digest
      ? []
      : [`${files.provenance} does not have the digest of the image.`]),
  ]
}

async function faultsOfDependencies(folder: string, { version }: ReleaseFacts, files: ReleaseFiles): Promise<string[]> {
  const text = read(folder, files.sbom)
  const faults = await faultsOfSbom(text)
  if (faults) return [`${files.sbom} is not CycloneDX 1.5: ${faults}`]
  const sbom: Sbom = JSON.parse(text)
  const licenses = `${licenseLines(sbom).join('\n')}\n`
  return [
    ...(sbom.metadata.component.version === version ? [] : [`${files.sbom} is of another version.`]),
    ...(read(folder, files.licenses) === licenses ? [] : [`${files.licenses} differs from ${files.sbom}.`]),
  ]
}

function faultsOfPackage(folder: string, { version }: ReleaseFacts, files: ReleaseFiles): string[] {
  const packed = JSON.parse(runProgram('tar', ['-xzOf', join(folder, files.package), 'package/package.json']))
  return packed.version === version ? [] : [`${files.package} is of version ${packed.version}.`]
}

/** The image that an engine would load is the one that the release names. */
function faultsOfImage(folder: string, { image }: ReleaseFacts, files: ReleaseFiles): string[] {
  if (image === null) return []
  const index = JSON.parse(runProgram('tar', ['-xOf', join(folder, files.image), './index.json']))
  const digest = index.manifests[0]?.digest
  return digest === image.digest ? [] : [`${files.image} has the digest ${digest}.`]
}

/** An older release is signed as well: compare the version and the commit with those that you expect. */
function describeRelease(folder: string): string {
  const { name, version, commit, tests, image, registrySignatures } = readJson<ReleaseFacts>(folder, 'release.json')
  return [
    `${name} ${version}, commit ${commit}, ${tests.passed} tests passed.`,
    image ? `The image has the digest ${image.digest}.` : 'It has no image.',
    registrySignatures
      ? 'The registry signed the packages.'
      : 'The registry was not asked for the signatures of the packages.',
  ].join('\n')
}

if (import.meta.main) {
  const [folder, publicKey] = process.argv.slice(2)
  if (folder === undefined || publicKey === undefined) {
    console.error('Use: npm run verify-release -- FOLDER PUBLIC_KEY_FILE')
    process.exit(1)
  }
  try {
    const faults = await verifyRelease(resolve(folder), resolve(publicKey))
    for (const fault of faults) console.error(fault)
    if (faults.length > 0) process.exitCode = 1
    else console.log(`${folder} is complete, and signed with the key of ${publicKey}.\n${describeRelease(folder)}`)
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
