import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { dialect } from '../../db/columns.ts'
import { addOnFile } from '../../workers/signing/keys/pkcs11/module-folder.ts'
import { python } from '../verifiers/python.ts'
import { chromiumPath } from './chromium-server.ts'
import { pgbouncerPath } from './pgbouncer-path.ts'

/** A program or setting that a test can require besides Node.js. */
interface Requirement {
  isMet: boolean
  /** Completes "12 skipped ...". */
  skipped: string
}

const runs = (program: string, ...words: string[]) => spawnSync(program, words, { timeout: 20_000 }).status === 0
const exists = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const isInstalled = (name: string) => existsSync(`node_modules/${name}`)
const isRoot = process.getuid?.() === 0

/**
 * The tags of tests. A test is skipped if a requirement of its tags is not met. The end of a run counts the skipped tests by tag, and `.ci/run`
 * refuses those that it does not expect (.ci/expected-skips.json).
 */
const requirements = {
  sqlite: { isMet: dialect === 'sqlite', skipped: 'on PostgreSQL, because they are about SQLite (npm test)' },
  postgres: { isMet: dialect === 'postgres', skipped: 'on SQLite (npm run test:postgres)' },
  once: { isMet: dialect === 'sqlite', skipped: 'on PostgreSQL, because the database makes no difference (npm test)' },
  redis: { isMet: exists('redis-server'), skipped: 'without redis-server (apt-get install redis-server)' },
  full: { isMet: process.env.CI_FULL === '1', skipped: 'without CI_FULL=1' },
  samples: { isMet: existsSync('../shared/samples'), skipped: 'without the folder ../shared/samples' },
  repository: { isMet: runs('git', 'rev-parse', 'HEAD'), skipped: 'outside of a git repository' },
  chromium: {
    isMet: chromiumPath !== undefined,
    skipped: 'without Chromium (apt-get install chromium-headless-shell)',
  },
  image: {
    isMet:
      isRoot &&
      ['buildah', 'mmdebstrap', 'g++', 'make'].every(exists) &&
      runs('unshare', '--user', '--map-root-user', '--mount', 'true'),
    skipped: 'without root, namespaces, buildah, mmdebstrap, g++ and make (docs/deployment.md)',
  },
  pgbouncer: { isMet: pgbouncerPath !== undefined, skipped: 'without PgBouncer (apt-get install pgbouncer)' },
  sentinel: { isMet: exists('redis-sentinel'), skipped: 'without Redis Sentinel (apt-get install redis-sentinel)' },
  minisign: { isMet: exists('minisign'), skipped: 'without minisign (apt-get install minisign)' },
  promtool: { isMet: exists('promtool'), skipped: 'without promtool (apt-get install prometheus)' },
  caddy: { isMet: exists('caddy'), skipped: 'without Caddy (apt-get install caddy)' },
  compose: {
    isMet: runs('docker', 'compose', 'version') || runs('docker-compose', 'version'),
    skipped: 'without Compose (apt-get install docker-compose)',
  },
  kubectl: { isMet: exists('kubectl'), skipped: 'without kubectl' },
  systemd: { isMet: exists('systemd-analyze'), skipped: 'without systemd' },
  zsh: { isMet: exists('zsh'), skipped: 'without zsh (apt-get install zsh)' },
  soffice: { isMet: exists('soffice'), skipped: 'without LibreOffice (apt-get install libreoffice-calc-nogui)' },
  ipv6: {
    isMet: Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1')),
    skipped: 'without the IPv6 address ::1',
  },
  curl: { isMet: exists('curl'), skipped: 'without curl' },
  python: { isMet: exists('python3'), skipped: 'without Python' },
  jwcrypto: {
    isMet: runs(python, '-c', 'import jwcrypto'),
    skipped: 'without jwcrypto (apt-get install python3-jwcrypto)',
  },
  cryptography: {
    isMet: runs(python, '-c', 'import cryptography.hazmat.primitives.asymmetric.ed25519'),
    skipped: 'without the Python package cryptography (apt-get install python3-cryptography)',
  },
  cbor2: {
    isMet: runs(python, '-c', 'import cbor2, cryptography'),
    skipped: 'without the Python packages cbor2 and cryptography (apt-get install python3-cbor2 python3-cryptography)',
  },
  pkcs11: {
    isMet: exists('softhsm2-util') && exists('cc') && existsSync(addOnFile),
    skipped: 'without SoftHSM2 and the module for PKCS#11 (apt-get install softhsm2 g++ make, npm run pkcs11:build)',
  },
  java: { isMet: runs('java', '--version'), skipped: 'without Java (apt-get install default-jre-headless)' },
  go: { isMet: exists('go'), skipped: 'without Go (apt-get install golang-go)' },
  php: {
    isMet: runs('php', '-r', 'exit(function_exists("sodium_crypto_sign_verify_detached") ? 0 : 1);'),
    skipped: 'without PHP (apt-get install php-cli)',
  },
  dotnet: {
    // The build reads the package from the cache of NuGet.
    isMet: runs('dotnet', 'restore', 'examples/webhook-receivers/Receiver.csproj'),
    skipped: 'without .NET and its package BouncyCastle.Cryptography',
  },
  'hey-api': { isMet: isInstalled('@hey-api/openapi-ts'), skipped: 'without the package @hey-api/openapi-ts' },
  orval: { isMet: isInstalled('orval'), skipped: 'without the package orval' },
} satisfies Record<string, Requirement>

export type Need = keyof typeof requirements

declare module 'vitest' {
  interface TestTags {
    tags: Need
  }
}

/** The tags for the configuration of vitest. */
export const needs = Object.entries<Requirement>(requirements).map(([name, { isMet, skipped }]) => ({
  name: name as Need,
  description: skipped,
  ...(!isMet && { skip: true }),
}))
