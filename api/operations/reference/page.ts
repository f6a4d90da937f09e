import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** A file of the reference page. It is read at the first request. */
export interface Asset {
  name: string
  mediaType: string
  read(): Buffer
}

export const page = asset('page.html', 'text/html', new URL('./page.html', import.meta.url))

export const assets: readonly Asset[] = [
  asset('page.css', 'text/css', new URL('./page.css', import.meta.url)),
  asset('guide.css', 'text/css', new URL('./guide.css', import.meta.url)),
  asset('prefill.js', 'text/javascript', new URL('./prefill.js', import.meta.url)),
  asset('part.js', 'text/javascript', new URL('./part.js', import.meta.url)),
  asset('operations.js', 'text/javascript', new URL('./operations.js', import.meta.url)),
  asset('choose.js', 'text/javascript', new URL('./choose.js', import.meta.url)),
  asset('page.js', 'text/javascript', new URL('./page.js', import.meta.url)),
  asset('swagger-ui.css', 'text/css', ofSwaggerUi('swagger-ui.css')),
  asset('swagger-ui-bundle.js', 'text/javascript', ofSwaggerUi('swagger-ui-bundle.js')),
]

function asset(name: string, mediaType: string, url: URL): Asset {
  let bytes: Buffer | undefined
  return {
    name,
    mediaType,
    read() {
      bytes ??= readFileSync(url)
      return bytes
    },
  }
}

function ofSwaggerUi(file: string): URL {
  return pathToFileURL(createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`))
}
