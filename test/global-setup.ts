import type { TestProject } from 'vitest/node'
import { prepareDatabases } from './database.ts'
import { startRedis } from './redis.ts'

declare module 'vitest' {
  interface ProvidedContext {
    redisUrl: string
  }
}

/** One redis-server for the whole run; services keep apart by their prefix. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const redis = await startRedis()
  const removeTemplate = await prepareDatabases()
  project.provide('redisUrl', redis.url)
  return async () => {
    removeTemplate()
    await redis.stop()
  }
}
