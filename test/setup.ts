import '@openid4vc/oauth2'
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { afterAll } from 'vitest'
import { z } from 'zod'

// Runs before each file of tests: files share the modules of their worker, so what one of them changes there is put back.

// The wallet library words what is wrong by itself, for all of zod, also where the service says it.
z.config({ customError: undefined })

const dispatcher = getGlobalDispatcher()
afterAll(() => setGlobalDispatcher(dispatcher))
