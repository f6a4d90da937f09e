import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  /** The address of the envelope. */
  to: string
  /** Headers and content. */
  content: string
}

/** Starts a mail server that takes the mails of one account. It refuses recipients whose address begins with `refused`. */
export async function startSmtpServer() {
  const mails: ReceivedMail[] = []
  const state = { isSilent: false }
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, callback) =>
      username === 'cards' && password === 'secret' ? callback(null, { user: username }) : callback(new Error('wrong')),
    onRcptTo: ({ address }, _session, callback) =>
      callback(
        address.startsWith('refused') ? Object.assign(new Error('unknown mailbox'), { responseCode: 550 }) : null,
      ),
    async onData(stream, { envelope }, callback) {
      const content = await text(stream)
      for (const { address } of envelope.rcptTo) mails.push({ to: address, content })
      // The sender does not learn that the mail has arrived.
      if (!state.isSilent) callback(null)
    },
  })
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  // Boundary: the server listens on a port.
  const { port } = listener.address() as AddressInfo
  return {
    mails,
    state,
    url: (password = 'secret') => `smtp://cards:${password}@127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}
