import { z } from 'zod'

/** Links to the consoles of the demo tenant and the platform. Each signs in once. */
const ConsoleLinks = z.object({ demo: z.string(), platform: z.string() })

export type ConsoleLinks = z.infer<typeof ConsoleLinks>

/** Sends the links to the parent process, which prints them. They are stored nowhere. Does nothing without links or a parent. */
export function sendConsoleLinks(links: ConsoleLinks | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (links && process.send) process.send(links, (error) => (error ? reject(error) : resolve()))
    else resolve()
  })
}

/** Reads the message of the process that created the links. Returns undefined if it created none. */
export function readConsoleLinks(sent: unknown): ConsoleLinks | undefined {
  return sent === undefined ? undefined : ConsoleLinks.parse(sent)
}
