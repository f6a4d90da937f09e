import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `release.json`: the facts of a release. */
export interface ReleaseFacts {
  name: string
  version: string
  /** The commit, in hexadecimal digits. */
  commit: string
  /** The time of the commit (ISO 8601). */
  committedAt: string
  /** The totals of `.ci/run` at the commit. */
  tests: { passed: number; failed: number }
  /** The digest of the image's manifest and the size of its layer. Null for a release without an image. */
  image: { digest: string; bytes: number } | null
  /** The result of `npm audit signatures`. Null if the registry was not asked. */
  registrySignatures: string | null
}

/** The names of the files of a release. */
export interface ReleaseFiles {
  facts: string
  source: string
  package: string
  image: string
  sbom: string
  licenses: string
  changelog: string
  benchmark: string
  provenance: string
  sums: string
  signature: string
}

export function filesOf({ name, version }: { name: string; version: string }): ReleaseFiles {
  return {
    facts: 'release.json',
    source: `${name}-${version}-source.tar.gz`,
    package: `${name}-${version}.tgz`,
    image: `${name}-${version}-image.tar`,
    sbom: 'sbom.cdx.json',
    licenses: 'licenses.txt',
    changelog: 'changelog.md',
    benchmark: 'benchmark.txt',
    provenance: 'provenance.intoto.json',
    sums: 'SHA256SUMS',
    signature: 'SHA256SUMS.minisig',
  }
}

export function sha256Of(folder: string, file: string): string {
  return hash('sha256', readFileSync(join(folder, file)))
}

/** An in-toto statement, version 1, with a provenance of SLSA, version 1. */
export interface Statement {
  _type: 'https://in-toto.io/Statement/v1'
  subject: { name: string; digest: { sha256: string } }[]
  predicateType: 'https://slsa.dev/provenance/v1'
  predicate: {
    buildDefinition: {
      buildType: string
      externalParameters: Record<string, string>
      resolvedDependencies: { name: string; digest: Record<string, string> }[]
    }
    runDetails: { builder: { id: string; version: Record<string, string> }; metadata: { invocationId: string } }
  }
}

/** Returns the statement that the files of the folder, and the image, were built from the commit. */
export function statementOf(
  folder: string,
  subjects: readonly string[],
  facts: ReleaseFacts,
  lockSha256: string,
): Statement {
  const { name, version, commit, image } = facts
  const ofImage = image ? [{ name: `${name}:${version}`, digest: { sha256: image.digest.replace('sha256:', '') } }] : []
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...subjects.map((file) => ({ name: file, digest: { sha256: sha256Of(folder, file) } })), ...ofImage],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:trustwright:release:1',
        externalParameters: { commit, version },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lockSha256 } },
        ],
      },
      runDetails: {
        builder: { id: 'urn:trustwright:npm-run-release:1', version: { node: process.version } },
        metadata: { invocationId: commit },
      },
    },
  }
}
