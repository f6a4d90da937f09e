import { z } from 'zod'

/** Links that sign the demo tenant's client and the platform's in at their consoles, once each. */
const ConsoleLinks = z.object({ demo: z.string(), platform: z.string() })

export type ConsoleLinks = z.infer<typeof ConsoleLinks>

/** To who started this process and is to print them, by their channel: they are written nowhere. */
export function sendConsoleLinks(links: ConsoleLinks): Promise<void> {
  return new Promise((resolve, reject) => {
    if (process.send) process.send(links, (error) => (error ? reject(error) : resolve()))
    else resolve()
  })
}

/** What a process that made them has sent; undefined where it made none. */
export function readConsoleLinks(sent: unknown): ConsoleLinks | undefined {
  return sent === undefined ? undefined : ConsoleLinks.parse(sent)
}
