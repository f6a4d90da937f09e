import '@openid4vc/oauth2'
import '@owf/token-status-list'
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { afterAll } from 'vitest'
import { z } from 'zod'

// Runs before each file of tests: files share the modules of their worker, so what one of them changes there is put back.

// Two libraries tell one CBOR decoder what tag 24 becomes. Who comes last is heard: this one (see read-status-list-cwt.ts).
await import('@owf/mdoc')

// Libraries word what is wrong by themselves, for all of zod, also where the service says it.
z.config({ customError: undefined })

const dispatcher = getGlobalDispatcher()
afterAll(() => setGlobalDispatcher(dispatcher))
