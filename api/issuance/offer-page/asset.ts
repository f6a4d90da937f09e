import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

interface Script {
  name: string
  bytes: Buffer
  gzipped: Buffer
}

let read: Script | undefined

/** Returns the page's script under a name that depends on its content. Reads the file at the first request. */
export function pageScript(): Script {
  read ??= named(readFileSync(new URL('./page.js', import.meta.url)))
  return read
}

function named(bytes: Buffer): Script {
  const name = `page.${hash('sha256', bytes, 'hex').slice(0, 16)}.js`
  return { name, bytes, gzipped: gzipSync(bytes, { level: 9 }) }
}
