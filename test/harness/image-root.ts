import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ProgramFailed } from '../../docs/deploy/run-program.ts'
import { parseProcfile } from '../../shared/launcher/procfile.ts'

/**
 * Processes in the root of the image, as a container runtime starts them: as the user 10001, without capabilities, on a read-only
 * root, with a folder in memory for `/tmp` and one of this machine for `/data`. They have the network of this machine.
 */

/** Whether a build failed only because this machine has no access to the packages of Debian, or not the rights for it. */
export function isUnavailableHere(error: unknown): boolean {
  return (
    error instanceof ProgramFailed &&
    /could not resolve|could not connect|unable to connect|failed to fetch|not permitted|permission denied/i.test(
      error.message,
    )
  )
}

const enter = `set -e
root=$1 data=$2; shift 2
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount -t tmpfs tmpfs "$root/tmp"
mount --rbind /proc "$root/proc"
mount -t tmpfs tmpfs "$root/dev"
for device in null urandom; do : > "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
mount -o remount,bind,ro,nosuid,nodev "$root"
export PATH=/usr/local/bin
exec /usr/bin/unshare --user --map-user=10001 --map-group=10001 --root="$root" --wd=/app "$@"`

export interface Program {
  file: string
  args: string[]
  env: Record<string, string>
}

/** Returns the program that runs `words` in the image. It is the process itself, which gets signals. `data` is the folder for `/data`. */
export function inImage(root: string, words: string[], { data, env }: { data: string; env: Record<string, string> }) {
  const { PATH: _, ...own } = env
  // The cache of the tests is not in the image. A cache in the folder for data is.
  const { NODE_COMPILE_CACHE: cache } = own
  if (cache && !cache.startsWith(data)) own.NODE_COMPILE_CACHE = '/tmp/compile-cache'
  const inside = Object.entries(own).map(([name, value]) => [name, value.replaceAll(data, '/data')])
  const args = ['--user', '--map-root-user', '--mount', 'sh', '-c', enter, 'enter', root, data, ...words]
  const outside = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DATA_DIR: '/data', NODE_ENV: 'production' }
  return { file: '/usr/bin/unshare', args, env: { ...outside, ...Object.fromEntries(inside) } } satisfies Program
}

/** The words of each process in the Procfile of the image. */
export function commandsOfImage(root: string): Record<string, string[]> {
  const entries = parseProcfile(readFileSync(join(root, 'app/Procfile'), 'utf8'))
  return Object.fromEntries(entries.map(({ name, command }) => [name, command.split(' ')]))
}

export interface ImageConfig {
  created: string
  architecture: string
  config: {
    User: string
    Cmd: string[]
    Env: string[]
    WorkingDir: string
    ExposedPorts: Record<string, object>
    Labels: Record<string, string>
    Healthcheck: { Test: string[] }
  }
}

/** Unpacks the archive of an image to `folder`. Returns its root, with the file that runtimes write for the names of the machine. */
export function unpackImage(archive: string, folder: string): { root: string; config: ImageConfig } {
  const layout = join(folder, 'layout')
  const root = join(folder, 'root')
  for (const each of [layout, root]) mkdirSync(each, { recursive: true })
  const unpack = (file: string, to: string) => execFileSync('tar', ['-xf', file, '-C', to])
  unpack(archive, layout)
  const blob = ({ digest }: { digest: string }) => join(layout, 'blobs', digest.replace(':', '/'))
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
  const manifest = read(blob(read(join(layout, 'index.json')).manifests[0]))
  for (const layer of manifest.layers) unpack(blob(layer), root)
  const config = read(blob(manifest.config))
  rmSync(layout, { recursive: true })
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n')
  return { root, config }
}
