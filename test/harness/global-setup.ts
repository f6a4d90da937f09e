import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { offerChromium } from './chromium-server.ts'
import { bundleAhead, compileAhead } from './compiled.ts'
import { prepareDatabases } from './database.ts'
import { offerLazily } from './lazy-answer.ts'
import { startRedis, type TestRedis } from './redis.ts'

declare module 'vitest' {
  interface ProvidedContext {
    redisSocket: string
    compileCache: string
    chromiumSocket: string
    bundleSocket: string
  }
}

/**
 * Offers one redis-server, one Chromium and one bundle of the service to all files. Each starts with the first file that needs it. Services have
 * separate prefixes in Redis. Processes reuse the code that is compiled here. All temporary files of the run are in one folder, also those
 * of services that run until their worker ends.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-run-'))
  chmodSync(dir, 0o711) // PostgreSQL runs as another user when this runs as root
  // The workers of vitest inherit these.
  process.env.TMPDIR = dir
  const compileCache = join(dir, 'compiled')
  process.env.NODE_COMPILE_CACHE = compileCache
  let redis: Promise<TestRedis> | undefined
  const redisSocket = join(dir, 'redis.sock')
  const offeredRedis = await offerLazily(redisSocket, async () => {
    redis = startRedis()
    return (await redis).url
  })
  const dropDatabases = await prepareDatabases(dir)
  await compileAhead(compileCache)
  const bundleSocket = join(dir, 'bundle.sock')
  const bundle = await offerLazily(bundleSocket, () => bundleAhead(compileCache))
  project.onTestsRerun(() => bundle.reset())
  const chromiumSocket = join(dir, 'chromium.sock')
  const endChromium = await offerChromium(chromiumSocket)
  project.provide('redisSocket', redisSocket)
  project.provide('compileCache', compileCache)
  project.provide('bundleSocket', bundleSocket)
  project.provide('chromiumSocket', chromiumSocket)
  return async () => {
    bundle.end()
    await endChromium()
    await dropDatabases()
    offeredRedis.end()
    await (await redis?.catch(() => undefined))?.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}
