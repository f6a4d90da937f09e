import { createServer } from 'node:http'

/** A process that takes webhooks: says its port, then how many came whenever it is asked. */
let received = 0
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    received++
    response.writeHead(204).end()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : undefined)
})
process.on('message', () => process.send?.(received))
process.on('disconnect', () => process.exit())
