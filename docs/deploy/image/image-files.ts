import { hash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Descriptor {
  mediaType: string
  digest: string
  size: number
  annotations?: Record<string, string>
}

interface Manifest {
  config: Descriptor
  layers: Descriptor[]
  annotations?: Record<string, string>
}

/** A health check in the format of Docker. The image specification of OCI has none, and other runtimes ignore it. Times are in nanoseconds. */
export interface HealthCheck {
  Test: string[]
  Interval: number
  Timeout: number
  StartPeriod: number
  Retries: number
}

export interface ImageFacts {
  /** The SHA-256 of the manifest, by which registries name the image. */
  digest: string
  /** The size of the layer, which is not compressed. */
  bytes: number
}

/**
 * Adds a health check to the only image of an OCI layout. `buildah` writes health checks only in the format of Docker, which has the random
 * name of its container.
 */
export function addHealthCheck(layout: string, healthCheck: HealthCheck): ImageFacts {
  const index: { manifests: Descriptor[] } = readJson(join(layout, 'index.json'))
  const [image] = index.manifests
  if (!image || index.manifests.length !== 1) throw new Error(`${layout} does not have exactly one image.`)
  const { annotations: _, ...manifest }: Manifest = readJson(blobOf(layout, image))
  const { config, ...rest }: { config: object } = readJson(blobOf(layout, manifest.config))
  const changed = replaceBlob(layout, manifest.config, { ...rest, config: { ...config, Healthcheck: healthCheck } })
  const replaced = replaceBlob(layout, image, { ...manifest, config: changed })
  writeFileSync(join(layout, 'index.json'), JSON.stringify({ ...index, manifests: [replaced] }))
  const bytes = manifest.layers.reduce((sum, { size }) => sum + size, 0)
  return { digest: replaced.digest, bytes }
}

function blobOf(layout: string, { digest }: Descriptor): string {
  return join(layout, 'blobs', digest.replace(':', '/'))
}

function replaceBlob(layout: string, descriptor: Descriptor, content: object): Descriptor {
  const text = JSON.stringify(content)
  const replaced = { ...descriptor, digest: `sha256:${hash('sha256', text)}`, size: Buffer.byteLength(text) }
  rmSync(blobOf(layout, descriptor))
  writeFileSync(blobOf(layout, replaced), text)
  return replaced
}

function readJson<Content>(file: string): Content {
  return JSON.parse(readFileSync(file, 'utf8'))
}
