import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { offerChromium } from './chromium-server.ts'
import { compileAhead } from './compiled.ts'
import { prepareDatabases } from './database.ts'
import { startRedis } from './redis.ts'

declare module 'vitest' {
  interface ProvidedContext {
    redisUrl: string
    compileCache: string
    chromiumSocket: string
  }
}

/**
 * One redis-server for the whole run, and one Chromium; services keep apart by their prefix. What is compiled here their
 * processes need not compile.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const redis = await startRedis()
  const removeTemplate = await prepareDatabases()
  const compileCache = mkdtempSync(join(tmpdir(), 'trustwright-compiled-'))
  await compileAhead(compileCache)
  // The workers of vitest inherit it.
  process.env.NODE_COMPILE_CACHE = compileCache
  const chromiumSocket = join(compileCache, 'chromium.sock')
  const endChromium = await offerChromium(chromiumSocket)
  project.provide('redisUrl', redis.url)
  project.provide('compileCache', compileCache)
  project.provide('chromiumSocket', chromiumSocket)
  return async () => {
    await endChromium()
    removeTemplate()
    await redis.stop()
    rmSync(compileCache, { recursive: true, force: true })
  }
}
