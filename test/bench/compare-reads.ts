import { Client } from 'undici'
import { startChild } from './child.ts'
import { cpuSpent, cpuTimes, totalSeconds } from './cpu.ts'
import { meanOf, type Rate } from './limits.ts'
import type { Bench } from './measure.ts'

export interface ComparedReads {
  ours: Rate
  /** A bare Koa route that serves the same bytes. */
  bareKoa: Rate
  bytes: number
  isUnchanged: boolean
}

const readMs = 2_000
const warmUpMs = 1_500

/** Compares reads of a public resource: by readers without a copy, and by readers with the newest version. */
export async function compareReads({ stack }: Bench, path: string): Promise<ComparedReads[]> {
  const bare = await startChild('./bare-koa.ts')
  const koa = { origin: `http://127.0.0.1:${bare.greeting}`, pid: bare.pid, path }
  const service = { origin: stack.origin, pid: stack.pids.web ?? 0, path }
  const reader = new Client(stack.origin)
  const { body, headers } = await reader.request({ method: 'GET', path })
  const content = Buffer.from(await body.arrayBuffer())
  await reader.close()
  try {
    await bare.request(content.toString('base64'))
    const both = []
    for (const isUnchanged of [false, true]) {
      const condition = (etag: string): Record<string, string> => (isUnchanged ? { 'if-none-match': etag } : {})
      // Warms both up.
      await rateOfReads(koa, condition('"1"'), warmUpMs)
      await rateOfReads(service, condition(String(headers.etag)), warmUpMs)
      const before = await rateOfReads(koa, condition('"1"'))
      const ours = await rateOfReads(service, condition(String(headers.etag)))
      const bareKoa = meanOf(before, await rateOfReads(koa, condition('"1"')))
      both.push({ ours, bareKoa, bytes: content.length, isUnchanged })
    }
    return both
  } finally {
    bare.stop()
  }
}

async function rateOfReads(
  { origin, pid, path }: { origin: string; pid: number; path: string },
  headers: Record<string, string>,
  ms = readMs,
): Promise<Rate> {
  const before = cpuTimes({ server: pid })
  const startedAt = performance.now()
  let requests = 0
  const lanes = Array.from({ length: 16 }, async () => {
    const client = new Client(origin, { pipelining: 1 })
    for (; performance.now() - startedAt < ms; requests++) {
      const { statusCode, body } = await client.request({ method: 'GET', path, headers })
      await body.dump()
      if (statusCode !== ('if-none-match' in headers ? 304 : 200)) throw new Error(`GET ${path}: ${statusCode}`)
    }
    await client.close()
  })
  await Promise.all(lanes)
  const seconds = (performance.now() - startedAt) / 1000
  return {
    perSecond: requests / seconds,
    perCpuSecond: requests / totalSeconds(cpuSpent(before, cpuTimes({ server: pid }))),
  }
}
