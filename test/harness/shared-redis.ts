import { inject } from 'vitest'
import { readAnswer } from './lazy-answer.ts'

/** Returns the URL of the run's redis-server, which starts with the first file that calls this. Its tests have the tag `redis`. */
export const sharedRedisUrl = (): Promise<string> => readAnswer(inject('redisSocket'))
