import { LRUCache } from 'lru-cache'
import type { Configuration } from 'openid-client'
import { minuteMs } from '../../shared/clock.ts'

export interface RelyingPartyCaches {
  /** The discovered configuration of each identity provider, by its settings. */
  providers: LRUCache<string, Promise<Configuration>>
}

/** Providers rarely change keys and addresses. The library fetches the keys again when a signature names an unknown key. */
const providerTtlMs = 10 * minuteMs

export function createRelyingPartyCaches(): RelyingPartyCaches {
  return { providers: new LRUCache({ max: 1_000, ttl: providerTtlMs }) }
}
