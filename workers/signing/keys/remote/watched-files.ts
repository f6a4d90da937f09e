import { readFile } from 'node:fs/promises'

/** Reads the files of the settings, and reads a file again when a second has passed, so that a replaced token is used without a restart. */
export interface WatchedFiles {
  /** Returns the text. While the file cannot be read, for example while it is being replaced, it returns the last text. */
  read(path: string): Promise<string>
}

const readEveryMs = 1_000

interface ReadFile {
  text: Promise<string>
  readAt: number
}

export function createWatchedFiles(): WatchedFiles {
  const files = new Map<string, ReadFile>()
  return {
    read(path) {
      const file = files.get(path)
      if (file && performance.now() - file.readAt < readEveryMs) return file.text
      const text = readFile(path, 'utf8').catch((error: unknown) => {
        if (file) return file.text
        throw error
      })
      // A failed first attempt is reported by its caller.
      text.catch(() => undefined)
      files.set(path, { text, readAt: performance.now() })
      return text
    },
  }
}
