import { open, rename, rm } from 'node:fs/promises'
import { UsageError } from '../command.ts'

/** A file that is being written. Its name ends with `.part`. */
export interface PartFile {
  path: string
  append(content: AsyncIterable<string | Buffer>): Promise<void>
  /** Removes the bytes after the first `sizeBytes`. */
  truncate(sizeBytes: number): Promise<void>
  close(): Promise<void>
  /** Removes the file. */
  remove(): Promise<void>
}

/**
 * Makes a temporary file beside a file. Only its owner can read it, because results are credentials or links. The file is always a new one:
 * an old one can have other permissions, or be a symbolic link.
 */
export async function newPart(file: string): Promise<PartFile> {
  const path = `${file}.part`
  await rm(path, { force: true })
  const opened = await open(path, 'wx', 0o600)
  let sizeBytes = 0
  async function write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await opened.write(bytes, at, bytes.length - at, sizeBytes).catch((error: unknown) => {
        throw new UsageError(`${path} cannot be written: ${error instanceof Error ? error.message : error}`)
      })
      at += bytesWritten
      sizeBytes += bytesWritten
    }
  }
  return {
    path,
    async append(content) {
      for await (const chunk of content) await write(Buffer.from(chunk))
    },
    async truncate(toBytes) {
      await opened.truncate(toBytes)
      sizeBytes = toBytes
    },
    close: () => opened.close(),
    async remove() {
      await opened.close()
      await rm(path, { force: true })
    },
  }
}

/** Writes to a temporary file, which then gets its name. */
export async function writeWhole(file: string, content: AsyncIterable<string | Buffer>): Promise<void> {
  const part = await newPart(file)
  try {
    await part.append(content)
    await part.close()
    await rename(part.path, file)
  } catch (error) {
    await part.remove()
    throw error
  }
}
