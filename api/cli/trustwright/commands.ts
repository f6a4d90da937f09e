import type { Command } from './command.ts'
import { api } from './commands/api.ts'
import { completionOf } from './commands/completion.ts'
import { tailEvents } from './commands/events.ts'
import { login } from './commands/login.ts'
import { createOffer } from './commands/offers.ts'
import { listPublished } from './commands/published.ts'

const withoutCompletion = [login, createOffer, tailEvents, listPublished, api]

export const commands: readonly Command[] = [...withoutCompletion, completionOf(withoutCompletion)]
