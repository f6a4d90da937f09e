import { createHash, randomBytes } from 'node:crypto'
import { lstat, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../../settings/config.ts'

/** The folder in which signing processes of one machine listen, and the begin of the names of the sockets of one service. */
export interface SocketFolder {
  path: string
  prefix: string
}

type SocketSettings = Pick<Config, 'dataDir' | 'queueIn' | 'databaseUrl' | 'redisUrl' | 'redisPrefix'>

/** The longest path of a Unix socket in bytes that each system accepts. */
const maxPathBytes = 103
const nameBytes = 22

/**
 * Returns the folder `DATA_DIR/sockets`, or undefined if this system has no Unix sockets with such a path. Processes with another Redis, or
 * with queues in another database, have other names: they are those of another service.
 */
export function socketFolderOf(
  { dataDir, queueIn, databaseUrl, redisUrl, redisPrefix }: SocketSettings,
  platform = process.platform,
): SocketFolder | undefined {
  const path = resolve(dataDir, 'sockets')
  if (platform === 'win32' || Buffer.byteLength(path) + 1 + nameBytes > maxPathBytes) return undefined
  // Without user, password and options, which can differ between processes.
  const redisAddress = redisUrl.replace(/\/\/[^@/]*@/, '//').replace(/\?.*$/, '')
  const hash = createHash('sha256')
    .update(JSON.stringify([queueIn === 'database' ? databaseUrl : redisAddress, redisPrefix]))
    .digest('hex')
  return { path, prefix: `${hash.slice(0, 8)}-` }
}

/** Returns a new path in the folder. Each process has its own. */
export function newSocketPath({ path, prefix }: SocketFolder): string {
  return join(path, `${prefix}${randomBytes(4).toString('hex')}.sock`)
}

/** Returns the paths of the sockets of the service. Empty if the folder is missing or not safe. */
export async function findSocketPaths({ path, prefix }: SocketFolder): Promise<string[]> {
  try {
    await requireSafeFolder(path)
    const names = await readdir(path)
    return names.filter((name) => name.startsWith(prefix) && name.endsWith('.sock')).map((name) => join(path, name))
  } catch {
    return []
  }
}

/** Throws if another user can put sockets into the folder. */
export async function requireSafeFolder(path: string): Promise<void> {
  const folder = await lstat(path)
  const isSafe = folder.isDirectory() && folder.uid === process.getuid?.() && (folder.mode & 0o077) === 0
  if (!isSafe) throw new Error(`The folder ${path} must belong to the user of this process and have the mode 0700.`)
}
