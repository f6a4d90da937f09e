import '@openid4vc/oauth2'
import '@owf/token-status-list'
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { afterAll } from 'vitest'
import { z } from 'zod'

// Runs before each test file. Files share the modules of their worker, so changes of one file there are reverted.

// Two libraries register tag 24 with one CBOR decoder. The last registration applies: this one (see read-status-list-cwt.ts).
await import('@owf/mdoc')

// Libraries set the messages of zod globally, also for the messages of the service.
z.config({ customError: undefined })

const dispatcher = getGlobalDispatcher()
afterAll(() => setGlobalDispatcher(dispatcher))
