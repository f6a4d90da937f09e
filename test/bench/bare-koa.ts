import Koa from 'koa'

/**
 * The limit for reads and flows: one Koa route without anything behind it. Sends its port to the parent. After a
 * message with bytes (base64) it serves these bytes, and 304 to readers that have them.
 */
let served: Buffer | undefined
process.on('message', (content: string) => {
  served = Buffer.from(content, 'base64')
  process.send?.('served')
})
const app = new Koa()
app.use((ctx) => {
  if (!served) {
    ctx.body = { ok: true }
    return
  }
  ctx.type = 'application/cwt'
  ctx.etag = '1'
  ctx.body = served
  if (ctx.fresh) ctx.status = 304
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : undefined)
})
process.on('disconnect', () => process.exit())
