import type { IncomingMessage } from 'node:http'
import Koa from 'koa'

/** The four requests of a flow, as the load generator sends them. */
export interface IssuerRoutes {
  /** Returns the URI of an offer. */
  createOffer(request: { credentials: string[]; claims: Record<string, unknown> }): Promise<{ uri: string }>
  token(form: URLSearchParams, request: Received): Promise<object>
  nonce(): Promise<object>
  credential(request: Record<string, unknown>, received: Received): Promise<object>
}

export interface Received {
  url: string
  headers: Headers
}

/** Serves the routes from a process of its own. Sends its port to the benchmark. */
export function serveIssuer(routes: IssuerRoutes): void {
  const app = new Koa()
  app.use(async (ctx) => {
    ctx.body = await answer(ctx.path, ctx.req)
  })
  const server = app.listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.send?.(typeof address === 'object' ? address?.port : undefined)
  })
  process.on('disconnect', () => process.exit())

  async function answer(path: string, request: IncomingMessage): Promise<object> {
    const body = await textOf(request)
    const received = { url: `https://bench.example${path}`, headers: headersOf(request) }
    switch (path) {
      case '/v1/openid/offers/pre-authorized':
        return routes.createOffer(JSON.parse(body))
      case '/v1/oauth/token':
        return routes.token(new URLSearchParams(body), received)
      case '/v1/openid/nonce':
        return routes.nonce()
      case '/v1/openid/credential':
        return routes.credential(JSON.parse(body), received)
      default:
        throw new Error(`The benchmark does not know ${path}.`)
    }
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function headersOf(request: IncomingMessage): Headers {
  return new Headers(Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]))
}
