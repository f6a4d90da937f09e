import { createServer, type Server } from 'node:net'
import { StartupError } from './startup-error.ts'

/** Throws StartupError if a port cannot be used. Called before any process starts. */
export async function requireFreePort(name: string, port: number, host?: string): Promise<void> {
  const server = await listen(port, host).catch((error) => refuse(name, port, error))
  await closed(server)
}

export async function findFreePort(): Promise<number> {
  const server = await listen(0, '127.0.0.1')
  const address = server.address()
  await closed(server)
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.')
  return address.port
}

function refuse(name: string, port: number, error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : String(error)
  if (code === 'EADDRINUSE') {
    throw new StartupError(
      `Port ${port} (${name}) is in use. Stop the process that uses it, or choose another port: ${name}=${port + 100} npm start`,
    )
  }
  throw new StartupError(`Port ${port} (${name}) cannot be used (${code}). Choose another port.`)
}

function listen(port: number, host?: string): Promise<Server> {
  const { promise, resolve, reject } = Promise.withResolvers<Server>()
  const server = createServer()
  server.once('error', reject)
  server.listen({ port, ...(host ? { host } : {}) }, () => resolve(server))
  return promise
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
