import Koa from 'koa'

/** The limit that the flow is measured by: one route, nothing behind it. Says its port. */
const app = new Koa()
app.use((ctx) => {
  ctx.body = { ok: true }
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : undefined)
})
process.on('disconnect', () => process.exit())
