import { createServer } from 'node:http'

/** A webhook receiver as a process. Sends its port first, and then the number of received webhooks for each message. */
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
