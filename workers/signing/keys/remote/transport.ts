import { isJsonObject } from '../../../../shared/formats/json-object.ts'
import { parseStrictJson } from '../../../../shared/formats/strict-json.ts'
import type { OutboundResponse } from '../../../../shared/outbound/exchange.ts'
import { createOutbound, type Outbound } from '../../../../shared/outbound/outbound.ts'
import { OutboundError } from '../../../../shared/outbound/outbound-error.ts'
import { resolveBySystem } from '../../../../shared/outbound/resolve-host.ts'
import type { KeySigner } from '../../../../shared/settings/key-signers.ts'
import type { ApiAnswer, ApiRequest } from './adapter.ts'
import type { WatchedFiles } from './watched-files.ts'

/** Sends requests to the origins of one signer. */
export interface SignerTransport {
  /** Returns any answer whose body is a JSON object or empty. Throws NoAnswer otherwise. */
  send(request: ApiRequest, timeoutMs: number): Promise<ApiAnswer>
  close(): Promise<void>
}

/** A request got no usable answer. The message is a reason for logs and errors, without content of the answer. */
export class NoAnswer extends Error {}

const maxResponseBytes = 262_144
const maxDepth = 16

/** Creates the transport of a signer. A changed certificate or key of TLS applies to the next connections. */
export function createSignerTransport(signer: KeySigner, files: WatchedFiles): SignerTransport {
  const onlyOrigins = originsOf(signer)
  const closing = new Set<Promise<void>>()
  let current: { tls: string; outbound: Outbound } | undefined

  async function outboundNow(): Promise<Outbound> {
    const tls = await readTls(signer, files)
    const text = JSON.stringify(tls)
    if (current?.tls === text) return current.outbound
    if (current) retire(current.outbound)
    const outbound = createOutbound({ allowLoopback: false, onlyOrigins, resolve: resolveBySystem, tls })
    current = { tls: text, outbound }
    return outbound
  }

  /** Closes connections with an earlier certificate when their calls have ended. */
  function retire(outbound: Outbound): void {
    const timer = setTimeout(() => {
      const closed = outbound.close().finally(() => closing.delete(closed))
      closing.add(closed)
    }, signer.limits.timeoutMs)
    timer.unref()
  }

  return {
    async send({ method, url, headers = {}, body }, timeoutMs) {
      try {
        const outbound = await outboundNow()
        const json = { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) }
        const request = { method, url, headers: { ...json, ...headers }, timeoutMs, maxResponseBytes }
        const answer = await outbound.request(body === undefined ? request : { ...request, body })
        return {
          status: answer.status,
          json: jsonOf(answer.status, answer.body),
          retryAfterMs: retryAfterOf(answer.headers),
        }
      } catch (error) {
        throw error instanceof NoAnswer ? error : new NoAnswer(reasonOf(error))
      }
    },
    async close() {
      await current?.outbound.close()
      await Promise.all(closing)
    },
  }
}

function jsonOf(status: number, body: Buffer): ApiAnswer['json'] {
  if (body.length === 0) return {}
  const result = parseStrictJson(body, maxDepth)
  if ('value' in result && isJsonObject(result.value)) return result.value
  // Proxies answer errors in HTML. Their status says enough.
  if (status >= 300) return {}
  throw new NoAnswer('the answer is not a JSON object')
}

const maxRetryAfterMs = 5_000

/** Reads `Retry-After` in seconds (RFC 9110, section 10.2.3). */
function retryAfterOf({ 'retry-after': text }: OutboundResponse['headers']): number | undefined {
  if (typeof text !== 'string' || !/^\d{1,9}$/.test(text)) return undefined
  return Math.min(Number(text) * 1_000, maxRetryAfterMs)
}

function reasonOf(error: unknown): string {
  if (error instanceof OutboundError) return error.code ? `${error.message} (${error.code})` : error.message
  if (error instanceof Error && 'code' in error) return `a file of its settings cannot be used (${error.code})`
  throw error
}

async function readTls({ tls = {} }: KeySigner, files: WatchedFiles) {
  const { caFile, certificateFile, keyFile } = tls
  const [ca, cert, key] = await Promise.all(
    [caFile, certificateFile, keyFile].map((path) => (path === undefined ? undefined : files.read(path))),
  )
  return { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) }
}

/** Returns the origins of all URLs of the settings. No answer can name another one. */
function originsOf(signer: KeySigner): string[] {
  const urls = [
    'url' in signer ? signer.url : undefined,
    'tokenUrl' in signer ? signer.tokenUrl : undefined,
    'loginUrl' in signer ? signer.loginUrl : undefined,
    signer.adapter === 'aws-kms' ? awsKmsUrl(signer) : undefined,
  ]
  return urls.flatMap((url) => (url === undefined ? [] : [new URL(url).origin]))
}

/** Returns the address of AWS KMS in a region, or the address of the settings. */
export function awsKmsUrl({ region, url }: { region: string; url?: string | undefined }): string {
  return url ?? `https://kms.${region}.amazonaws.com`
}
